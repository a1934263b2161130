import { linearVarianceAbove, type LinearVariance } from '../../bounds/bounded-range/adaptive-gaussian.ts';
import { logConversionFactor } from '../../bounds/core/moment-curve.ts';
import { encloseDecimal, toUpper, type Decimal } from '../../numeric/decimal.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import {
  add,
  divide,
  expm1,
  exponential,
  log1p,
  minimum,
  multiply,
  negate,
} from '../../numeric/enclosure-arithmetic.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { zcdpMoment, type LogMoment } from '../../privacy/log-moment.ts';
import { rangeMoment } from './approximate-moments.ts';
import { bestOf, worstOf } from './curve-bounds.ts';
import { gaussianAbove } from './exact-gaussian.ts';
import { exactRandomizedResponse, largestLoss } from './exact-randomized-response.ts';
import type { Flag } from './first-flag.ts';
import { momentBound, type Moment } from './moment-bound.ts';
import { spreadOf, type Resampling } from './resampling.ts';

/**
 * boundedRangeMoment in a form whose terms do not cancel at large lambda: with kappa = (1 - c) / (1 - e^-e), c =
 * e^(-lambda e), ln(1 + kappa e^-e) - ln kappa = ln(1 + (1 - e^-e) c / (1 - c)), so that it is lambda e + lambda ln(1 +
 * (1 - e^-e) c / (1 - c)) + ln(1 + kappa e^-e) - ln(1 + lambda) - lambda ln(1 + 1/lambda).
 */
function rangeMomentOfLargeOrders(e: Enclosure): LogMoment {
  const decay = exponential(negate(e));
  const whole = negate(expm1(negate(e)));
  return (lambda) => {
    const t = exactly(lambda);
    const exponent = multiply(t, e);
    const [c, rest] = [exponential(negate(exponent)), negate(expm1(negate(exponent)))];
    const kappa = divide(rest, whole);
    const corrected = add(exponent, multiply(t, log1p(divide(multiply(whole, c), rest))));
    return add(corrected, add(log1p(multiply(kappa, decay)), logConversionFactor(lambda)));
  };
}

/** The moment of bounded range, or that of e^2/8-zCDP where the former is lost to rounding (small parameters). */
function momentOf(epsilon: Decimal): Moment {
  const e = encloseDecimal(epsilon);
  const exact = rangeMomentOfLargeOrders(e);
  const concentrated = zcdpMoment(multiply(exactly(0.125), multiply(e, e)));
  return {
    certain: (lambda) => minimum(exact(lambda), concentrated(lambda)),
    approximate: rangeMoment(epsilon.toNumber()),
  };
}

/** The mu^2 of Gaussian noise above so many resamplings of this bounded range, closest for about `mean` of them. */
export const varianceAbove = (epsilon: number, mean: number): LinearVariance | null =>
  linearVarianceAbove(epsilon, Math.max(1, Math.round(mean)));

/** Up to this many resamplings (expected) those of (epsilon, 0)-DP may be the better bound. */
export const FEW = 100;

/**
 * The curve of L2P when every resampling has this bounded range. At least it is the curve of randomized responses of half
 * the parameter, which have that bounded range (t = epsilon / 2). At most it is the mean over the number N of resamplings
 * of V_N, the adaptive optimum of N mechanisms of this bounded range, evaluated by Gaussian curves above V_N (see
 * linearVarianceAbove) or by moments, or, where they are few, the curve of (epsilon, 0)-DP resamplings.
 *
 * Let F(x) be what the best test gains, sup over events of P - e^x Q, from what is still to be seen with j chances of a
 * resampling left, given what was seen. A chance a of one depends on that alone, so that F is at most (1 - a) F' + a T_t F'
 * at some t in [0, epsilon], F' after it and T_t a step of the adaptive recursion (see solveRecursion): losses of a step lie
 * in [t - epsilon, t], and F' is convex in e^x. T_t F' >= F', so a may be raised to q, what it is at most. By induction
 * F' <= E[V_N'], N' the number of independent chances q that come; then F <= (1 - q) E[V_N'] + q E[sup over t of T_t V_N'] =
 * E[V_N]. If no more than k may come, F <= V_k by the same induction.
 *
 * Source: derived; the recursion: Dong, Durfee, Rogers (2020), Lemmas 3.2 and 6.1; moments and conversion as in the bound
 * br-rdp (Theorem 5 there; Canonne, Kamath, Steinke 2020, Corollary 13).
 */
export function exactBoundedRange(
  flags: readonly Flag[],
  epsilon: Decimal,
  parts: readonly Resampling[],
): FiniteLossCurve {
  const most = boundedRangeAtMost(flags, epsilon, parts);
  const least = exactRandomizedResponse(flags, epsilon.div(2), parts);
  return {
    maximum: most.maximum,
    logDelta: (x) => enclosure(least.logDelta(x).lower, most.logDelta(x).upper),
    epsilon: (target) => enclosure(least.epsilon!(target).lower, most.epsilon!(target).upper),
  };
}

/** The upper end of {@link exactBoundedRange} alone; its lower end says nothing. */
export function boundedRangeAtMost(
  flags: readonly Flag[],
  epsilon: Decimal,
  parts: readonly Resampling[],
): FiniteLossCurve {
  const moment = momentOf(epsilon);
  const { mean } = spreadOf(parts);
  const moments = flags.map((flag) => momentBound(flag, moment, parts, largestLoss(flag, epsilon, parts)));
  const variance = varianceAbove(toUpper(epsilon), mean);
  const most = variance === null ? worstOf(moments, 'upper') : gaussianAbove(flags, variance, parts, moments);
  return mean <= FEW ? bestOf(most, exactRandomizedResponse(flags, epsilon, parts)) : most;
}
