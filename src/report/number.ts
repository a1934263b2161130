import { Decimal, decimalFromDouble } from '../numeric/decimal.ts';
import type { Bracket, LowerBound } from '../numeric/enclosure.ts';

/** Digits a report shows of a bound. */
const DIGITS = 10;
/** Longest number of the user's that is repeated as written. */
const LONGEST = 20;

function plain(value: Decimal): string {
  if (value.isZero()) return '0';
  const text = value.e >= -4 && value.e < 15 ? value.toFixed() : value.toExponential();
  return text.replace('e+', 'e');
}

/** An upper bound to ten significant digits, rounded up: what is shown is never below what is certified. */
export function upperText(bracket: Bracket): string {
  if (bracket.upper === Infinity) return 'infinity';
  const value = bracket.exact === undefined ? decimalFromDouble(bracket.upper) : new Decimal(bracket.exact);
  return plain(value.toSignificantDigits(DIGITS, Decimal.ROUND_CEIL));
}

/** A lower bound to ten significant digits, rounded down: what is shown is never above what is certified. */
export function lowerText(lower: LowerBound): string {
  if (lower === Infinity) return 'infinity';
  return plain(decimalFromDouble(lower).toSignificantDigits(DIGITS, Decimal.ROUND_FLOOR));
}

/** A number of the user's as it is; beyond twenty digits to ten, rounded up. */
export function givenText(value: Decimal): string {
  const short = value.precision() <= LONGEST ? value : value.toSignificantDigits(DIGITS, Decimal.ROUND_CEIL);
  return plain(short);
}
