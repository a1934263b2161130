import * as z from 'zod/mini';
import { Decimal } from '../../numeric/decimal.ts';
import { roundedDecimal, type Rational } from '../../numeric/rational.ts';
import type { FinitePairMechanism, TradeOffPoint } from '../../privacy/mechanism.ts';
import type { Corner, TradeOffFault } from '../../privacy/trade-off.ts';
import { isPair, tradeOffPair, tradeOffPoints, type TradeOffFaults } from '../../privacy/trade-off.ts';
import { issueOf, probabilityOfOutcome, published, typeOneError, typeTwoError } from '../core/fields.ts';
import { atMost } from '../core/forms.ts';
import type { Path, Problem } from '../core/input-error.ts';
import { shorten } from '../core/quote.ts';
import { alias, common, writtenType } from './written-type.ts';

/** More outcomes than this are too many for exact curves; longer lists are not looked into. */
const MAX_OUTCOMES = 200;

const ONE = new Decimal(1);

/** The problem of the sum of probabilities, each from 0 to 1; null if it is 1. */
function sumProblem(name: string, values: readonly Decimal[]): Problem | null {
  const sum = values.reduce((total, value) => total.plus(value), new Decimal(0));
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
    .array(probabilityOfOutcome)
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
      atMost(MAX_OUTCOMES, name, 'probabilities', 'Merge outcomes whose probabilities have the same ratio.'),
      summingToOne,
    )
    .register(published, {
      description: 'The probability of each outcome: numbers from 0 to 1 that sum to exactly 1.',
      maxItems: MAX_OUTCOMES,
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
      direction: z._default(z.enum(['either', 'fixed']), 'either'),
      ...common,
    })
    .check(sameOutcomes)
    .register(published, {
      description:
        'A mechanism whose outcome has distribution p on one data set and q on its neighbour, outcome by outcome; direction says whether neighbours may stand in either order, mechanism by mechanism, or in one order throughout.',
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

/** Longer lists are not looked into. */
const MAX_POINTS = 200;

const FEWER = 'Write the crossings of fewer lines below the function.';

/** Digits to which quotients are told. */
const DIGITS = 20;

const decimalText = (value: Decimal | undefined): string => shorten(String(value));
const rationalText = (value: Rational): string => decimalText(roundedDecimal(value, DIGITS, 'down'));
const cornerText = ({ alpha, beta }: Corner): string => `(${rationalText(alpha)}, ${rationalText(beta)})`;

interface Trouble {
  readonly problem: Problem;
  readonly path: Path;
}

/** What is wrong with points, in words. */
function troubleOf(fault: TradeOffFaults[number], points: readonly TradeOffPoint[]): Trouble {
  switch (fault.rule) {
    case 'too-many-outcomes': {
      const message = `points must give a pair of at most ${fault.most} outcomes, got ${fault.outcomes}`;
      return { problem: { code: 'out-of-range', message, hint: FEWER }, path: [] };
    }
    case 'too-many-digits': {
      const message = `points must cross their mirror image in numbers of at most ${fault.most} decimal places`;
      const hint = 'Write points of fewer digits, below these.';
      return { problem: { code: 'too-many-digits', message, hint }, path: [] };
    }
    case 'above-diagonal':
    case 'not-ascending':
    case 'rising':
    case 'not-convex':
      return troubleOfPoint(fault, points[fault.index]!, points[fault.index - 1]);
  }
}

function troubleOfPoint(
  fault: TradeOffFault,
  { alpha, beta }: TradeOffPoint,
  before: TradeOffPoint | undefined,
): Trouble {
  const at = (key: 'alpha' | 'beta', message: string, hint: string): Trouble => ({
    problem: { code: 'no-trade-off', message, hint },
    path: [fault.index, key === 'alpha' ? 0 : 1],
  });
  const [x, y] = [decimalText(alpha), decimalText(beta)];
  switch (fault.rule) {
    case 'above-diagonal':
      return at(
        'beta',
        `beta must be at most 1 - alpha, got ${y} at alpha ${x}`,
        'Lower one of them: a guess that looks at nothing has beta = 1 - alpha.',
      );
    case 'not-ascending':
      return before?.alpha.eq(alpha) === true
        ? at('alpha', `every alpha must stand once, got ${x} again`, 'Keep the point with the smaller beta.')
        : at(
            'alpha',
            `points must stand by ascending alpha, got ${x} after ${decimalText(before?.alpha)}`,
            'Sort them.',
          );
    case 'rising':
      return at(
        'beta',
        `beta must be at most that of the point before, got ${y} after ${decimalText(before?.beta)}`,
        'Lower it: tests that may err more often one way need not err more often the other way.',
      );
    case 'not-convex': {
      const line = fault.between.map(cornerText).join(' to ');
      return at(
        'beta',
        `points must be convex: beta at alpha ${x} must be at most ${rationalText(fault.most)}, as on the line from ${line}, got ${y}`,
        'Lower it, or leave this point out.',
      );
    }
  }
}

const isPoint = (value: unknown): value is [Decimal, Decimal] =>
  Array.isArray(value) && value.length === 2 && value.every((each) => Decimal.isDecimal(each));

type Pairs = readonly (readonly [Decimal, Decimal])[];

const known = new WeakMap<Pairs, readonly TradeOffPoint[]>();

/** The points that validated pairs are, the same list for the same pairs. */
function pointsOf(pairs: Pairs): readonly TradeOffPoint[] {
  const points = known.get(pairs) ?? pairs.map(([alpha, beta]) => ({ alpha, beta }));
  known.set(pairs, points);
  return points;
}

const corners = z
  .array(z.tuple([typeOneError, typeTwoError]))
  .check(z.minLength(1))
  .check(
    z.check(
      ({ value, issues }) => {
        if (!value.every(isPoint)) return;
        const points = pointsOf(value);
        const found = tradeOffPair(points);
        if (isPair(found)) return;
        for (const fault of found) {
          const { problem, path } = troubleOf(fault, points);
          issues.push(issueOf(problem, value, [...path]));
        }
      },
      { when: ({ value }) => Array.isArray(value) && value.length > 0 },
    ),
  );

const points = z.pipe(atMost(MAX_POINTS, 'points', 'pairs', FEWER), corners).register(published, {
  description:
    'Pairs [alpha, beta], the corners of the function: alpha ascending from 0 to 1, beta convex and at most 1 - alpha; [0, 1] and [1, 0] may be left out.',
  maxItems: MAX_POINTS,
});

/** f-DP for the trade-off function f that is straight between its points, as the finite pair that dominates it. */
export const tradeOff = alias({
  schema: z.strictObject({ type: z.literal('trade-off'), points, ...common }).register(published, {
    description:
      'f-differential privacy: for all neighbours, in both orders, tests of type I error alpha have a type II error of at least f(alpha), f being straight between its points. Between points of a smooth curve the lines are above it, and promise more: write the crossings of lines below it.',
  }),
  mechanismOf({ points }) {
    const pair = tradeOffPair(pointsOf(points));
    if (!isPair(pair)) throw new Error('A validated entry has a mistake.');
    return pair;
  },
});
