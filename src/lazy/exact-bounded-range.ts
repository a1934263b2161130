import { encloseDecimal, type Decimal } from '../numeric/decimal.ts';
import { minimum, multiply } from '../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../numeric/enclosure.ts';
import type { FiniteLossCurve } from '../privacy/finite-loss-curve.ts';
import { boundedRangeMoment, zcdpMoment, type LogMoment } from '../privacy/log-moment.ts';
import { bestOf } from './best-of.ts';
import { exactRandomizedResponse, largestLoss } from './exact-randomized-response.ts';
import type { Flag } from './first-flag.ts';
import { momentBound } from './moment-bound.ts';
import { spreadOf } from './resampling-count.ts';
import type { Resampling } from './resampling.ts';
import { worstOf } from './worst-of.ts';

/** The moment of bounded range, or that of e^2/8-zCDP where the former is lost to rounding (small parameters). */
function momentOf(e: Enclosure): LogMoment {
  const exact = boundedRangeMoment(e);
  const concentrated = zcdpMoment(multiply(exactly(0.125), multiply(e, e)));
  return (lambda) => minimum(exact(lambda), concentrated(lambda));
}

/** Up to this many resamplings (expected) those of (epsilon, 0)-DP may be the better bound. */
const FEW = 1000;

/**
 * The curve of L2P when every resampling has this bounded range: at most the moment bound and, where they are few, that
 * of (epsilon, 0)-DP resamplings; at least the curve of randomized responses of half the parameter, which have that
 * bounded range (t = epsilon / 2).
 *
 * Source: derived; moments and conversion as in the bound br-rdp (Dong, Durfee, Rogers 2020, Theorem 5; Canonne, Kamath,
 * Steinke 2020, Corollary 13).
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
  const moment = momentOf(encloseDecimal(epsilon));
  const moments = worstOf(flags.map((flag) => momentBound(flag, moment, parts, largestLoss(flag, epsilon, parts))));
  const few = spreadOf(parts).mean <= FEW;
  return few ? bestOf(moments, exactRandomizedResponse(flags, epsilon, parts)) : moments;
}
