import { decimalFromDouble, Decimal, exactUpper, toUpper } from '../../numeric/decimal.ts';
import { asLower, exactly, asUpper, type Enclosure, type LowerBound, type Bracket } from '../../numeric/enclosure.ts';
import { exponential, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import type { Profile } from './profile.ts';
import { approximateQuantile } from '../../numeric/normal.ts';
import type { Answer } from '../core/outcome.ts';

/** Epsilons at which a claim is looked at first, whatever is asked of it: 0, and 0.01 to about 75. */
export const FIRST_EPSILONS: readonly number[] = [0, ...Array.from({ length: 23 }, (_, index) => 0.01 * 1.5 ** index)];

const FARTHEST = FIRST_EPSILONS.at(-1)!;

/** Parabolas between the neighbours of the best of them; fewer where a rate is only looked at. */
const STEPS = 6;
const FEW_STEPS = 2;
/** A relative width from which on it is. */
const ROUGH = 0.01;

const stepsFor = (tolerance: number): number => (tolerance >= ROUGH ? FEW_STEPS : STEPS);

/** A part of the bracket from its ends, nearer to which a step tells little. */
const INSIDE = 0.02;
const GOLDEN = (3 - Math.sqrt(5)) / 2;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where the parabola through three points is lowest; NaN where it is not. */
function vertex(a: Point, b: Point, c: Point): number {
  const [left, right] = [(b.x - a.x) * (b.y - c.y), (b.x - c.x) * (b.y - a.y)];
  return b.x - ((b.x - a.x) * left - (b.x - c.x) * right) / (2 * (left - right));
}

/** These of the first epsilons are looked at before all others. */
const FIRST_LOOKED: readonly number[] = [0, 4, 8, 12];
/** Upper ends of a delta that falls fall too, but for what they are wide. */
const NEARLY = 0.99;

/**
 * The smallest value found of a function of epsilon >= 0 that need not be convex, as that of the claims of several
 * theorems, or of one that is not the best. For choosing a line where each holds: any of its values may stand for all.
 * Epsilons are passed over where the value cannot be smaller: delta is at least 0, and what it is at a larger epsilon.
 *
 * @param valueAt - the value at an epsilon with a delta, with which it rises
 */
function smallestFound(profile: Profile, valueAt: (epsilon: number, delta: number) => number, steps: number): number {
  const deltas = new Map<number, number>();
  const value = (epsilon: number): number => {
    const { upper } = profile.delta(decimalFromDouble(epsilon));
    deltas.set(epsilon, upper);
    return valueAt(epsilon, upper);
  };
  const atLeast = (epsilon: number): number => {
    const larger = [...deltas].map(([other, delta]) => (other > epsilon ? NEARLY * delta : 0));
    return valueAt(epsilon, Math.max(0, ...larger));
  };
  // At the largest loss delta comes to 0, or to a failure: a kink, which no parabola finds.
  const kink = profile.largest <= FARTHEST && !FIRST_EPSILONS.includes(profile.largest) ? [profile.largest] : [];
  const points = [...FIRST_EPSILONS, ...kink]
    .sort((a, b) => a - b)
    .map((x): { readonly x: number; y: number } => ({ x, y: Infinity }));
  const lowest = (): number => points.reduce((best, { y }, index) => (y < points[best]!.y ? index : best), 0);
  const left = new Set(points.keys());
  const look = (index: number): void => {
    const point = points[index]!;
    left.delete(index);
    // Far out delta is costly, and tells nothing.
    if (atLeast(point.x) < points[lowest()]!.y) point.y = value(point.x);
  };
  FIRST_LOOKED.forEach(look);
  while (left.size > 0) {
    const best = lowest();
    look([...left].reduce((a, b) => (Math.abs(b - best) < Math.abs(a - best) ? b : a)));
  }
  const at = lowest();
  let middle: Point = points[at]!;
  // Beside the lowest, what was passed over shows how the value bends, unless that is too high whatever delta is.
  const beside = ({ x, y }: Point): Point => ({
    x,
    y: valueAt(x, 0) >= middle.y ? Infinity : y < Infinity ? y : value(x),
  });
  let [from, to] = [points[at - 1], points[at + 1]].map((point) => point && beside(point));
  for (let step = 0; step < steps && from !== undefined && to !== undefined; step++) {
    const vertexX = vertex(from, middle, to);
    const margin = INSIDE * (to.x - from.x);
    const isUseful = vertexX > from.x + margin && vertexX < to.x - margin && Math.abs(vertexX - middle.x) > margin / 4;
    const isLeft = middle.x - from.x > to.x - middle.x;
    const x = isUseful ? vertexX : middle.x + GOLDEN * (isLeft ? from.x - middle.x : to.x - middle.x);
    const next: Point = { x, y: value(x) };
    const [lower, other] = next.y < middle.y ? [next, middle] : [middle, next];
    if (other.x < lower.x) from = other;
    else to = other;
    middle = lower;
  }
  return middle.y;
}

/**
 * The largest of e^-eps (rest - delta(eps)) that is found over eps >= 0, of a profile of which only upper ends are known
 * and which need not be that of a pair; at least 0, rounded down. With rest = 1 - alpha, every test with a false-positive
 * rate of at most alpha has at least this false-negative rate, as that is so for each eps.
 *
 * Source: Wasserman, Zhou (2010), Thm 2.4, for the other order of the neighbours, which the profile is about too.
 *
 * @param rest - at most 1 - alpha
 * @param tolerance - how near, relatively, it is to be looked for
 */
export function claimedInverse(profile: Profile, rest: LowerBound, tolerance: number): number {
  const line = (epsilon: number, delta: number): number =>
    Math.max(0, nextDown(exponential(exactly(-epsilon)).lower * nextDown(rest - delta)));
  return -smallestFound(profile, (epsilon, delta) => -line(epsilon, delta), stepsFor(tolerance));
}

/**
 * The smallest of e^eps alpha + delta(eps) and 1 - e^-eps (1 - alpha - delta(eps)) that is found over eps >= 0, of a profile
 * of which only upper ends are known; at most 1, rounded up. No test with a false-positive rate of at most alpha has a larger
 * true-positive rate: all of these hold, as the profile is about either order of the neighbours, and the second is the
 * first of the other order, whose trade-off function is the inverse. The claims of several theorems together need not be
 * convex in e^eps, so that they are looked for everywhere.
 *
 * Source: Wasserman, Zhou (2010), Thm 2.4.
 *
 * @param tolerance - as of {@link claimedInverse}
 */
export function claimedRate(profile: Profile, alpha: Enclosure, tolerance: number): number {
  const direct = (epsilon: number, delta: number): number =>
    nextUp(multiply(exponential(exactly(epsilon)), alpha).upper + delta);
  const inverse = claimedInverse(profile, asLower(nextDown(1 - alpha.upper)), tolerance);
  return Math.min(1, smallestFound(profile, direct, stepsFor(tolerance)), nextUp(1 - inverse));
}

const [LEAST, MOST] = [1e-300, 1 - Number.EPSILON / 2];

/** About the x beyond which a normal variable is with probability p. */
const quantile = (p: number): number => -approximateQuantile(Math.min(MOST, Math.max(LEAST, p)));

/**
 * About the epsilon at which e^epsilon alpha + delta(epsilon) is smallest, for the Gaussian profile of a mu: mu z - mu^2 / 2
 * where P(N > z) = alpha. Profiles of many mechanisms together are near it. For choosing a line where any is sound: no
 * error bound is given.
 *
 * Source: Dong, Roth, Su (2022), Eq 6: the test that rejects beyond z has the likelihood ratio e^(mu z - mu^2 / 2) there.
 */
const lineOf = (mu: number, alpha: Decimal): Decimal =>
  decimalFromDouble(mu * quantile(alpha.toNumber()) - (mu * mu) / 2);

/** That line of the Gaussian profile whose true-positive rate is `rate` at alpha: P(N > z - mu). */
export const gaussianLineOf = (alpha: Decimal, rate: Decimal): Decimal =>
  lineOf(quantile(alpha.toNumber()) - quantile(rate.toNumber()), alpha);

const DIGITS = 60;
const Down = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_FLOOR });
const Up = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_CEIL });

/** e^-x in decimals is 0 beyond this. */
const LARGEST = 1e6;

const unknown: Bracket = { lower: null, upper: asUpper(1) };

/**
 * The smallest delta that (epsilon, delta) alone proves at another epsilon' at least 0: delta from epsilon on, and below it
 * 1 - (1 - delta) (1 + e^epsilon') / (1 + e^epsilon), where neighbouring is symmetric. Upper ends only.
 *
 * Source: Kairouz, Oh, Viswanath (2015), Theorem 2.1 (the region of the errors of a test; its corners are on that line).
 */
export function claimedProfile({ epsilon, delta }: Pick<Answer, 'epsilon' | 'delta'>): Profile {
  const [claimed, failure] = [exactUpper(epsilon), exactUpper(delta)];
  const at = (other: Decimal): Bracket => {
    if (!claimed.isFinite() || failure.gte(1)) return unknown;
    if (other.gte(claimed)) return { lower: null, upper: toUpper(failure) };
    if (other.isNegative() || claimed.gt(LARGEST)) return unknown;
    const below = new Down(new Down(other).exp()).plus(1);
    const above = new Up(new Up(claimed).exp()).plus(1);
    const share = new Down(new Down(1).minus(failure)).times(below).div(above);
    return { lower: null, upper: toUpper(Decimal.min(1, new Up(1).minus(share))) };
  };
  return { delta: at, largest: Infinity };
}
