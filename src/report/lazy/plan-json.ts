import { auditNotes } from '../../lazy/accounting/audit-notes.ts';
import type { Plan, PlanProblem, PlanRow } from '../../lazy/planning/plan.ts';
import { always, choice, described, is, list, object, oneOf, orNull, type ValueOf } from '../kit/codec.ts';
import { COUNT, FLAG, GIVEN, NUMBER, TEXT } from '../kit/codecs.ts';
import { ACCOUNTING, NOTES, THEOREM } from './audit-json.ts';
import { CLAIM, lazyText, MEASURE, printedSetting, SAFE, SETTING } from './json.ts';
import { choiceText } from './plan-statement.ts';

const TARGET = { epsilon: GIVEN, delta: GIVEN };

const ROW = object({
  id: TEXT,
  ...SETTING,
  measure: MEASURE,
  delta1: GIVEN,
  delta0: GIVEN,
  theorem: THEOREM,
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
      others: list(object({ parameter: choice('batch', 'p'), value: NUMBER, regret: NUMBER })),
      why: TEXT,
    }),
  ),
  notes: NOTES,
});

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
  missing: list(object({ id: TEXT, code: TEXT, p: NUMBER })),
});

function rowOf(row: PlanRow, { epsilon }: PlanProblem): ValueOf<typeof ROW> {
  const { audit, regret, chosen } = row;
  const { delta1, delta0 } = audit.theorem.input;
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
        parameter: other.parameter === 'fakeSwitch' ? 'p' : other.parameter,
      })),
      why: choiceText(row),
    },
    notes: auditNotes(audit, epsilon),
  };
}

/** A plan as `dpcompose.lazy/1`. */
export function lazyPlanJson(plan: Plan, version: string): string {
  const { problem, rows, missing, best, guessing, claimedRate } = plan;
  const value = {
    input: problem,
    claimedRate: { value: claimedRate },
    rows: rows.map((row) => rowOf(row, problem)),
    best: best?.audit.id ?? null,
    guessing: { upper: guessing },
    missing: missing.map(({ id, reason, fakeSwitch }) => ({ id, code: reason, p: fakeSwitch })),
  };
  return lazyText(PLAN, value, version);
}
