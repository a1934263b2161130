import {
  DOUBLE_DOUBLE_ERROR,
  difference,
  fromDecimal,
  fromDouble,
  toDouble,
  type DoubleDouble,
} from '../../numeric/double-double.ts';
import { add, divide, expm1, logarithm, negate, subtract, times } from '../../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { bracketRoot } from '../../numeric/bracket-root.ts';
import { solveEpsilon, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { encloseDecimal, toUpper } from '../../numeric/decimal.ts';
import { mechanismsOf, totalEpsilon, type PureGroup } from '../../privacy/pure-group.ts';

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
export function besideLargestLoss(groups: readonly PureGroup[], curve: FiniteLossCurve): FiniteLossCurve {
  const maximum = totalEpsilon(groups);
  const total = fromDecimal(maximum);
  const least = groups.reduce((e, { epsilon }) => (epsilon.lt(e) ? epsilon : e), groups[0]!.epsilon);
  const from = fromDecimal(maximum.minus(least));
  const parts = mechanismsOf(groups) + 1;
  const wholes = groups
    .map(({ epsilon, count }) => times(count, logComplement(encloseDecimal(epsilon))))
    .reduce(add, exactly(0));
  const isBeside = (epsilon: DoubleDouble): boolean => toDouble(difference(epsilon, from)) >= 0;
  const logDelta = (epsilon: DoubleDouble): Enclosure => {
    if (!isBeside(epsilon)) return curve.logDelta(epsilon);
    const gap = toDouble(difference(total, epsilon));
    const error = 4 * DOUBLE_DOUBLE_ERROR * toDouble(total) + 2 ** -52 * Math.abs(gap);
    const part = divide(enclosure(Math.max(0, gap - error), Math.max(0, gap + error)), exactly(parts));
    return subtract(times(parts, logComplement(part)), wholes);
  };
  return {
    maximum,
    logDelta,
    epsilon(target) {
      const [start, to] = [toUpper(maximum.minus(least)), toUpper(maximum)];
      const evaluate = (x: number): Enclosure => logDelta(fromDouble(x));
      const isFar = !(start < to) || !(evaluate(start).lower > target.upper);
      return isFar ? solveEpsilon(curve, target) : bracketRoot({ evaluate, target, from: start, to });
    },
  };
}
