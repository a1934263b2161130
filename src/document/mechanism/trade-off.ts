import * as z from 'zod/mini';
import { Decimal } from '../../numeric/decimal.ts';
import { roundedDecimal, type Rational } from '../../numeric/rational.ts';
import type { TradeOffPoint } from '../../privacy/mechanism.ts';
import { isPair, tradeOffPair, type Corner, type TradeOffFault, type TradeOffFaults } from '../../privacy/trade-off.ts';
import { issueOf, published, typeOneError, typeTwoError } from '../core/fields.ts';
import type { Path, Problem } from '../core/input-error.ts';
import { atMost } from '../core/lists.ts';
import { shorten } from '../core/quote.ts';
import { alias, common } from './written-type.ts';

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
