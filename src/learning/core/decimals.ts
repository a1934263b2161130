import { Decimal, decimalFromDouble, encloseDecimal } from '../../numeric/decimal.ts';
import { logarithm, multiply, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';

/** Digits of parameters that a formula gives: more than anyone sets, few enough to be the same on every machine. */
const DIGITS = 10;

/** A positive double to ten significant digits, rounded down. */
export const roundedDown = (x: number, digits = DIGITS): Decimal =>
  decimalFromDouble(x).toSignificantDigits(digits, Decimal.ROUND_DOWN);

/** A positive double to ten significant digits, rounded up. */
export const roundedUp = (x: number, digits = DIGITS): Decimal =>
  decimalFromDouble(x).toSignificantDigits(digits, Decimal.ROUND_UP);

/** Below this doubles lose digits, and then everything. */
const SMALLEST = new Decimal('1e-290');

/** ln x of a decimal x > 0, however small: where doubles would underflow, of x 10^k less k ln 10. */
export function logDecimal(x: Decimal): Enclosure {
  if (x.gte(SMALLEST)) return logarithm(encloseDecimal(x));
  const shift = -x.e;
  const shifted = logarithm(encloseDecimal(x.times(new Decimal(10).pow(shift))));
  return subtract(shifted, multiply(exactly(shift), logarithm(exactly(10))));
}
