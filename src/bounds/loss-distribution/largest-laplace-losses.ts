import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import {
  add,
  expm1,
  exponential,
  logarithm,
  multiply,
  negate,
  subtract,
  times,
} from '../../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { totalEpsilon, type PureGroup } from '../../privacy/pure-group.ts';
import { besideLargestLoss } from '../core/beside-largest-loss.ts';

const HALF = exactly(0.5);

/** The sum over k >= 1 of C(n, k) 2^-k x^(k+1) / (k+1)!, rounded up, and what of it is certain. */
function seriesAt(n: number, { lower, upper }: Enclosure): Enclosure {
  const sumAt = (x: number): { sum: number; error: number } => {
    let [term, ratio, sum, k] = [(n / 4) * x * x, 1, 0, 1];
    for (; k <= n && (ratio > 0.5 || term > U * sum); k++) {
      sum += term;
      ratio = ((n - k) / (k + 1)) * (x / (2 * (k + 2)));
      term *= ratio;
    }
    // From here on terms fall by half at least.
    return { sum, error: 16 * (k + 4) * U * sum + 2 * term };
  };
  const [least, most] = [sumAt(lower), sumAt(upper)];
  return enclosure(Math.max(0, least.sum - least.error), most.sum + most.error);
}

/**
 * The curve of n equal Laplace mechanisms next to their largest loss n e. Each loss is e - t with t = 0 of probability 1/2,
 * of density e^(-t/2) / 4 below 2e, and 2e with the rest. For a distance x <= 2e only losses with all t below 2e count:
 *     delta = 2^-n (1 - e^-x) + sum over k of C(n, k) 2^-(n + k) int_0^x t^(k-1) / (k-1)! e^(-t/2) (1 - e^(t - x)) dt.
 * Each integral lies between e^(-x/2) (1 - x/2) times and once x^(k+1) / (k+1)!. Up to x^2 = tolerance / n all of them
 * together vary by less than the tolerance; up to half of the largest loss epsilon does too.
 *
 * Source: derived.
 */
export function withLargestLaplaceLosses(group: PureGroup, tolerance: number, curve: FiniteLossCurve): FiniteLossCurve {
  const { epsilon, count } = group;
  const logDelta = (x: Enclosure): Enclosure => {
    const damped = multiply(exponential(negate(multiply(HALF, x))), subtract(exactly(1), multiply(HALF, x)));
    const others = multiply(enclosure(damped.lower, 1), seriesAt(count, x));
    return subtract(logarithm(add(negate(expm1(negate(x))), others)), times(count, logarithm(exactly(2))));
  };
  const maximum = totalEpsilon([group]);
  const reach = Decimal.min(maximum.div(2), epsilon.times(2), decimalFromDouble(Math.sqrt(tolerance / count)));
  return besideLargestLoss({ maximum, reach, logDelta }, curve);
}
