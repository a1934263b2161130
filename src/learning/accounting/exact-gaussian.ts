import type { LinearVariance } from '../../bounds/bounded-range/adaptive-gaussian.ts';
import { fromDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { logarithm, multiply, squareRoot } from '../../numeric/enclosure-arithmetic.ts';
import { ELEMENTARY_ERROR, nextDown, nextUp, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { gaussianLogDeltaEnd } from '../../privacy/gaussian.ts';
import { zcdpMoment } from '../../privacy/log-moment.ts';
import { approximateGaussianDelta, gaussianMoment } from './approximate-moments.ts';
import { certainCrossing, worstOf } from './curve-bounds.ts';
import { afterFlag, approximatelyAfterFlag, type Flag, type LogDeltaOver } from './first-flag.ts';
import { momentBound } from './moment-bound.ts';
import { inBlocks, resamplingCount, spreadOf, type CountBlock, type Resampling } from './resampling.ts';

/** Blocks of the number of resamplings that are told apart. */
const BLOCKS = 128;

/** Products for the law of that number where only an upper end is looked for: rounding counts up costs little then. */
const FEWER_PRODUCTS = 2 ** 22;

/** Where that number varies by more (standard deviation) it takes too long to list: only the moment bound is used. */
const LARGEST_DEVIATION = 2 ** 17;

/** More than the underflow of so many products and exponentials can take from their sum. */
const underflowOf = (terms: number): number => 4 * terms * Number.MIN_VALUE;

/** The relative error that rounding adds to a sum of so many terms; exponentials round with their exponents, above -745 where they matter. */
const roundingOf = (terms: number): number => (terms + 816) * 2 * U + 2 * ELEMENTARY_ERROR;

type End = 'lower' | 'upper';

/** delta of a count of resamplings, whole or not, at a real epsilon, from one side. */
const deltaOf = (muSquared: Enclosure, count: number, epsilon: number, end: End): number =>
  count === 0
    ? Math.max(0, -Math.expm1(epsilon))
    : Math.exp(gaussianLogDeltaEnd(squareRoot(multiply(exactly(count), muSquared)), exactly(epsilon), end));

/** Beyond what rounding of either may move a variance over an inflection. */
const INFLECTION_MARGIN = 2 ** -40;

/** More than rounding can take from a share. */
const SHARE_ERROR = 2 ** -50;

/**
 * One end of the sum over blocks of E[delta_N(x); N in the block]. delta grows with the variance v = N mu^2, by
 * phi(x/sqrt(v) - sqrt(v)/2) / (2 sqrt(v)), which itself grows up to v = 2 x^2 / (1 + sqrt(1 + x^2)) and falls from there:
 * below that delta is convex in N, with its chord above and its value at the mean below the mean of the values (Jensen),
 * beyond it is concave, where it is the other way round. A block with the inflection inside gets the value at its end.
 */
function sumOverBlocks(
  blocks: readonly CountBlock[],
  muSquared: Enclosure,
  x: number,
  end: End,
  deltaAt: (count: number) => number,
): number {
  const inflection = (2 * x * x) / (1 + Math.sqrt(1 + x * x));
  const [chord, margin] = end === 'upper' ? (['convex', SHARE_ERROR] as const) : (['concave', -SHARE_ERROR] as const);
  let lastPoint: { readonly count: number; readonly delta: number } | null = null;
  let sum = 0;
  for (const { lowerCount, upperCount, mean, probability } of blocks) {
    const start: number = lastPoint !== null && lastPoint.count <= lowerCount ? lastPoint.count : lowerCount;
    const last: typeof lastPoint = lastPoint;
    const shape =
      muSquared.upper * upperCount <= inflection * (1 - INFLECTION_MARGIN)
        ? 'convex'
        : muSquared.lower * start >= inflection * (1 + INFLECTION_MARGIN)
          ? 'concave'
          : null;
    lastPoint = null;
    if (shape === null) {
      sum += probability[end] * deltaAt(end === 'upper' ? upperCount : lowerCount);
    } else if (shape !== chord) {
      sum += probability[end] * deltaAt(mean[end]);
    } else {
      lastPoint = { count: upperCount, delta: deltaAt(upperCount) };
      const first = last?.count === start ? last.delta : deltaAt(start);
      const share =
        start === upperCount ? 1 : Math.max(0, Math.min(1, (mean[end] - start) / (upperCount - start) + margin));
      sum += probability[end] * ((1 - share) * first + share * lastPoint.delta);
    }
  }
  return sum;
}

const certainSum = (blocks: readonly CountBlock[], muSquared: Enclosure, x: number, end: End): number =>
  sumOverBlocks(blocks, muSquared, x, end, (count) => deltaOf(muSquared, count, x, end));

/** About the same in doubles, at an x of at least 0. */
function approximateSum(blocks: readonly CountBlock[], muSquared: Enclosure, x: number, end: End): number {
  const unit = midpoint(muSquared);
  const deltaAt = (count: number): number => (count === 0 ? 0 : approximateGaussianDelta(Math.sqrt(count * unit), x));
  return sumOverBlocks(blocks, muSquared, x, end, deltaAt);
}

/** ln of an upper bound on E[delta_N(eps)], N the number of resamplings. */
const mixtureUpper =
  (blocks: readonly CountBlock[], muSquared: Enclosure): LogDeltaOver =>
  (epsilon) => {
    const sum = certainSum(blocks, muSquared, epsilon.lower, 'upper');
    const terms = 2 * blocks.length;
    const { upper } = logarithm(exactly(nextUp(sum * (1 + roundingOf(terms)) + underflowOf(terms))));
    return enclosure(-Infinity, Math.min(0, upper));
  };

/** ln of a lower bound on it. */
const mixtureLower =
  (blocks: readonly CountBlock[], muSquared: Enclosure): LogDeltaOver =>
  (epsilon) => {
    const sum = certainSum(blocks, muSquared, epsilon.upper, 'lower');
    const { lower } = logarithm(exactly(Math.max(0, nextDown(sum * (1 - roundingOf(2 * blocks.length))))));
    return enclosure(lower, 0);
  };

/** Where one end of the curve of a flag and Gaussian resamplings after it crosses a delta, between 0 and a limit. */
function crossingOf(flag: Flag, blocks: readonly CountBlock[], muSquared: Enclosure, end: End) {
  const about = approximatelyAfterFlag(flag, (x) => approximateSum(blocks, muSquared, x, end));
  return (target: Enclosure, holds: (x: number) => boolean, limit: number): number =>
    certainCrossing({ holds, excess: (x) => about(x) - target[end], from: 0, to: limit }, end);
}

/** The upper end of the curve of a flag and Gaussian resamplings after it; `to` is a bound on the same curve. */
function upperOf(
  flag: Flag,
  blocks: readonly CountBlock[],
  muSquared: Enclosure,
  to: FiniteLossCurve,
): FiniteLossCurve {
  const upperCurve = afterFlag(flag, mixtureUpper(blocks, muSquared));
  const crossing = crossingOf(flag, blocks, muSquared, 'upper');
  return {
    maximum: to.maximum,
    // Counts that the law does not list keep it above some delta, where the moment bound may lie below.
    logDelta: (x) => enclosure(-Infinity, Math.min(upperCurve(x).upper, to.logDelta(x).upper)),
    epsilon(target) {
      const holds = (x: number): boolean => upperCurve(fromDouble(x)).upper <= target.lower;
      return enclosure(0, holds(0) ? 0 : crossing(target, holds, to.epsilon!(target).upper));
    },
  };
}

/** The same with its lower end. Blocks make the two ends curves of their own, too far apart to be solved together. */
function curveOf(
  flag: Flag,
  blocks: readonly CountBlock[],
  muSquared: Enclosure,
  to: FiniteLossCurve,
): FiniteLossCurve {
  const above = upperOf(flag, blocks, muSquared, to);
  const lowerCurve = afterFlag(flag, mixtureLower(blocks, muSquared));
  const crossing = crossingOf(flag, blocks, muSquared, 'lower');
  return {
    maximum: above.maximum,
    logDelta: (x) => enclosure(lowerCurve(x).lower, above.logDelta(x).upper),
    epsilon(target) {
      const { upper } = above.epsilon!(target);
      if (upper === 0) return enclosure(0, 0);
      return enclosure(
        crossing(target, (x) => lowerCurve(fromDouble(x)).lower > target.upper, upper),
        upper,
      );
    },
  };
}

/** So many more resamplings in every block, rounded up; a multiple of 2^-10, so that whole counts stay exact. */
function withMore(blocks: readonly CountBlock[], more: number): CountBlock[] {
  const shift = Math.ceil(more * 2 ** 10) / 2 ** 10;
  return blocks.map(({ lowerCount, upperCount, mean, probability }) => ({
    lowerCount: lowerCount + shift,
    upperCount: upperCount + shift,
    mean: { lower: lowerCount + shift, upper: Math.min(upperCount + shift, nextUp(mean.upper + shift)) },
    probability,
  }));
}

/**
 * An upper bound on the curve of a flag and of resamplings after it, k of which together lie below Gaussian noise with mu^2 =
 * first + each k, whatever the choices: the mean of those curves over the law of their number, which does not depend on the
 * neighbour. `to`: the moment bound on the same curve, for each flag, which is kept where it is better.
 */
export function gaussianAbove(
  flags: readonly Flag[],
  { first, each }: LinearVariance,
  parts: readonly Resampling[],
  to: readonly FiniteLossCurve[],
): FiniteLossCurve {
  if (spreadOf(parts).deviation > LARGEST_DEVIATION) return worstOf(to, 'upper');
  const blocks = withMore(inBlocks(resamplingCount(parts, FEWER_PRODUCTS), BLOCKS), first / each);
  return worstOf(
    flags.map((flag, index) => upperOf(flag, blocks, exactly(each), to[index]!)),
    'upper',
  );
}

/**
 * The curve of L2P when every resampling is mu-Gaussian differentially private. Their number N does not depend on the
 * neighbour, and k of them are one Gaussian of parameter mu sqrt(k): delta(eps) is the mean of its curves over the law of
 * N, told apart in blocks whose ends give both ends of the enclosure. Where N varies by more than 2^17 (standard
 * deviation), the moment bound, from above only.
 *
 * Source: derived; Gaussian composition: Dong, Roth, Su (2022), Corollary 3.3.
 */
export function exactGaussian(
  flags: readonly Flag[],
  muSquared: Enclosure,
  parts: readonly Resampling[],
): FiniteLossCurve {
  const moment = {
    certain: zcdpMoment(multiply(exactly(0.5), muSquared)),
    approximate: gaussianMoment(midpoint(muSquared)),
  };
  const bounds = flags.map((flag) => momentBound(flag, moment, parts, null));
  if (spreadOf(parts).deviation > LARGEST_DEVIATION) return worstOf(bounds);
  const blocks = inBlocks(resamplingCount(parts), BLOCKS);
  return worstOf(flags.map((flag, index) => curveOf(flag, blocks, muSquared, bounds[index]!)));
}
