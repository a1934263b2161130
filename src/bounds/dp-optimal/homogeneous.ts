import type { Decimal } from '../../numeric/decimal.ts';
import { DOUBLE_DOUBLE_ERROR, difference, scaled, toDouble, type DoubleDouble } from '../../numeric/double-double.ts';
import type { Enclosure } from '../../numeric/enclosure.ts';
import { logBinomialHockeyStick } from '../../numeric/binomial-hockey-stick.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { randomizedResponse } from '../../privacy/randomized-response.ts';

/**
 * The optimal composition of k mechanisms that are (e, 0)-DP, e > 0: ln of
 * D(eps) = sum_i C(k,i) p^i (1-p)^(k-i) max(0, 1 - e^(eps - (k-2i) e)), p = 1/(1+e^e).
 *
 * A binomial sum over the indices whose loss (k-2i)e exceeds eps, all terms positive. The number of those indices and
 * the smallest excess are computed in double-double arithmetic, since (k-2i)e - eps may cancel.
 *
 * Source: Kairouz, Oh, Viswanath, "The composition theorem for differential privacy" (2015), Theorem 3.3, for every
 * real eps (there only on the grid (k-2i)e); the same as Murtagh, Vadhan (2016), Theorem 1.4.
 */
export function homogeneousOptimum(epsilonEach: Decimal, count: number): FiniteLossCurve {
  const { epsilon: e, minus } = randomizedResponse(epsilonEach);
  const largest = scaled(e, count);
  const step = 2 * toDouble(e);

  const logDelta = (epsilon: DoubleDouble): Enclosure => {
    const excessAt = (i: number): number => toDouble(difference(difference(largest, scaled(e, 2 * i)), epsilon));
    let last = Math.max(0, Math.min(count, Math.floor(toDouble(difference(largest, epsilon)) / step)));
    while (last > 0 && excessAt(last) < 0) last--;
    while (last < count && excessAt(last + 1) >= 0) last++;
    const magnitude = toDouble(largest) + Math.abs(epsilon.high);
    return logBinomialHockeyStick({
      trials: count,
      probability: minus,
      last,
      excess: Math.max(0, excessAt(last)),
      excessError: 8 * DOUBLE_DOUBLE_ERROR * magnitude,
      step,
    });
  };

  return { maximum: epsilonEach.times(count), logDelta };
}
