import { toUpper, type Decimal } from '../../numeric/decimal.ts';
import { DOUBLE_DOUBLE_ERROR, difference, fromDecimal, fromDouble, toDouble } from '../../numeric/double-double.ts';
import type { DoubleDouble } from '../../numeric/double-double.ts';
import { enclosure, type Enclosure } from '../../numeric/enclosure.ts';
import { bracketRoot } from '../../numeric/bracket-root.ts';
import { solveEpsilon, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';

/** What ln delta is next to the largest loss, by the distance to it. */
interface Beside {
  readonly maximum: Decimal;
  /** The largest distance at which `logDelta` holds. */
  readonly reach: Decimal;
  readonly logDelta: (gap: Enclosure) => Enclosure;
}

/** A curve with a closed form next to its largest loss, of which the distance is exact to some 30 digits. */
export function besideLargestLoss({ maximum, reach, logDelta }: Beside, curve: FiniteLossCurve): FiniteLossCurve {
  const [total, from] = [fromDecimal(maximum), fromDecimal(maximum.minus(reach))];
  const isBeside = (epsilon: DoubleDouble): boolean => toDouble(difference(epsilon, from)) >= 0;
  const logDeltaAt = (epsilon: DoubleDouble): Enclosure => {
    if (!isBeside(epsilon)) return curve.logDelta(epsilon);
    const gap = toDouble(difference(total, epsilon));
    const error = 4 * DOUBLE_DOUBLE_ERROR * toDouble(total) + 2 ** -52 * Math.abs(gap);
    return logDelta(enclosure(Math.max(0, gap - error), Math.max(0, gap + error)));
  };
  return {
    maximum,
    logDelta: logDeltaAt,
    epsilon(target) {
      const [start, to] = [toUpper(maximum.minus(reach)), toUpper(maximum)];
      const evaluate = (x: number): Enclosure => logDeltaAt(fromDouble(x));
      const isFar = !(start < to) || !(evaluate(start).lower > target.upper);
      return isFar ? solveEpsilon(curve, target) : bracketRoot({ evaluate, target, from: start, to });
    },
  };
}
