import { Decimal } from '../numeric/decimal.ts';
import { quotientUp } from '../numeric/quotient.ts';
import { utilityRange, type UtilityChange } from './exponential-mechanism.ts';
import type { ApproximateDp, BoundedRange } from './mechanism.ts';

/** The noise added to each utility: Gumbel, Laplace, or one-sided exponential noise. */
export type SelectionNoise = 'gumbel' | 'laplace' | 'exponential';

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
  noise === 'gumbel' ? { type: 'bounded-range', epsilon } : { type: 'dp', epsilon, delta: new Decimal(0) };
