import { type Decimal, ZERO } from '../numeric/decimal.ts';
import { quotientUp } from '../numeric/round-up.ts';
import type { ApproximateDp, BoundedRange } from './mechanism.ts';

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
