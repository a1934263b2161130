import type { Decimal } from '../numeric/decimal.ts';

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
