import { encloseDecimal } from '../../numeric/decimal.ts';
import { asLower, enclosure, exactly, type Enclosure, type LowerBound } from '../../numeric/enclosure.ts';
import { divide, exponential, logarithm, multiply, subtract } from '../../numeric/enclosure-arithmetic.ts';
import type { Query } from '../../privacy/curve.ts';
import type { Selection } from '../../privacy/mechanism.ts';
import { runCount, type RunCount } from '../../privacy/selection/run-law.ts';
import type { Effort } from '../core/bound.ts';
import { MOST, oneRun, spaced, type RunProfile } from './run-profile.ts';

/** A test of one run that is likeliest under P among those of probability q under Q: under P it has at least p. */
interface Test {
  readonly q: number;
  readonly p: number;
}

/** The delta of one run at e^epsilon = z, from both sides. */
interface Knot {
  readonly epsilon: number;
  readonly z: number;
  readonly lower: number;
  readonly upper: number;
}

/** What is known of the deltas of one run. */
interface Polygon {
  readonly knots: readonly Knot[];
  /** The one before knot k is the k-th. */
  readonly falls: readonly ReturnType<typeof fallBetween>[];
  /** At least the delta at all larger epsilons. */
  readonly tail: number;
  /** What rounding takes at most, relatively. */
  readonly rounding: number;
}

/** What is not looked at. */
const SMALLEST_DELTA = 1e-16;
/** Knots are half a step apart, or this part of their epsilon. */
const GROWTH = 2 ** -9;
/** Each quarter of a halving of q has a test. */
const QUARTERS = 240;
const DIGITS = 12;
/** More than rounding takes from a sum of a few positive terms with exponentials, relatively. */
const ROUNDING = 2 ** -47;

/** Knots in ascending order, from where nearly every outcome counts to where nearly none does. */
function knotsOf(own: RunProfile, exchanged: RunProfile): Knot[] {
  const half = (profile: RunProfile, sign: 1 | -1): Knot[] => {
    const most = Math.min(profile.largest, MOST);
    const enough = (profile.at(most).lower ?? 0) * (1 + 1e-3) + SMALLEST_DELTA;
    return spaced(own.step / 2, GROWTH, most, (x) => profile.at(x).upper <= enough).map((x) => {
      const { lower, upper } = own.at(sign * x);
      return { epsilon: sign * x, z: Math.exp(sign * x), lower: lower ?? 0, upper };
    });
  };
  return [...half(exchanged, -1).slice(1).reverse(), ...half(own, 1)];
}

/** How fast delta falls in z between two knots: from below, about, and from above. */
function fallBetween(a: Knot | undefined, b: Knot | undefined): { least: number; about: number; most: number } {
  if (a === undefined || b === undefined) return { least: 0, about: 0, most: 1 };
  const width = a.z * Math.expm1(b.epsilon - a.epsilon);
  return {
    least: Math.max(0, ((a.lower - b.upper) / width) * (1 - ROUNDING)),
    about: (a.lower + a.upper - b.lower - b.upper) / 2 / width,
    most: Math.min(1, ((a.upper - b.lower) / width) * (1 + ROUNDING)),
  };
}

/**
 * At least the probability under P of the likeliest test of probability q under Q: the least over z of h(z) + z q, h(z) the delta at
 * ln z (Neyman, Pearson). h is convex and falls by at most 1, so that between two knots it is above the line through the two knots
 * before and the line through the two behind, and above every mean of them: with z q, the one of slope -q is constant, but for what its
 * slope is rounded. Below all knots h(z) >= 1 - z, above them it is at least `tail`.
 */
function mostLikely(q: number, { knots, falls, tail, rounding }: Polygon): number {
  const [first, last] = [knots[0]!, knots.at(-1)!];
  let least = Math.min(-Math.expm1(first.epsilon) + first.z * q, tail + last.z * q);
  for (let k = 0; k + 1 < knots.length; k++) {
    const [left, right] = [knots[k]!, knots[k + 1]!];
    const [before, behind] = [falls[k]!.most, falls[k + 2]!.least];
    const share = before > behind ? Math.min(1, Math.max(0, (q - behind) / (before - behind))) : 1;
    const value =
      q >= before
        ? left.lower + left.z * q
        : q <= behind
          ? right.lower + right.z * q
          : share * (left.lower + before * left.z) + (1 - share) * (right.lower + behind * right.z);
    least = Math.min(least, value);
  }
  return Math.min(1, least * (1 - rounding));
}

/** Tests in ascending order of their probabilities. */
export function testsOf(own: RunProfile, exchanged: RunProfile): readonly Test[] {
  const knots = knotsOf(own, exchanged);
  const apart = Math.max(own.step, GROWTH * Math.max(-knots[0]!.epsilon, knots.at(-1)!.epsilon));
  const falls = [...knots, undefined].map((knot, k) => fallBetween(knots[k - 1], knot));
  const polygon: Polygon = {
    knots,
    falls,
    tail: own.at(Math.min(own.largest, MOST)).lower ?? 0,
    rounding: ROUNDING * Math.exp(apart),
  };
  const some = Array.from({ length: QUARTERS }, (_, i) => 2 ** (-i / 4));
  // Of a pair of few outcomes most are alike, but for rounding.
  const likely = falls.map(({ about }) => Number(about.toPrecision(DIGITS)));
  const all = new Set([...likely, ...some].filter((q) => q > 0 && q <= 1));
  return [...all].sort((a, b) => a - b).map((q) => ({ q, p: q === 1 ? 1 : mostLikely(q, polygon) }));
}

/** What a set of outputs gains: its probability under P, from below, and under Q, from above. */
type Gain = (own: Enclosure, other: Enclosure) => number;

/** The larger probabilities of the best output to be in `inner`, where all that is in `outer` and not in `inner` ranks below it. */
function gained({ gain }: RunCount, inner: Test, outer: Test, value: Gain): number {
  const own = gain(exactly(outer.p), exactly(Math.min(inner.p, outer.p)));
  const other = gain(exactly(outer.q), exactly(inner.q));
  const found = value(enclosure(own.lower, own.lower), enclosure(other.upper, other.upper));
  return Number.isNaN(found) ? -Infinity : found;
}

/** Pairs of tests that are tried at first, in each direction. */
const FIRST = 64;

/** The best found of a gain over pairs of tests, of which the inner one is no larger: on a grid, then near its best. */
function largestGain(count: RunCount, tests: readonly Test[], value: Gain): number {
  let [most, inner, outer] = [-Infinity, 0, 0];
  const attempt = (i: number, j: number): void => {
    if (i < 0 || i > j || j >= tests.length) return;
    const found = gained(count, tests[i]!, tests[j]!, value);
    if (found > most) [most, inner, outer] = [found, i, j];
  };
  let stride = 2 ** Math.ceil(Math.log2(Math.max(1, tests.length / FIRST)));
  for (let j = tests.length - 1; j >= 0; j -= stride) for (let i = j; i >= 0; i -= stride) attempt(i, j);
  while (stride >= 1) {
    const [i, j] = [inner, outer];
    for (const a of [-stride, 0, stride]) for (const b of [-stride, 0, stride]) attempt(i + a, j + b);
    if (i === inner && j === outer) stride /= 2;
  }
  return most;
}

/** The value of a query that a gain shows. */
function gainAt(query: Query): Gain {
  if (query.solveFor === 'delta') {
    const factor = exponential(encloseDecimal(query.epsilon));
    return (own, other) => subtract(own, multiply(factor, other)).lower;
  }
  const delta = encloseDecimal(query.delta);
  return (own, other) => logarithm(divide(subtract(own, delta), other)).lower;
}

/**
 * A lower bound on the privacy loss of a selection, where its runs have a pair (P, Q) of distributions of which the curve is known:
 * what an order of the outputs gains.
 *
 * [derived] Let tests S within U of one run have probabilities s <= u under P and s' <= u' under Q, each as likely as can be under P;
 * an output may be split at random between them. Rank outputs of U outside S lowest, then those of S, then all others. With f the
 * generating function of the number of runs, the best output is in S with probability f(u) - f(u - s), against f(u') - f(u' - s'), and
 *
 * delta(epsilon) >= f(u) - f(u - s) - e^epsilon (f(u') - f(u' - s')).
 *
 * The right side grows with u and with s, as f is convex: lower ends may stand for them. No order of which S is a block gains more.
 *
 * @returns null where no curve is known that mechanisms have
 */
export function selectionLowerBound(selection: Selection, effort: Effort): ((query: Query) => LowerBound) | null {
  const run = oneRun(selection, { adaptivity: 'adaptive', order: 'any' }, effort);
  if (run?.isAttained !== true) return null;
  const { remove, add } = run.profiles;
  const orders = [testsOf(remove, add), ...(run.isOwnExchange ? [] : [testsOf(add, remove)])];
  const count = runCount(selection.runs);
  return (query) => asLower(Math.max(0, ...orders.map((tests) => largestGain(count, tests, gainAt(query)))));
}
