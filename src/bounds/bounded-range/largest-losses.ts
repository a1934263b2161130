import { encloseDecimal } from '../../numeric/decimal.ts';
import { add, divide, expm1, logarithm, negate, subtract, times } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { mechanismsOf, totalEpsilon, type PureGroup } from '../../privacy/pure.ts';
import { besideLargestLoss } from '../core/beside-largest-loss.ts';

/** ln(1 - e^-x), x >= 0. */
const logComplement = (x: Enclosure): Enclosure => logarithm(negate(expm1(negate(x))));

/**
 * The curve of bounded-range mechanisms, adaptive or not, where epsilon is within the smallest parameter of the largest
 * loss: after one smaller loss nothing can exceed epsilon, so only t's along one path count, and
 * delta = prod (1 - e^-d_i) / (1 - e^-e_i) times 1 - e^-(g - sum d_i), d_i = e_i - t_i, g the distance to the largest loss.
 * The logarithm is a sum of n + 1 equal concave functions of numbers that add up to g: all are g / (n + 1).
 *
 * Source: derived.
 */
export function withLargestLosses(groups: readonly PureGroup[], curve: FiniteLossCurve): FiniteLossCurve {
  const parts = mechanismsOf(groups) + 1;
  const wholes = groups
    .map(({ epsilon, count }) => times(count, logComplement(encloseDecimal(epsilon))))
    .reduce(add, exactly(0));
  const reach = groups.reduce((e, { epsilon }) => (epsilon.lt(e) ? epsilon : e), groups[0]!.epsilon);
  const logDelta = (gap: Enclosure): Enclosure =>
    subtract(times(parts, logComplement(divide(gap, exactly(parts)))), wholes);
  return besideLargestLoss({ maximum: totalEpsilon(groups), reach, logDelta }, curve);
}
