import { bracketRoot } from '../../numeric/bracket-root.ts';
import { decimalFromDouble, toLower, type Decimal, toUpper } from '../../numeric/decimal.ts';
import {
  DOUBLE_DOUBLE_ERROR,
  difference,
  fromDecimal,
  fromDouble,
  toDouble,
  type DoubleDouble,
} from '../../numeric/double-double.ts';
import { asLower, asUpper, type Bracket, enclosure, type Enclosure } from '../../numeric/enclosure.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';
import { solveEpsilon, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';

const larger = (a: Bracket, b: Bracket): Bracket => ({
  lower: a.lower === null || b.lower === null ? null : asLower(Math.max(a.lower, b.lower)),
  upper: asUpper(Math.max(a.upper, b.upper)),
});

/** The larger of two privacy curves, at every epsilon; a lower end only where both have one. */
export const largerCurve = (a: PrivacyCurve, b: PrivacyCurve): PrivacyCurve => ({
  delta: (epsilon) => larger(a.delta(epsilon), b.delta(epsilon)),
  epsilon: (delta) => larger(a.epsilon(delta), b.epsilon(delta)),
});

/** Whether a curve is at most `delta` at the epsilon of another one there, so that its own epsilon is no larger. */
function isBelow(curve: PrivacyCurve, { lower, upper }: Bracket, delta: Decimal): boolean {
  const epsilon = lower ?? upper;
  return epsilon < Infinity && curve.delta(decimalFromDouble(epsilon)).upper <= toLower(delta);
}

/** The same where the first one usually is the larger, so that one look at the second is enough. */
export const usuallyFirst = (first: PrivacyCurve, second: PrivacyCurve): PrivacyCurve => ({
  delta: (epsilon) => larger(first.delta(epsilon), second.delta(epsilon)),
  epsilon(delta) {
    const firstEpsilon = first.epsilon(delta);
    // That a delta has epsilon 0 may be known of both without a look at either.
    if (firstEpsilon.upper === 0) return larger(firstEpsilon, second.epsilon(delta));
    return isBelow(second, firstEpsilon, delta) ? firstEpsilon : larger(firstEpsilon, second.epsilon(delta));
  },
});

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
