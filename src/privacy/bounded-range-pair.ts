import {
  DOUBLE_DOUBLE_ERROR,
  difference,
  quotient,
  scaled,
  toDouble,
  type DoubleDouble,
} from '../numeric/double-double.ts';
import type { Probability } from '../numeric/binomial.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../numeric/rounding.ts';

/** Below this a probability is taken as "at most": it would underflow. */
const TINY = 1e-299;

/**
 * A member RR(e, t) of the family that dominates e-bounded range, t in [0, e]: privacy loss t with probability
 * q = (1 - e^(t-e)) / (1 - e^-e), else t - e.
 */
export interface BoundedRangePair {
  /** `value`: 1 - q, the probability of the loss t - e. */
  readonly low: Probability;
  /** e - t, to a few roundings. */
  readonly distanceToTop: number;
}

/**
 * The member at t_l = (eps + (l+1) e) / (k+1), a local maximum of the k-fold composition's delta at eps; null where t_l
 * lies outside (0, e); at the ends the loss is 0 with certainty, which gives nothing at eps >= 0. Then e - t_l = ((k-l) e - eps) / (k+1), in double-double since it may cancel; 1 - q is
 * e^(t-e) (1 - e^-t) / (1 - e^-e), free of cancellation.
 *
 * Source: Dong, Durfee, Rogers (2020), Theorem 3 and Lemma 5.7.
 */
export function pairAtLocalMaximum(
  e: DoubleDouble,
  k: number,
  l: number,
  epsilon: DoubleDouble,
): BoundedRangePair | null {
  const fromTop = toDouble(quotient(difference(scaled(e, k - l), epsilon), k + 1));
  const fromBottom = toDouble(quotient(difference(epsilon, scaled(e, -(l + 1))), k + 1));
  if (fromTop <= 0 || fromBottom <= 0) return null;
  const whole = -Math.expm1(-toDouble(e));
  // Near the largest loss the subtraction cancels beyond a rounding.
  const cancelled = (4 * DOUBLE_DOUBLE_ERROR * (toDouble(scaled(e, k)) + Math.abs(epsilon.high))) / (k + 1) / fromTop;
  const value = (Math.exp(-fromTop) * -Math.expm1(-fromBottom)) / whole;
  const complement = -Math.expm1(-fromTop) / whole;
  const low =
    value < TINY
      ? { value: TINY, complement, error: 1 }
      : { value, complement, error: 3 * ELEMENTARY_ERROR + (8 + fromTop) * U + cancelled };
  return { low, distanceToTop: fromTop };
}
