import type { RateId, RateRow, RatesQuestion, RateTable } from '../../learning/rates/rates.ts';
import type { LowerBound42, LowerBoundCondition } from '../../learning/theorems/theorem-4-2.ts';
import { always, choice, described, is, list, object, oneOf, orNull, type ValueOf } from '../kit/codec.ts';
import { COUNT, FINITE, FLAG, GIVEN, NUMBER, TEXT } from '../kit/codecs.ts';
import { givenText } from '../kit/number.ts';
import { paragraph, type Output } from '../kit/page.ts';
import { counted, grouped } from '../kit/prose.ts';
import { csvText, table, type Column } from '../kit/table.ts';
import { CLAIMED, lazyText, aboutText, lazyHeading } from './words.ts';

const PROBLEM = choice('ope', 'oco');

const QUESTION = oneOf(
  object({
    kind: is('exponents'),
    problem: PROBLEM,
    gamma: FINITE,
    exact: described('gamma as a decimal or a quotient', object({ gamma: TEXT })),
    alpha: list(GIVEN),
  }),
  object({ kind: is('rates'), problem: PROBLEM, rounds: COUNT, size: COUNT, epsilon: list(GIVEN) }),
);

/** Regret rates; `values` in the order of alpha or epsilon. */
export const RATES = object({
  result: always('rates'),
  input: QUESTION,
  rows: list(
    object({
      id: TEXT,
      status: choice('claimed', 'derived', 'other'),
      formula: TEXT,
      source: TEXT,
      values: list(NUMBER),
      freeUntil: orNull(NUMBER),
    }),
  ),
});

function questionOf(question: RatesQuestion): ValueOf<typeof QUESTION> {
  if (question.kind === 'rates') return { ...question, epsilon: question.at };
  const { value, text } = question.gamma;
  return { ...question, gamma: value, exact: { gamma: text }, alpha: question.at };
}

/** The lower bound on regret. */
export const LOWER_BOUND = object({
  result: always('lower-bound'),
  input: object({ rounds: COUNT, experts: COUNT, epsilon: GIVEN }),
  status: CLAIMED,
  conditions: list(object({ id: TEXT, stated: FLAG, value: NUMBER, least: NUMBER, holds: FLAG })),
  construction: object({
    switches: NUMBER,
    epochs: NUMBER,
    epoch: NUMBER,
    epochLoss: NUMBER,
    logInverseDelta: NUMBER,
  }),
  terms: object({ free: NUMBER, privacy: NUMBER }),
  explicit: NUMBER,
});

/** The problems in words. */
export const NAMES = { ope: 'prediction from experts', oco: 'convex optimization' } as const;

/** d as a power of T. */
export function sizeText(gamma: string): string {
  if (gamma === '0') return 'd = polylog T';
  if (gamma === '1') return 'd = T';
  return `d = T^${gamma.includes('/') ? `(${gamma})` : gamma}`;
}

function headingText(question: RatesQuestion): string {
  const what = NAMES[question.problem];
  return question.kind === 'exponents'
    ? `Regret exponents beta of ${what}: T^beta for epsilon = T^-alpha, ${sizeText(question.gamma.text)}`
    : `Regret rates of ${what} with constant 1: T ${grouped(question.rounds)}, d ${grouped(question.size)}`;
}

const L2P: Readonly<Partial<Record<RateId, string>>> = { l2p: 'L2P, claimed', 'l2p-safe': 'L2P, as proved here' };

function sourceText({ rate: { id, source } }: RateRow): string {
  const name = L2P[id];
  return name === undefined ? source : `${name} [${source}]`;
}

/** Up to which alpha privacy costs nothing, by each rate that depends on it. */
function free(rows: readonly RateRow[]): string {
  const privateRows = rows.filter(({ rate }) => rate.id !== 'non-private');
  const texts = privateRows.map(({ rate, freeUntil }) =>
    freeUntil === null ? `${rate.id} nowhere` : `${rate.id} up to alpha ${aboutText(freeUntil)}`,
  );
  return `The exponent is 1/2, as without privacy: ${texts.join(', ')}.`;
}

/** Regret rates: one row for each alpha or epsilon, and where each comes from. */
function ratesOutput({ question, rows }: RateTable): Output {
  const isOfExponents = question.kind === 'exponents';
  const along = isOfExponents ? 'alpha' : 'epsilon';
  const all = Array.from(question.at.keys());
  return {
    page: () => [
      lazyHeading(headingText(question)),
      table(all, [
        [along, (at) => givenText(question.at[at]!), { titled: true }],
        ...rows.map(({ rate, values }): Column<number> => [rate.id, (at) => aboutText(values[at] ?? NaN)]),
      ]),
      table(rows, [
        ['rate', ({ rate }) => rate.id, { titled: true }],
        ['formula', ({ rate }) => rate.formula],
        ['source', sourceText],
      ]),
      paragraph(isOfExponents ? free(rows) : null),
      paragraph(
        `Factors that are logarithmic in T or 1/delta are left out, and ${isOfExponents ? 'no exponent is above 1' : 'no rate is above T'}.${question.problem === 'ope' ? ' The second rate of afkt23 is printed without its factor in d: ln d is put in.' : ''} l2p rests on Proposition 3.3 of the paper, which is not proved; l2p-safe is the rate of the safe regret of lazy plan, ${question.problem === 'ope' ? 'perturbed-leader' : 'regularised-leader'} that of the leaders with noise among its other learners.`,
      ),
    ],
    json: (version) =>
      lazyText(RATES, { input: questionOf(question), rows: rows.map((row) => ({ ...row.rate, ...row })) }, version),
    csv: () =>
      csvText(all, [
        [along, (at) => question.at[at]!.toString()],
        ...rows.map(({ rate, values }) => [rate.id, (at: number) => values[at] ?? null] as const),
      ]),
  };
}

const CONDITION: Readonly<Record<LowerBoundCondition['id'], string>> = {
  epsilon: 'epsilon >= 100 ln(d T)^(3/2) / T',
  conversion: 'epsilon >= 27 ln(T^3 d)^(3/2) / T',
  experts: 'd >= 28',
  epoch: 'epochs of a round or more',
};

function conclusion({ conditions, explicit, terms }: LowerBound42): string {
  const failing = conditions.filter(({ holds }) => !holds);
  if (failing.some(({ stated }) => stated)) {
    return 'The condition of Theorem 4.2 fails: it says nothing here.';
  }
  const claim = `Theorem 4.2 claims a regret of Omega(${aboutText(terms.free)} + ${aboutText(terms.privacy)}) for every epsilon^2-concentrated DP algorithm that keeps or resamples its model, and reveals when`;
  const constant =
    explicit > 0
      ? `, and the last line of its proof at least ${aboutText(explicit)}`
      : ', and the last line of its proof nothing';
  const gaps =
    failing.length === 0
      ? ''
      : ` But ${failing.length === 1 ? 'a condition' : 'conditions'} that its proof needs and its statement does not have ${failing.length === 1 ? 'fails' : 'fail'}.`;
  return `${claim}${constant}.${gaps}`;
}

/** The lower bound with its conditions: a claim. */
function lowerBoundOutput(bound: LowerBound42): Output {
  const { problem, conditions, switches, epochs, epoch, epochLoss, terms, explicit } = bound;
  const construction = [
    ['S_adv = (T epsilon)^(2/3)', switches],
    ['E = S_adv^2 epochs', epochs],
    ['B = T / E rounds each', epoch],
    ['least loss of an epoch (Lemma 4.4)', epochLoss],
    ['sqrt T', terms.free],
    ['T^(1/3) / epsilon^(2/3)', terms.privacy],
    ['T^(1/3) / epsilon^(2/3) - 3 sqrt(ln(T^3 d)) / (2 epsilon) - 1', explicit],
  ] as const;
  return {
    page: () => [
      lazyHeading(
        `Regret of lazy prediction from ${grouped(problem.experts)} experts, ${counted(problem.rounds, 'round')}, ${givenText(problem.epsilon)}^2-concentrated DP`,
      ),
      table(conditions, [
        ['condition', ({ id }) => CONDITION[id], { titled: true }],
        ['of', ({ stated }) => (stated ? 'the theorem' : 'its proof')],
        ['value', ({ value }) => aboutText(value)],
        ['at least', ({ least }) => aboutText(least)],
        ['holds', ({ holds }) => (holds ? 'yes' : 'NO')],
      ]),
      table(construction, [
        ['construction', ([name]) => name, { titled: true }],
        ['value', ([, value]) => aboutText(value)],
      ]),
      paragraph(conclusion(bound)),
      paragraph(
        'It is not proved here: the published proof assumes that the loss of the best expert is exactly T/2 - sqrt(E) B, and its chain rule for conditional divergences is informal.',
      ),
    ],
    json: (version) => lazyText(LOWER_BOUND, { ...bound, input: problem, construction: bound }, version),
    csv: () => csvText(conditions, ['id', 'stated', 'value', 'least', 'holds']),
  };
}

/** Regret rates, or the lower bound. */
export const lazyRatesOutput = (answer: RateTable | LowerBound42): Output =>
  'conditions' in answer ? lowerBoundOutput(answer) : ratesOutput(answer);
