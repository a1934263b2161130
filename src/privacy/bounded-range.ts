import type { Probability } from '../numeric/binomial.ts';
import { type Decimal, ZERO, quotientUp } from '../numeric/decimal.ts';
import {
  DOUBLE_DOUBLE_ERROR,
  difference,
  quotient,
  scaled,
  toDouble,
  type DoubleDouble,
} from '../numeric/double-double.ts';
import { enclosure, exactly, type Enclosure } from '../numeric/enclosure.ts';
import { add, divide, expm1, logarithm, multiply, negate, subtract } from '../numeric/enclosure-arithmetic.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../numeric/rounding.ts';
import type { ApproximateDp, BoundedRange } from './mechanism.ts';

/** Below this a probability is taken as "at most": it would underflow. */
const TINY = 1e-299;

/**
 * A member RR(e, t) of the family that dominates e-bounded range, t in [0, e]: privacy loss t with probability
 * q = (1 - e^(t-e)) / (1 - e^-e), else t - e.
 */
interface BoundedRangePair {
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

/** Below this the closed form cancels. */
const SMALL = 0.25;

/** Coefficients of z^2, z^4, ... in (z coth z - 1) + ln(sinh z / z); they alternate and fall for z < 1. */
const SERIES = [
  [1, 2],
  [-1, 36],
  [1, 405],
  [-1, 4200],
  [11, 467775],
] as const;

/**
 * The largest expected loss of an e-bounded-range mechanism, b - 1 - ln b with b = e / (1 - e^-e); e > 0.
 *
 * It is also the zCDP parameter of the class, at most e^2 / 8, with equality as the order tends to 1.
 *
 * [derived] Let s = a - 1, z = e / 2, F(y) = y ln(sinh y / y). The largest s D_a over the class (see boundedRangeMoment) is
 * (F((s + 1) z) - F(s z) - F(z)) / z, and its slope at s = 0 is F'(z) = z coth z - 1 + ln(sinh z / z), which is the above.
 * F'' = 2 coth y - 1/y - y / sinh^2 y is concave for y > 0 and tends to 0 at 0: with t = 2y, its second derivative times
 * y^3 sinh^4 y is at most 0 where 2 sinh t - t - (t/2) cosh t <= 2 (cosh t - 1)^2 / t^3, and there the coefficients of t and
 * t^3 are equal, all further ones at most 0 on the left and above 0 on the right. So F''((s + 1) z) <= F''(s z) + F''(z) and
 * F'(z) >= z F''(z) / 2; hence the second derivative in s of z s (s + 1) F'(z) + F(s z) + F(z) - F((s + 1) z) is at least 0,
 * its first and itself being 0 at s = 0. Harrison, Manurangsi (2026) prove the same; Cesar, Rogers (2021) prove e^2 / 8.
 *
 * With z = e/2 it is (z coth z - 1) + ln(sinh z / z). For small e that is summed as an alternating series with falling
 * terms, so two partial sums enclose it; else the closed form is evaluated outward (it loses at most 4 bits).
 *
 * Source: Dong, Durfee, Rogers (2020), Lemma 3.4 (their maximal KL divergence, rearranged).
 */
export function boundedRangeKl(epsilon: Enclosure): Enclosure {
  if (epsilon.lower >= SMALL) {
    const b = divide(epsilon, negate(expm1(negate(epsilon))));
    return subtract(subtract(b, exactly(1)), logarithm(b));
  }
  const z = multiply(epsilon, exactly(0.5));
  const square = multiply(z, z);
  let power = exactly(1);
  let [sum, before] = [exactly(0), exactly(0)];
  for (const [numerator, denominator] of SERIES) {
    power = multiply(power, square);
    before = sum;
    sum = add(sum, multiply(power, divide(exactly(numerator), exactly(denominator))));
  }
  return enclosure(Math.min(sum.lower, before.lower), Math.max(sum.upper, before.upper));
}

/**
 * The known bounds on a utility u(x, y) of outcomes y on data x: its range; or its sensitivity, the most that one u(x,
 * y) differs between neighbours, and whether it is monotonic: between two neighbours no utility goes up while another
 * goes down.
 */
export type UtilityChange =
  { readonly range: Decimal } | { readonly sensitivity: Decimal; readonly monotonic: boolean };

/**
 * The range of a utility: the largest u(x,y) - u(x',y) - u(x,y') + u(x',y') over neighbours x, x' and outcomes y, y'.
 *
 * It is at most 2 sensitivity, and equal to the sensitivity where u is monotonic [Dong, Durfee, Rogers 2020, Prop 1].
 */
export function utilityRange(change: UtilityChange): Decimal {
  if ('range' in change) return change.range;
  return change.monotonic ? change.sensitivity : change.sensitivity.times(2);
}

/**
 * The bounded-range parameter of the exponential mechanism that samples y with weight exp(c u(x, y)): c range(u)
 * [Dong, Durfee, Rogers 2020, Prop 2, where the weight is exp(e u(x, y) / range(u))].
 */
export const exponentialMechanismEpsilon = (coefficient: Decimal, change: UtilityChange): Decimal =>
  coefficient.times(utilityRange(change));

/** The noise added to each utility: Gumbel, Laplace, or one-sided exponential noise. */
type SelectionNoise = 'gumbel' | 'laplace' | 'exponential';

/**
 * The e that {@link noisyMax} has with noise of scale b: range(u) / b, rounded up at 60 digits.
 *
 * An outcome wins where its noise exceeds a threshold that the other noise sets, and that moves between neighbours by
 * at most range(u). All three kinds of noise have a hazard rate of at most 1 / b, so the chance to exceed it changes by
 * a factor of at most exp(range(u) / b). [Laplace: Dwork, Roth 2014, Claim 3.9, for counts, which are monotonic; Ding,
 * Wang, Zhang, Kifer 2019. Exponential: McKenna, Sheldon 2020.]
 */
export const noisyMaxEpsilon = (scale: Decimal, change: UtilityChange): Decimal =>
  quotientUp(utilityRange(change), scale);

/**
 * The guarantee of report-noisy-max, which adds independent noise to each utility and outputs which sum is the largest,
 * but not how large it is.
 *
 * With Gumbel noise of scale 1 / c it is the exponential mechanism with weight exp(c u(x, y)), so it has e-bounded range
 * [Durfee, Rogers 2019, Sec 4.1]. With exponential noise it is permute-and-flip [Ding, Kifer, Saghaian, Steinke, Wang,
 * Xiao, Zhang 2021]. With that or Laplace noise its range can exceed e (two equal utilities of which one rises), so that
 * only (e, 0)-DP is used.
 */
export const noisyMax = (noise: SelectionNoise, epsilon: Decimal): ApproximateDp | BoundedRange =>
  noise === 'gumbel' ? { type: 'bounded-range', epsilon } : { type: 'dp', epsilon, delta: ZERO };
