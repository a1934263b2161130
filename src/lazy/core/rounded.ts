import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';

/** Digits of parameters that a formula gives: more than anyone sets, few enough to be the same on every machine. */
const DIGITS = 10;

/** A positive double to ten significant digits, rounded down. */
export const roundedDown = (x: number, digits = DIGITS): Decimal =>
  decimalFromDouble(x).toSignificantDigits(digits, Decimal.ROUND_DOWN);

/** A positive double to ten significant digits, rounded up. */
export const roundedUp = (x: number, digits = DIGITS): Decimal =>
  decimalFromDouble(x).toSignificantDigits(digits, Decimal.ROUND_UP);
