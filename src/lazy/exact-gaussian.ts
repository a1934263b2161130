import { fromDouble } from '../numeric/double-double.ts';
import { logarithm, multiply, squareRoot } from '../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../numeric/enclosure.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U, nextDown, nextUp } from '../numeric/rounding.ts';
import { solveDecreasing } from '../numeric/solve-decreasing.ts';
import type { FiniteLossCurve } from '../privacy/finite-loss-curve.ts';
import { gaussianLogDelta } from '../privacy/gaussian-pair.ts';
import { zcdpMoment } from '../privacy/log-moment.ts';
import { afterFlag, type Flag, type LogDeltaOver } from './first-flag.ts';
import { momentBound } from './moment-bound.ts';
import { inBlocks, resamplingCount, spreadOf, type CountBlock } from './resampling-count.ts';
import type { Resampling } from './resampling.ts';
import { worstOf } from './worst-of.ts';

/** Blocks of the number of resamplings that are told apart. */
const BLOCKS = 128;

/** Where that number varies by more (standard deviation) it takes too long to list: only the moment bound is used. */
const LARGEST_DEVIATION = 2 ** 17;

/** More than the underflow of so many products and exponentials can take from their sum. */
const underflowOf = (terms: number): number => 4 * terms * Number.MIN_VALUE;

/** What rounding adds to a sum of so many terms; exponentials round with their exponents, above -745 where they matter. */
const roundingOf = (terms: number): number => (terms + 800) * 2 * U + 2 * ELEMENTARY_ERROR;

/** delta of `count` resamplings at a real epsilon, from one side. */
const deltaOf = (muSquared: Enclosure, count: number, epsilon: number, end: 'lower' | 'upper'): number =>
  count === 0
    ? Math.max(0, -Math.expm1(epsilon))
    : Math.exp(gaussianLogDelta(squareRoot(multiply(exactly(count), muSquared)), exactly(epsilon))[end]);

/** ln of an upper bound on E[delta_N(eps)], N the number of resamplings: delta_k grows with k. */
const mixtureUpper =
  (blocks: readonly CountBlock[], muSquared: Enclosure): LogDeltaOver =>
  (epsilon) => {
    const terms = blocks.map(
      ({ most, probability }) => probability.upper * deltaOf(muSquared, most, epsilon.lower, 'upper'),
    );
    const sum = terms.reduce((total, term) => total + term, 0);
    const { upper } = logarithm(exactly(nextUp(sum * (1 + roundingOf(terms.length)) + underflowOf(terms.length))));
    return enclosure(-Infinity, Math.min(0, upper));
  };

/** ln of a lower bound on it. */
const mixtureLower =
  (blocks: readonly CountBlock[], muSquared: Enclosure): LogDeltaOver =>
  (epsilon) => {
    const terms = blocks.map(
      ({ least, probability }) => probability.lower * deltaOf(muSquared, least, epsilon.upper, 'lower'),
    );
    const sum = terms.reduce((total, term) => total + term, 0);
    const { lower } = logarithm(exactly(Math.max(0, nextDown(sum * (1 - roundingOf(terms.length))))));
    return enclosure(lower, 0);
  };

/** The curve of a flag and Gaussian resamplings after it; `to` is a bound on it. */
function curveOf(
  flag: Flag,
  blocks: readonly CountBlock[],
  muSquared: Enclosure,
  to: FiniteLossCurve,
): FiniteLossCurve {
  const [most, least] = [mixtureUpper, mixtureLower].map((end) => afterFlag(flag, end(blocks, muSquared))) as [
    FiniteLossCurve['logDelta'],
    FiniteLossCurve['logDelta'],
  ];
  const upperAt = (x: number): Enclosure => exactly(most(fromDouble(x)).upper);
  const lowerAt = (x: number): Enclosure => exactly(least(fromDouble(x)).lower);
  return {
    maximum: null,
    // What the law does not list leaves a floor that the moment bound may lie below.
    logDelta: (x) => enclosure(least(x).lower, Math.min(most(x).upper, to.logDelta(x).upper)),
    epsilon(target) {
      if (upperAt(0).upper <= target.lower) return enclosure(0, 0);
      const start = to.epsilon!(target).upper;
      // Blocks make the two ends curves of their own, too far apart to be solved together.
      const { upper } = solveDecreasing({ evaluate: upperAt, target, from: 0, to: start, start });
      const { lower } = solveDecreasing({ evaluate: lowerAt, target, from: 0, to: upper, start: upper });
      return enclosure(lower, upper);
    },
  };
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
  const moment = zcdpMoment(multiply(exactly(0.5), muSquared));
  const bounds = flags.map((flag) => momentBound(flag, moment, parts, null));
  if (spreadOf(parts).deviation > LARGEST_DEVIATION) return worstOf(bounds);
  const blocks = inBlocks(resamplingCount(parts), BLOCKS);
  return worstOf(flags.map((flag, index) => curveOf(flag, blocks, muSquared, bounds[index]!)));
}
