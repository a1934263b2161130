import { Decimal, decimalFromDouble } from '../../../numeric/decimal.ts';
import type { Enclosure } from '../../../numeric/enclosure.ts';
import { givenText, shortText } from '../../kit/number.ts';
import { grouped } from '../../kit/prose.ts';

/** Digits shown of what is no bound. */
const DIGITS = 4;

/** From here on numbers are shown whole, with their thousands marked. */
const LARGE = 9999.5;
const HUGE = 1e15;

/** A number that is no bound, to four significant digits. */
export function aboutText(x: number): string {
  if (!Number.isFinite(x)) return x > 0 ? 'infinity' : '-infinity';
  if (Math.abs(x) >= LARGE && Math.abs(x) < HUGE) return grouped(Math.round(x));
  return givenText(decimalFromDouble(x).toSignificantDigits(DIGITS));
}

/** A number that is only claimed, to four significant digits; what is 0 up to rounding is 0. */
export const claimText = ({ lower, upper }: Enclosure): string => (lower <= 0 ? '0' : aboutText(upper));

/** An upper bound, rounded up: large ones to a whole number, others to four significant digits. */
export function mostText(x: number): string {
  if (x >= LARGE && x < HUGE) return grouped(Math.ceil(x));
  return shortText(x, 'up');
}

/** A lower bound, rounded down to four significant digits. */
export const leastText = (x: number): string => shortText(x, 'down');

/** A parameter as it is; beyond six digits rounded for reading, which the JSON output does not do. */
export function parameterText(value: Decimal): string {
  return givenText(value.precision() <= 6 ? value : new Decimal(value.toSignificantDigits(6)));
}

/** A probability as a parameter; where it is so close to 1 that it would be shown as 1, what is missing to 1. */
export function probabilityText(value: Decimal): string {
  const text = parameterText(value);
  return text === '1' && !value.eq(1) ? `1 - ${parameterText(new Decimal(1).minus(value))}` : text;
}

/** A whole count, grouped; beyond what doubles count, about. */
export const countText = (x: number): string => (Number.isSafeInteger(x) ? grouped(x) : aboutText(x));
