import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { add, multiply, divide, negate, squareRoot, subtract, times } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, enclosure, type Enclosure } from '../../numeric/enclosure.ts';
import { pureKl, type PureGroup } from '../../privacy/pure.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';

/** The two sums of advanced composition: m = sum e_i tanh(e_i / 2) and v = sum e_i^2. */
interface MeanAndSquares {
  readonly mean: Enclosure;
  readonly squares: Enclosure;
}

export function meanAndSquares(groups: readonly PureGroup[]): MeanAndSquares {
  let [mean, squares] = [exactly(0), exactly(0)];
  for (const { epsilon, count } of groups) {
    const e = encloseDecimal(epsilon);
    mean = add(mean, multiply(exactly(count), pureKl(e)));
    squares = add(squares, multiply(exactly(count), multiply(e, e)));
  }
  return { mean, squares };
}

/**
 * The curve eps = mean + sqrt(scale ln(1 / delta)), delta = e^(-(eps - mean)^2 / scale) above the mean: what
 * concentration of a sum of bounded losses gives. As an upper bound, cut at the largest loss by its user.
 */
export function subgaussianCurve(mean: Enclosure, scale: Enclosure, maximum: Decimal): FiniteLossCurve {
  return {
    maximum,
    logDelta(epsilon) {
      const distance = subtract(enclosure(epsilon.high + Math.min(0, epsilon.low), epsilon.high), mean);
      if (distance.lower <= 0) return enclosure(-Infinity, 0);
      return enclosure(-Infinity, negate(divide(multiply(distance, distance), scale)).upper);
    },
    epsilon: (logDelta) =>
      add(mean, squareRoot(multiply(scale, negate(enclosure(logDelta.lower, Math.min(0, logDelta.upper)))))),
  };
}

/** 2 v, for the (e, 0)-DP form. */
export const twice = (squares: Enclosure): Enclosure => times(2, squares);

/** v / 2, for the bounded-range form: losses lie in intervals half as long. */
export const half = (squares: Enclosure): Enclosure => times(0.5, squares);
