import { Decimal, toLower } from '../../numeric/decimal.ts';
import { enclosure, exactly } from '../../numeric/enclosure.ts';
import { logarithm } from '../../numeric/enclosure-arithmetic.ts';
import { gaussianLogDelta } from '../../privacy/gaussian-pair.ts';

const DIGITS = 12;

/** The sensitivity over the standard deviation lies between these. */
const LEAST = 1e-150;
const MOST = 1e60;

/**
 * A standard deviation of Gaussian noise that makes a statistic of sensitivity 1 (epsilon, delta)-DP, epsilon > 0 and
 * 0 < delta < 1, both at least 1e-100: the least one, rounded up at 12 digits.
 *
 * Errs to more noise. Source: Balle, Wang (2018), Theorem 8 and Algorithm 1.
 */
export function gaussianNoise(epsilon: Decimal, delta: Decimal): Decimal {
  const target = logarithm(exactly(toLower(delta))).lower;
  const low = toLower(epsilon);
  const suffices = (mu: number): boolean => gaussianLogDelta(exactly(mu), enclosure(low, low)).upper <= target;
  let [enough, tooLittle] = [LEAST, MOST];
  for (let step = 0; step < 200; step++) {
    const middle = Math.sqrt(enough * tooLittle);
    if (middle <= enough || middle >= tooLittle) break;
    if (suffices(middle)) enough = middle;
    else tooLittle = middle;
  }
  const Up = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_UP });
  return new Decimal(new Up(1).div(enough));
}
