import type { LowerBound, UpperBound } from '../../numeric/enclosure.ts';
import { ascending } from '../../numeric/ascending.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { smallestDelta, type Profiles } from '../risk/profile.ts';

/** Both ends of a value. Of a trade-off function the lower one is the claim, of a profile the upper one; null: not known. */
export interface Ends {
  readonly lower: LowerBound | null;
  readonly upper: UpperBound | null;
}

const smallest = (a: UpperBound | null, b: UpperBound | null): UpperBound | null =>
  a === null || (b !== null && b < a) ? b : a;

const largest = (a: LowerBound | null, b: LowerBound | null): LowerBound | null =>
  a === null || (b !== null && b > a) ? b : a;

/**
 * Ends of a quantity that falls along its points, or stays: what bounds it from above at a point does so at all later
 * ones, and what bounds it from below at all earlier ones.
 */
export function falling(points: readonly Ends[]): readonly Ends[] {
  let [upper, lower]: [UpperBound | null, LowerBound | null] = [null, null];
  const uppers = points.map((point) => (upper = smallest(upper, point.upper)));
  const lowers = points.toReversed().map((point) => (lower = largest(lower, point.lower)));
  return points.map((point, at) => ({
    // Where an end is not known, no other point makes it known: it would be far from the truth.
    lower: point.lower === null ? null : lowers[points.length - 1 - at]!,
    upper: point.upper === null ? null : uppers[at]!,
  }));
}

type Scale = 'linear' | 'log';

/** How axes are divided. */
export interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

const decimals = (...values: readonly (number | string)[]): readonly Decimal[] =>
  values.map((value) => new Decimal(value));

/** Where tests are judged: small rates apart, as trade-off functions bend most near both ends. */
const RATES = decimals(...[0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1]);

/** For logarithmic axes, from a millionth on. */
const SMALL = decimals('1e-6', '1e-5', '1e-4', '0.001', '0.01', '0.02', '0.05', '0.1', '0.2', '0.5');

const ONE = new Decimal(1);

/** Usual false-positive rates: near 0 on a logarithmic axis of them, near 1 where that of false-negative rates is. */
export function usualRates({ x, y }: Scales): readonly Decimal[] {
  const lower = x === 'log' ? SMALL : RATES.filter((rate) => rate.lte('0.5'));
  const upper = y === 'log' ? SMALL.map((rate) => ONE.minus(rate)) : RATES.filter((rate) => rate.gt('0.5'));
  return ascending([...lower, ...upper]);
}

/** Deltas below this are seldom asked for. */
const LEAST_DELTA = 1e-10;

/** Epsilons at which a profile may end: 0.01, 0.02, 0.05, 0.1, ... 1,000. */
const ENDS = [-2, -1, 0, 1, 2].flatMap((power) => decimals(`1e${power}`, `2e${power}`, `5e${power}`));
const LAST = new Decimal(1000);

/** The first of round epsilons at which all deltas are small, or hardly larger than far from there. */
export function farEpsilon(all: readonly Profiles[]): Decimal {
  const ends = all.map((profiles) => {
    const enough = Math.max(LEAST_DELTA, 1.01 * smallestDelta(profiles, LAST).upper);
    return ENDS.find((epsilon) => smallestDelta(profiles, epsilon).upper <= enough) ?? LAST;
  });
  return Decimal.max(...ends);
}

/** So many epsilons from 0 to the last. */
const STEPS = 20;

/** Usual epsilons up to `to`; on a logarithmic axis from a thousandth of it on. */
export const usualEpsilons = (to: Decimal, scale: Scale): readonly Decimal[] =>
  Array.from({ length: STEPS + 1 }, (_, index) =>
    scale === 'linear'
      ? to.times(index).div(STEPS)
      : new Decimal(to.times(new Decimal(10).pow((3 * (index - STEPS)) / STEPS)).toSignificantDigits(3)),
  );

/** How far a line may be from its chord, as a part of the axis, before a point is added between. */
const VISIBLE = 1 / 1500;
/** How often a stretch between two values is halved at most, and how many points there may be in all. */
const DEEPEST = 7;
const MOST = 160;
/** Digits of a value between two others. */
const DIGITS = 6;

function between(a: Decimal, b: Decimal, scale: Scale): Decimal {
  const middle = scale === 'linear' || a.lte(0) ? a.plus(b).div(2) : a.times(b).sqrt();
  return new Decimal(middle.toSignificantDigits(DIGITS));
}

/** Values with others between them where a line would visibly leave the chords between its points. */
export function refined(
  line: (value: Decimal) => number,
  values: readonly Decimal[],
  { x, y }: Scales,
): readonly Decimal[] {
  const height = (value: Decimal): number => (y === 'linear' ? line(value) : Math.log10(line(value)));
  const heights = values.map(height).filter((each) => Number.isFinite(each));
  const visible = VISIBLE * (Math.max(...heights) - Math.min(...heights));
  const across = (value: Decimal): number => (x === 'linear' ? value.toNumber() : Math.log10(value.toNumber()));
  let room = MOST - values.length;
  const inside = (a: Decimal, b: Decimal, depth: number): Decimal[] => {
    if (depth === 0 || room <= 0) return [];
    const middle = between(a, b, x);
    if (middle.lte(a) || middle.gte(b)) return [];
    const share = (across(middle) - across(a)) / (across(b) - across(a));
    const bend = height(a) + share * (height(b) - height(a)) - height(middle);
    if (!(Math.abs(bend) > visible)) return [];
    room--;
    return [...inside(a, middle, depth - 1), middle, ...inside(middle, b, depth - 1)];
  };
  return values.flatMap((value, index) =>
    index === 0 ? [value] : [...inside(values[index - 1]!, value, DEEPEST), value],
  );
}
