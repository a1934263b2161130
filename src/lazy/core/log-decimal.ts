import { Decimal, encloseDecimal } from '../../numeric/decimal.ts';
import { logarithm, multiply, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';

/** Below this doubles lose digits, and then everything. */
const SMALLEST = new Decimal('1e-290');

/** ln x of a decimal x > 0, however small: where doubles would underflow, of x 10^k less k ln 10. */
export function logDecimal(x: Decimal): Enclosure {
  if (x.gte(SMALLEST)) return logarithm(encloseDecimal(x));
  const shift = -x.e;
  const shifted = logarithm(encloseDecimal(x.times(new Decimal(10).pow(shift))));
  return subtract(shifted, multiply(exactly(shift), logarithm(exactly(10))));
}
