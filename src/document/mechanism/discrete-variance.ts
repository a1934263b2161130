import { Rational } from '../../numeric/rational.ts';
import { rationalField } from '../core/rational-field.ts';

const SMALLEST = Rational.of(1, 10_000);
const LARGEST = Rational.of(40_000_000_000n);

/** sigma^2 of discrete Gaussian noise, of the same range as sigma. */
export const discreteVariance = rationalField({
  name: 'variance',
  allowed: 'a number or a quotient from 0.0001 to 4e10',
  example: '"10000/11"',
  inRange: (value) => value.compare(SMALLEST) >= 0 && value.compare(LARGEST) <= 0,
  description: 'The parameter sigma^2 of discrete Gaussian noise, from 0.0001 to 4e10',
  range: { minimum: 1e-4, maximum: 4e10 },
});
