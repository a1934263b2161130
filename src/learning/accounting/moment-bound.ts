import { logConversionFactor, orInfinity, sumOfMoments } from '../../bounds/core/moment-curve.ts';
import { minimumNear } from '../../numeric/convex/minimum-near.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { fromDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import {
  add,
  divide,
  expm1,
  exponential,
  log1p,
  logarithm,
  multiply,
  negate,
  subtract,
  logSum,
} from '../../numeric/enclosure-arithmetic.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import type { LogMoment } from '../../privacy/log-moment.ts';
import { conversionFactor, momentOfParts, type ApproximateMoment } from './approximate-moments.ts';
import { certainCrossing } from './curve-bounds.ts';
import {
  afterFlag,
  approximateFlagMoment,
  approximatelyAfterFlag,
  flagMoment,
  type Flag,
  type LogDeltaOver,
} from './first-flag.ts';
import type { Resampling } from './resampling.ts';

/** From here on e^h would soon overflow, and ln(1 - q + q e^h) is as precise with logarithms inside. */
const LARGE = 500;

/** ln E[e^(lambda L)] of one round: with the part's probability q a mechanism of moment h, ln(1 + q (e^h - 1)). */
export function resampledMoment({ probability, complement }: Resampling, moment: LogMoment): LogMoment {
  if (complement.upper <= 0) return moment;
  const [logResampled, logKept] = [logarithm(probability), logarithm(complement)];
  return (lambda) => {
    const h = moment(lambda);
    if (h.upper < LARGE) return log1p(multiply(probability, expm1(h)));
    return logSum(logKept, add(logResampled, h));
  };
}

/** An upper bound on ln E[e^(lambda L)], and about the same in doubles, by which lambda is chosen. */
export interface Moment {
  readonly certain: LogMoment;
  readonly approximate: ApproximateMoment;
}

/** That of everything that is resampled. */
function resampledMoments(parts: readonly Resampling[], { certain, approximate }: Moment): Moment {
  return {
    certain: sumOfMoments(parts.map((part) => ({ moment: resampledMoment(part, certain), count: part.rounds }))),
    approximate: momentOfParts(
      approximate,
      parts.map(({ rounds, probability }) => ({ rounds, probability: midpoint(probability) })),
    ),
  };
}

const SMALLEST_LAMBDA = 1e-12;
const LARGEST_LAMBDA = 1e15;
const TOLERANCE = 1e-7;

/** How lambda is looked for: up to which one, near which one, and how closely, in ln lambda. */
interface Looking {
  readonly largest?: number;
  readonly near?: number;
  readonly tolerance?: number;
}

/** A lambda at which an exponent that falls, then rises is about least. Any lambda is sound: nothing is certain of it. */
export function chosenLambda(
  exponent: (lambda: number) => number,
  { largest = LARGEST_LAMBDA, near = 1, tolerance = TOLERANCE }: Looking = {},
): number {
  const at = (lambda: number): number => orInfinity(exponent(lambda));
  return minimumNear(at, near, { from: SMALLEST_LAMBDA, to: largest, tolerance });
}

/** Larger terms of an exponent that cancel would lose all their digits to rounding. */
const LARGEST_TERM = 2 ** 40;

/** The share of it that is left to what is certain of the joint moment alone. */
const HEADROOM = 2 ** -5;

const largestAt = (x: number): number => (x > 0 ? Math.min(LARGEST_LAMBDA, LARGEST_TERM / x) : LARGEST_LAMBDA);

/** An upper bound on ln delta at an epsilon of at least 0. */
function logDeltaAtMost({ certain, approximate }: Moment, x: number): number {
  const lambda = chosenLambda((order) => approximate(order) + conversionFactor(order) - order * x, {
    largest: largestAt(x),
  });
  const exponent = add(certain(lambda), logConversionFactor(lambda));
  return Math.min(0, orInfinity(subtract(exponent, multiply(exactly(lambda), exactly(x))).upper));
}

/** An upper bound on the epsilon at this delta, at which logDeltaAtMost leaves its lambda free to be larger. */
function epsilonAtMost({ certain, approximate }: Moment, logDelta: Enclosure): number {
  const goal = midpoint(logDelta);
  const about = (order: number): number => (approximate(order) + conversionFactor(order) - goal) / order;
  const best = chosenLambda(about);
  const lambda = Math.min(best, HEADROOM * largestAt(about(best)));
  const exponent = subtract(add(certain(lambda), logConversionFactor(lambda)), logDelta);
  return Math.max(0, orInfinity(divide(exponent, exactly(lambda)).upper));
}

/** About ln delta at an epsilon of at least 0. */
function aboutLogDelta(approximate: ApproximateMoment, x: number): number {
  const exponent = (lambda: number): number => approximate(lambda) + conversionFactor(lambda) - lambda * x;
  return Math.min(0, exponent(chosenLambda(exponent, { largest: largestAt(x) })));
}

/** ln delta at any real epsilon from a bound that is known from 0 on, of a class that swapping neighbours does not change. */
const mirrored =
  (logDelta: (x: number) => number): LogDeltaOver =>
  (epsilon) => {
    const x: number = epsilon.lower;
    if (x >= 0) return enclosure(-Infinity, logDelta(x));
    const rest = multiply(exponential(exactly(x)), exponential(exactly(logDelta(-x))));
    return enclosure(-Infinity, Math.min(0, logarithm(add(negate(expm1(exactly(x))), rest)).upper));
  };

/**
 * An upper bound on the curve of a flag and of mechanisms of this moment that are resampled after it: each outcome of the
 * flag with the moment bound (and its optimal conversion) on what follows. Up to the choice of lambda never above the
 * moment bound of all together, below which the search for epsilon stays; it grows with the chance of every resampling,
 * since h >= 0.
 *
 * Source: derived; conversion: Canonne, Kamath, Steinke (2020), Corollary 13.
 */
export function momentBound(
  flag: Flag,
  moment: Moment,
  parts: readonly Resampling[],
  maximum: Decimal | null,
): FiniteLossCurve {
  const resampled = resampledMoments(parts, moment);
  const logDelta = afterFlag(
    flag,
    mirrored((x) => logDeltaAtMost(resampled, x)),
  );
  const about = approximatelyAfterFlag(flag, (x) => Math.exp(aboutLogDelta(resampled.approximate, x)));
  const ofFlag = approximateFlagMoment(flag);
  const joint: Moment = {
    certain: (lambda) => add(flagMoment(flag, lambda), resampled.certain(lambda)),
    approximate: (lambda) => ofFlag(lambda) + resampled.approximate(lambda),
  };
  return {
    maximum,
    logDelta,
    epsilon(target) {
      const holds = (x: number): boolean => logDelta(fromDouble(x)).upper <= target.lower;
      if (holds(0)) return enclosure(0, 0);
      const excess = (x: number): number => about(x) - target.lower;
      return enclosure(0, certainCrossing({ holds, excess, from: 0, to: epsilonAtMost(joint, target) }, 'upper'));
    },
  };
}
