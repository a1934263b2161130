import { add, divide, expm1, logarithm, multiply, negate, subtract } from '../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../numeric/enclosure.ts';

/** Below this the closed form cancels. */
const SMALL = 0.25;

/** Coefficients of z^2, z^4, ... in (z coth z - 1) + ln(sinh z / z); they alternate and fall for z < 1. */
const SERIES = [
  [1, 2],
  [-1, 36],
  [1, 405],
  [-1, 4200],
  [11, 467775],
] as const;

/**
 * The largest expected loss of an e-bounded-range mechanism, b - 1 - ln b with b = e / (1 - e^-e); e > 0.
 *
 * With z = e/2 it is (z coth z - 1) + ln(sinh z / z). For small e that is summed as an alternating series with falling
 * terms, so two partial sums enclose it; else the closed form is evaluated outward (it loses at most 4 bits).
 *
 * Source: Dong, Durfee, Rogers (2020), Lemma 3.4 (their maximal KL divergence, rearranged).
 */
export function boundedRangeKl(epsilon: Enclosure): Enclosure {
  if (epsilon.lower >= SMALL) {
    const b = divide(epsilon, negate(expm1(negate(epsilon))));
    return subtract(subtract(b, exactly(1)), logarithm(b));
  }
  const z = multiply(epsilon, exactly(0.5));
  const square = multiply(z, z);
  let power = exactly(1);
  let [sum, before] = [exactly(0), exactly(0)];
  for (const [numerator, denominator] of SERIES) {
    power = multiply(power, square);
    before = sum;
    sum = add(sum, multiply(power, divide(exactly(numerator), exactly(denominator))));
  }
  return enclosure(Math.min(sum.lower, before.lower), Math.max(sum.upper, before.upper));
}
