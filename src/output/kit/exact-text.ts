import type { Interval } from '../../bounds/precise/interval.ts';
import { toLower, toUpper } from '../../numeric/decimal.ts';
import { enclosure, type Bracket, type Enclosure } from '../../numeric/enclosure.ts';
import { roundedDecimal, type Rational } from '../../numeric/rational.ts';
import { decimalText, DIGITS, givenText } from './number.ts';

/** Longest fraction that is shown as it is. */
const LONGEST = 20;

/** Doubles on both sides of an interval of decimals. */
export const enclosureOf = ({ lower, upper }: Interval): Enclosure => enclosure(toLower(lower), toUpper(upper));

/** The same, with the value where the interval is a single one. */
export function bracketOf(interval: Interval): Enclosure & Pick<Bracket, 'exact'> {
  const ends = enclosureOf(interval);
  return interval.lower.eq(interval.upper) ? { ...ends, exact: interval.upper.toString() } : ends;
}

/** The upper end of an interval of decimals to ten significant digits, rounded up. */
export const intervalText = ({ upper }: Interval): string => decimalText(upper, 'up');

/** `3/4 = 0.75`; `0.7175704636` where the fraction is long, rounded up; `1` where it is whole. */
export function rationalText(value: Rational): string {
  const fraction = value.toString();
  const decimal = roundedDecimal(value, DIGITS, 'up');
  const text = givenText(decimal);
  if (value.denominator === 1n) return text;
  const exact = roundedDecimal(value, DIGITS, 'down').eq(decimal);
  return fraction.length > LONGEST ? text : `${fraction} ${exact ? '=' : '<'} ${text}`;
}
