import { auditNotes } from '../../learning/accounting/audit.ts';
import type { Alternative, AlternativePrivacy } from '../../learning/alternatives/alternative.ts';
import { isWithoutY } from '../../learning/core/setting.ts';
import type { Plan, PlanProblem, PlanRow } from '../../learning/planning/plan.ts';
import type { Change, Chosen } from '../../learning/planning/search.ts';
import { always, choice, described, is, list, object, oneOf, orNull, type ValueOf } from '../kit/codec.ts';
import { COUNT, FLAG, GIVEN, NUMBER, TEXT } from '../kit/codecs.ts';
import { givenText, upperText } from '../kit/number.ts';
import { paragraph, type Block, type Output } from '../kit/page.ts';
import { counted, grouped, listed } from '../kit/prose.ts';
import { table, type Column } from '../kit/table.ts';
import { ACCOUNTING, NOTES } from './audit.ts';
import {
  CLAIMED,
  lazyText,
  MEASURE,
  printedSetting,
  SAFE,
  SETTING,
  missingText,
  aboutText,
  lazyHeading,
  mostText,
  parameterText,
  probabilityText,
} from './words.ts';

/** The problem and the privacy target, in one line. */
function problemText(problem: PlanProblem): string {
  const { rounds, epsilon, delta } = problem;
  const what =
    problem.problem === 'ope'
      ? `${grouped(problem.experts)} experts`
      : `convex losses in dimension ${grouped(problem.dimension)}, L D ${parameterText(problem.lipschitz.times(problem.diameter))}`;
  return `L2P for ${counted(rounds, 'round')}, ${what}, (${givenText(epsilon)}, ${givenText(delta)})-differential privacy`;
}

const changed = (regret: number, safe: number): string => {
  if (regret === Infinity) return 'is not private';
  const percent = Math.round(100 * (regret / safe - 1));
  return percent === 0 ? 'changes it by less than 1%' : `changes it by ${percent > 0 ? '+' : ''}${percent}%`;
};

const alternativeText = ({ parameter, value, regret }: Change, safe: number): string =>
  `${parameter === 'batch' ? `B ${grouped(value)}` : `c ${aboutText(value)}`} ${changed(regret, safe)}`;

/** The reason why no single parameter lowers the safe regret further. */
function limitText({ audit, chosen }: PlanRow & { readonly chosen: Chosen }): string {
  const { limit } = chosen;
  switch (limit.by) {
    case 'privacy':
      return `the next ${limit.parameter} of four digits, ${parameterText(limit.next)}, misses the target if all else stays the same`;
    case 'regret':
      return `${limit.parameter} is, to four digits, where the safe regret is least even without privacy`;
    case 'one-batch':
      return `the first x is played in ${audit.setting.rounds === 1 ? 'the only round' : `all ${counted(audit.setting.rounds, 'round')}`}, and nothing is learned or revealed`;
  }
}

const switchesText = ({ audit: { setting } }: PlanRow): string =>
  isWithoutY(setting)
    ? `c ${parameterText(setting.switchRate)} is the best found`
    : 'no switch has to be fake, since eta alone sets how often x is sampled anew';

/** Why a search chose these parameters, and what others would do to the safe regret, about. */
function choiceText(row: PlanRow): string {
  const { audit, regret, chosen } = row;
  if (chosen === null) return '';
  const batch = `B ${grouped(audit.setting.batch)}`;
  const limit = limitText({ ...row, chosen });
  const others = chosen.others.map((other) => alternativeText(other, regret));
  const alternatives = others.length === 0 ? '' : ` Other choices change the safe regret by about: ${listed(others)}.`;
  if (chosen.limit.by === 'one-batch')
    return `No batch was found that is better than one for all: ${limit}.${alternatives}`;
  return `${batch} is the best batch found; ${limit}; ${switchesText(row)}.${alternatives}`;
}

/** The baseline that looks at no loss, with the bound on its regret. */
const guessText = ({ problem, guessing }: Plan): string =>
  problem.problem === 'ope'
    ? `Drawing one expert uniformly, which looks at no loss, has an expected regret of at most ${mostText(guessing)}`
    : `Playing the centre of the smallest ball around the set, which looks at no loss, has a regret of at most ${mostText(guessing)}`;

/** The best parameters, beside the best from a formula and the baseline. */
function bestText(plan: Plan): string {
  const { best, rows, problem, guessing } = plan;
  if (best === null) return 'None of these parameters certainly meets the target.';
  const printed = rows.filter(({ chosen, meetsTarget }) => chosen === null && meetsTarget);
  const nearest = printed.reduce((minimum, { regret }) => Math.min(minimum, regret), Infinity);
  const than =
    nearest === Infinity || best.chosen === null
      ? ''
      : ` The best parameters from a formula that meet the target have ${mostText(nearest)}.`;
  const vacuous = best.regret >= guessing ? ': the bound says nothing here, guess instead' : '';
  const epsilon = best.audit.accounting.reduce((minimum, row) =>
    row.epsilon.upper < minimum.epsilon.upper ? row : minimum,
  );
  return `${best.audit.id ?? ''} is (${upperText(epsilon.epsilon)}, ${givenText(problem.delta)})-differentially private by exact accounting, with an expected regret of at most ${mostText(best.regret)}.${than} ${guessText(plan)}${vacuous}.`;
}

/** A learner that is better than the best parameters, where one is proved to be. */
const insteadText = ({ problem, instead }: Plan): string | null =>
  instead &&
  `Use ${instead.id} instead: it is (${givenText(problem.epsilon)}, ${givenText(problem.delta)})-differentially private too, with an expected regret of at most ${mostText(instead.regret)}.`;

/** Learners of the block beside L2P, and what stands of each. */
const othersText = ({ problem }: Plan): string =>
  problem.problem === 'ope'
    ? 'Other learners: perturbed-leader plays the expert with the smallest noisy sum of losses; the Gaussian noise is by a binary tree or by the square root of the matrix of sums; afkt23 has a published rate, here with constant 1, which is not a bound; no-privacy is Hedge, which is not private.'
    : 'Other learners: regularised-leader adds Gaussian noise to sums of gradients, from a binary tree or by the square root of the matrix of sums; akst23 has a published rate, here with constant 1, which is not a bound; no-privacy is gradient descent, which is not private.';

/** In sentences: what is best, why, and what gives no parameters. */
const planStatement = (plan: Plan): string[] => [
  bestText(plan),
  ...[insteadText(plan)].filter((text) => text !== null),
  ...(plan.best?.chosen ? [choiceText(plan.best)] : []),
  'The safe regret is an upper bound on the expected regret against losses fixed in advance. What the paper claims of parameters is in lazy audit.',
  othersText(plan),
  ...plan.missing.map(missingText),
];

const TARGET = { epsilon: GIVEN, delta: GIVEN };

const ROW = object({
  id: TEXT,
  ...SETTING,
  measure: MEASURE,
  delta1: orNull(GIVEN),
  delta0: orNull(GIVEN),
  accounting: ACCOUNTING,
  meetsTarget: FLAG,
  regret: object({ safe: SAFE }),
  chosen: orNull(
    object({
      limit: choice('privacy', 'regret', 'one-batch'),
      others: list(object({ parameter: choice('batch', 'c'), value: NUMBER, regret: NUMBER })),
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
  deviation: described('a bound on the noise of a sum, in each coordinate; null if there is none', orNull(GIVEN)),
});

const PRINTED = { batch: 'batch', switchRate: 'c' } as const;

/** A plan. */
export const PLAN = object({
  result: always('plan'),
  input: oneOf(
    object({ problem: is('ope'), rounds: COUNT, experts: COUNT, ...TARGET }),
    object({ problem: is('oco'), rounds: COUNT, dimension: COUNT, lipschitz: GIVEN, diameter: GIVEN, ...TARGET }),
  ),
  rows: list(ROW),
  best: orNull(TEXT),
  guessing: described('the expected regret of a learner that reads no losses', SAFE),
  others: described('learners that are not L2P', list(OTHER)),
  instead: described(
    'the private learner that reads losses and has a smaller proved regret than the best parameters and than guessing',
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
    regret: { safe: { upper: regret } },
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

const idOf = ({ audit }: PlanRow): string => audit.id ?? '';

function parameters({ rows, best }: Plan): Block {
  const isConvex = rows.some(({ audit }) => audit.measure.type === 'regularised-multiplicative-weights');
  const own = (name: 'beta' | 'lambda'): Column<PlanRow> => [
    name,
    ({ audit: { measure } }) =>
      measure.type === 'regularised-multiplicative-weights' ? parameterText(measure[name]) : '',
  ];
  const withoutY: Column<PlanRow> = [
    'c',
    ({ audit: { setting } }) => (isWithoutY(setting) ? parameterText(setting.switchRate) : ''),
  ];
  return table(rows, [
    ['parameters', idOf, { best: (row) => row === best, titled: true }],
    ['B', ({ audit }) => grouped(audit.setting.batch)],
    ['eta', ({ audit }) => parameterText(audit.setting.eta)],
    ['p', ({ audit: { setting } }) => (isWithoutY(setting) ? '' : probabilityText(setting.fakeSwitch))],
    ...(isConvex ? [own('beta'), own('lambda')] : [withoutY]),
  ]);
}

const HEADS = { 'randomized-response': 'RR steps', 'bounded-range': 'BR steps', gaussian: 'Gaussian' } as const;

function privacy({ rows, best }: Plan): Block {
  const exact = (rows[0]?.audit.accounting ?? []).map(({ resampling }, at): Column<PlanRow> => {
    return [HEADS[resampling], ({ audit }) => mostText(audit.accounting[at]!.epsilon.upper)];
  });
  return table(rows, [
    ['epsilon', idOf, { best: (row) => row === best, titled: true }],
    ...exact,
    ['target met', ({ meetsTarget }) => (meetsTarget ? 'yes' : 'no')],
    ['safe regret', ({ regret }) => mostText(regret)],
  ]);
}

const PRIVACY = { 'reads-nothing': 'yes', target: 'yes', none: 'no' } as const satisfies Record<
  AlternativePrivacy,
  string
>;

const otherLearners = ({ others, instead }: Plan): Block =>
  table(others, [
    ['other learners', ({ id }) => id, { best: (other) => other === instead, titled: true }],
    ['B', (other) => (other.kind === 'proved' && other.noise ? grouped(other.noise.batch) : '')],
    ['meets target', (other) => (other.kind === 'rate' ? 'claimed' : PRIVACY[other.privacy])],
    ['rate only', (other) => (other.kind === 'rate' ? aboutText(other.value) : '')],
    ['safe regret', (other) => (other.kind === 'proved' ? mostText(other.regret) : '')],
  ]);

/** Parameters for a target, with what they cost in privacy and in regret. */
export function lazyPlanOutput(plan: Plan): Output {
  const { problem, rows, missing, best, guessing, others, instead } = plan;
  return {
    page: () => [
      lazyHeading(problemText(problem)),
      parameters(plan),
      privacy(plan),
      otherLearners(plan),
      ...planStatement(plan).map(paragraph),
    ],
    json: (version) =>
      lazyText(
        PLAN,
        {
          input: problem,
          rows: rows.map((row) => rowOf(row, problem)),
          best: best?.audit.id ?? null,
          guessing: { upper: guessing },
          others: others.map(otherOf),
          instead: instead?.id ?? null,
          missing: missing.map(({ id, reason, fakeSwitch }) => ({ id, code: reason, p: fakeSwitch })),
        },
        version,
      ),
  };
}
