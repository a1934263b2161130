import * as z from 'zod/mini';
import { Decimal, ONE, ZERO } from '../../numeric/decimal.ts';
import { DIRECTIONS, type FinitePairMechanism, type TradeOffPoint } from '../../privacy/mechanism.ts';
import {
  MOST_OUTCOMES,
  MOST_POINTS,
  OUTCOME,
  TYPE_ONE_ERROR,
  TYPE_TWO_ERROR,
} from '../../privacy/mechanisms/parameters.ts';
import { isPair, tradeOffPair, tradeOffPoints } from '../../privacy/trade-off.ts';
import { issueOf, numberField, published } from '../core/fields.ts';
import { atMost } from '../core/forms.ts';
import type { Problem } from '../core/input-error.ts';
import { shorten } from '../core/quote.ts';
import { FEWER_POINTS, tradeOffTrouble } from './trade-off-faults.ts';
import { alias, common, writtenType } from './written-type.ts';

/** The problem of the sum of probabilities, each from 0 to 1; null if it is 1. */
function sumProblem(name: string, values: readonly Decimal[]): Problem | null {
  const sum = values.reduce((total, value) => total.plus(value), ZERO);
  if (sum.eq(ONE)) return null;
  const last = values.at(-1)?.plus(ONE.minus(sum));
  const fixed = last !== undefined && values.length > 1 && last.gte(0) && last.lte(1);
  return {
    code: 'wrong-sum',
    message: `${name} must sum to exactly 1, got ${shorten(sum.toString())}`,
    hint: fixed
      ? `Correct the probabilities; with the others as they are, the last would be ${shorten(last.toString())}.`
      : 'Write the probability of every outcome, as exact decimals.',
  };
}

/** A list of probabilities, one for each outcome, that sum to exactly 1. */
function distribution(name: 'p' | 'q') {
  const summingToOne = z
    .array(numberField(OUTCOME))
    .check(z.minLength(1))
    .check(
      z.check(
        ({ value, issues }) => {
          if (!value.every((item) => Decimal.isDecimal(item))) return;
          const problem = sumProblem(name, value);
          if (problem !== null) issues.push(issueOf(problem, value));
        },
        { when: ({ value }) => Array.isArray(value) && value.length > 0 },
      ),
    );
  return z
    .pipe(
      atMost(MOST_OUTCOMES, name, 'probabilities', 'Merge outcomes whose probabilities have the same ratio.'),
      summingToOne,
    )
    .register(published, {
      description: 'The probability of each outcome: numbers from 0 to 1 that sum to exactly 1.',
      maxItems: MOST_OUTCOMES,
    });
}

/** Refuses an object whose two lists of probabilities differ in length. */
const sameOutcomes = z.check<Readonly<Record<string, unknown>>>(
  ({ value, issues }) => {
    const { p, q } = value;
    if (!Array.isArray(p) || !Array.isArray(q) || p.length === 0 || q.length === 0 || p.length === q.length) return;
    issues.push(
      issueOf(
        {
          code: 'unequal-lengths',
          message: `p and q must list the same outcomes, got ${p.length} in p and ${q.length} in q`,
          hint: 'Give both lists the same order, with 0 for an outcome that cannot happen.',
        },
        value,
      ),
    );
  },
  // Also beside mistakes in single keys: all are reported at once.
  { when: ({ value }) => typeof value === 'object' && value !== null },
);

export const finitePair = writtenType({
  schema: z
    .strictObject({
      type: z.literal('finite-pair'),
      p: distribution('p'),
      q: distribution('q'),
      direction: z._default(z.enum(DIRECTIONS), 'either'),
      ...common,
    })
    .check(sameOutcomes)
    .register(published, {
      description:
        'A mechanism whose outcome has distribution p on one data set and q on its neighbor, outcome by outcome; direction says whether neighbors may stand in either order, mechanism by mechanism, or in one order throughout.',
    }),
  mechanismOf: ({ p, q, direction }) => ({ type: 'finite-pair', p, q, direction }),
  words(pair: FinitePairMechanism, { whole }) {
    const points = tradeOffPoints(pair);
    if (points === null) return `finite pair of ${whole(pair.p.length)} outcomes`;
    return `trade-off function of ${whole(points.length)} ${points.length === 1 ? 'point' : 'points'}`;
  },
  normal(pair: FinitePairMechanism) {
    const points = tradeOffPoints(pair);
    return points && { type: 'trade-off', points: points.map(({ alpha, beta }) => [alpha, beta]) };
  },
});

const isPoint = (value: unknown): value is [Decimal, Decimal] =>
  Array.isArray(value) && value.length === 2 && value.every((error) => Decimal.isDecimal(error));

type Pairs = readonly (readonly [Decimal, Decimal])[];

const pointLists = new WeakMap<Pairs, readonly TradeOffPoint[]>();

/** The points that validated pairs are, the same list for the same pairs. */
function pointsOf(pairs: Pairs): readonly TradeOffPoint[] {
  const points = pointLists.get(pairs) ?? pairs.map(([alpha, beta]) => ({ alpha, beta }));
  pointLists.set(pairs, points);
  return points;
}

const corners = z
  .array(z.tuple([numberField(TYPE_ONE_ERROR), numberField(TYPE_TWO_ERROR)]))
  .check(z.minLength(1))
  .check(
    z.check(
      ({ value, issues }) => {
        if (!value.every(isPoint)) return;
        const points = pointsOf(value);
        const pair = tradeOffPair(points);
        if (isPair(pair)) return;
        for (const fault of pair) {
          const { problem, index, key } = tradeOffTrouble(fault, points);
          issues.push(issueOf(problem, value, index === undefined ? [] : [index, key === 'alpha' ? 0 : 1]));
        }
      },
      { when: ({ value }) => Array.isArray(value) && value.length > 0 },
    ),
  );

const points = z.pipe(atMost(MOST_POINTS, 'points', 'pairs', FEWER_POINTS), corners).register(published, {
  description:
    'Pairs [alpha, beta], the corners of the function: alpha ascending from 0 to 1, beta convex and at most 1 - alpha; [0, 1] and [1, 0] may be left out.',
  maxItems: MOST_POINTS,
});

/** f-DP for the trade-off function f that is straight between its points, as the finite pair that dominates it. */
export const tradeOff = alias({
  schema: z.strictObject({ type: z.literal('trade-off'), points, ...common }).register(published, {
    description:
      'f-differential privacy: for all neighbors, in both orders, a test of type I error alpha has a type II error of at least f(alpha). f is linear between its points. Chords of a smooth curve lie above it and promise too much: give the corners of a polygon below the curve.',
  }),
  mechanismOf({ points }) {
    const pair = tradeOffPair(pointsOf(points));
    if (!isPair(pair)) throw new Error('A validated entry has a mistake.');
    return pair;
  },
});
