import { auditNotes } from '../../lazy/accounting/audit-notes.ts';
import type { Alternative } from '../../lazy/alternatives/alternative.ts';
import type { Plan, PlanProblem, PlanRow } from '../../lazy/planning/plan.ts';
import { always, choice, described, is, list, object, oneOf, orNull, type ValueOf } from '../kit/codec.ts';
import { COUNT, FLAG, GIVEN, NUMBER, TEXT } from '../kit/codecs.ts';
import { ACCOUNTING, NOTES, THEOREM } from './audit-json.ts';
import { CLAIM, CLAIMED, lazyText, MEASURE, printedSetting, SAFE, SETTING } from './kit/json.ts';
import { choiceText } from './plan-statement.ts';

const TARGET = { epsilon: GIVEN, delta: GIVEN };

const ROW = object({
  id: TEXT,
  ...SETTING,
  measure: MEASURE,
  delta1: orNull(GIVEN),
  delta0: orNull(GIVEN),
  theorem: described('null without y', orNull(THEOREM)),
  moved: orNull(THEOREM),
  accounting: ACCOUNTING,
  claimsTarget: FLAG,
  meetsTarget: FLAG,
  regret: object({
    claimed: described(
      'null where neither a theorem of the paper prints these parameters nor its Theorem 3.2 covers them',
      orNull(CLAIM),
    ),
    safe: SAFE,
  }),
  chosen: orNull(
    object({
      limit: choice('privacy', 'regret', 'one-batch'),
      others: list(object({ parameter: choice('batch', 'p', 'c'), value: NUMBER, regret: NUMBER })),
      why: TEXT,
    }),
  ),
  notes: NOTES,
});

const OTHER = object({
  id: TEXT,
  isPrivate: described('whether it is (epsilon, delta)-differentially private; of a rate, as published', FLAG),
  regret: described('null where only a rate is known', orNull(SAFE)),
  rate: described(
    'a published rate with constant 1, which is no bound',
    orNull(object({ status: CLAIMED, value: NUMBER, formula: TEXT, source: TEXT })),
  ),
  batch: orNull(COUNT),
  deviation: described('the most of the noise of a sum, in each coordinate; null where there is none', orNull(GIVEN)),
});

const PRINTED = { batch: 'batch', fakeSwitch: 'p', switchRate: 'c' } as const;

/** A plan. */
export const PLAN = object({
  result: always('plan'),
  input: oneOf(
    object({ problem: is('ope'), rounds: COUNT, experts: COUNT, ...TARGET }),
    object({ problem: is('oco'), rounds: COUNT, dimension: COUNT, lipschitz: GIVEN, diameter: GIVEN, ...TARGET }),
  ),
  claimedRate: CLAIM,
  rows: list(ROW),
  best: orNull(TEXT),
  guessing: described('the expected regret of what looks at no loss', SAFE),
  others: described('learners that are not L2P', list(OTHER)),
  instead: described(
    'the private one of them that reads losses and has a smaller proved regret than the best parameters and than guessing',
    orNull(TEXT),
  ),
  missing: list(object({ id: TEXT, code: TEXT, p: NUMBER })),
});

function rowOf(row: PlanRow, { epsilon }: PlanProblem): ValueOf<typeof ROW> {
  const { audit, regret, chosen } = row;
  const { delta1 = null, delta0 = null } = audit.theorem?.input ?? {};
  return {
    ...row,
    ...audit,
    ...printedSetting(audit.setting),
    id: audit.id!,
    delta1,
    delta0,
    regret: {
      claimed: regret.claimed === null ? null : { value: regret.claimed },
      safe: { upper: regret.safe },
    },
    chosen: chosen && {
      limit: chosen.limit.by,
      others: chosen.others.map((other) => ({
        ...other,
        parameter: PRINTED[other.parameter],
      })),
      why: choiceText(row),
    },
    notes: auditNotes(audit, epsilon),
  };
}

function otherOf(other: Alternative): ValueOf<typeof OTHER> {
  if (other.kind === 'rate') {
    const { formula, source } = other.rate;
    const rate = { value: other.value, formula, source };
    return { id: other.id, isPrivate: true, regret: null, rate, batch: null, deviation: null };
  }
  const { id, privacy, regret, noise } = other;
  const { batch = null, deviation = null } = noise ?? {};
  return { id, isPrivate: privacy !== 'none', regret: { upper: regret }, rate: null, batch, deviation };
}

/** A plan as `dpcompose.lazy/1`. */
export function lazyPlanJson(plan: Plan, version: string): string {
  const { problem, rows, missing, best, guessing, others, instead, claimedRate } = plan;
  const value = {
    input: problem,
    claimedRate: { value: claimedRate },
    rows: rows.map((row) => rowOf(row, problem)),
    best: best?.audit.id ?? null,
    guessing: { upper: guessing },
    others: others.map(otherOf),
    instead: instead?.id ?? null,
    missing: missing.map(({ id, reason, fakeSwitch }) => ({ id, code: reason, p: fakeSwitch })),
  };
  return lazyText(PLAN, value, version);
}
