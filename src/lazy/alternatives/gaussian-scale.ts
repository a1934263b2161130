import { gaussianNoise, LARGEST_EPSILON, LEAST_DELTA } from '../../bounds/closed-form/gaussian-noise.ts';
import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { add, divide, negate, squareRoot, times } from '../../numeric/enclosure-arithmetic.ts';
import { enclosure, type Enclosure } from '../../numeric/enclosure.ts';
import { logDecimal } from '../core/log-decimal.ts';

/**
 * The standard deviation of Gaussian noise that certainly makes a statistic of sensitivity 1 (epsilon, delta)-DP: the smallest of 12
 * digits ({@link gaussianNoise}); for a delta below 1e-150, where that is not computed, 1 / mu of mu = sqrt(t^2 + 2 epsilon) - t,
 * t = sqrt(2 ln(1/delta)), for which delta(epsilon) <= Phi(mu/2 - epsilon/mu) = Phi(-t) <= e^(-t^2 / 2).
 */
export function gaussianScale(epsilon: Decimal, delta: Decimal): Enclosure {
  if (delta.gte(LEAST_DELTA) && epsilon.lte(LARGEST_EPSILON)) return encloseDecimal(gaussianNoise(epsilon, delta));
  const squared = times(2, negate(logDecimal(delta)));
  const [t, twice] = [squareRoot(squared), times(2, encloseDecimal(epsilon))];
  const sum = add(squareRoot(add(squared, twice)), t);
  return enclosure(0, divide(sum, twice).upper);
}
