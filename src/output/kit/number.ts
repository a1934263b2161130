import { Decimal, decimalFromDouble, exactUpper, toLower, toUpper } from '../../numeric/decimal.ts';
import { type Bracket, type Enclosure, type LowerBound, enclosure } from '../../numeric/enclosure.ts';
import type { Query } from '../../privacy/curve.ts';
import type { Interval } from '../../bounds/precise/interval.ts';
import { roundedDecimal, type Rational } from '../../numeric/rational.ts';

/** Digits a report shows of a bound. */
export const DIGITS = 10;
/** Digits it shows of a gap. */
const SHORT_DIGITS = 4;
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
  return plain(exactUpper(bracket).toSignificantDigits(DIGITS, Decimal.ROUND_CEIL));
}

/** A lower bound to ten significant digits, rounded down: what is shown is never above what is certified. */
export function lowerText(lower: LowerBound): string {
  if (lower === Infinity) return 'infinity';
  return plain(decimalFromDouble(lower).toSignificantDigits(DIGITS, Decimal.ROUND_FLOOR));
}

/** A decimal to ten significant digits, rounded in one direction. */
export function decimalText(value: Decimal, direction: 'down' | 'up'): string {
  if (!value.isFinite()) return 'infinity';
  return plain(value.toSignificantDigits(DIGITS, direction === 'down' ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL));
}

/** A number of the user's as it is; beyond twenty digits to ten, rounded up. */
export function givenText(value: Decimal): string {
  const short = value.precision() <= LONGEST ? value : value.toSignificantDigits(DIGITS, Decimal.ROUND_CEIL);
  return plain(short);
}

/**
 * A number of the user's, digit for digit: where a claim is made at it, as of a rate or a prior, and may not hold at one that is
 * rounded, whichever way.
 */
export const exactGivenText = (value: Decimal): string => plain(value);

/** Closer than this, relatively, two ends are one number to a reader. */
const SAME = 1e-6;

/** Whether a reader may take two ends for one number. */
export const meet = (lower: number, upper: number): boolean =>
  lower >= upper || (upper < Infinity && upper - lower <= SAME * Math.abs(upper));

/** `2.25083 to 2.25095`, rounded outward; where the ends meet only the upper one. */
export function bracketText(bracket: Bracket): string {
  const upper = upperText(bracket);
  if (bracket.lower === null || meet(bracket.lower, bracket.upper)) return upper;
  return `${lowerText(bracket.lower)} to ${upper}`;
}

/** `0.8766 to 0.8828`: both ends `times` as large to four significant digits, rounded outward; one where they agree. */
export function shortRangeText({ lower, upper }: Enclosure, times = 1): string {
  const [low, high] = [shortText(lower, 'down', times), shortText(upper, 'up', times)];
  return low === high ? high : `${low} to ${high}`;
}

/** `times` a number to four significant digits, rounded in one direction. */
export function shortText(x: number, direction: 'down' | 'up', times = 1): string {
  if (x === Infinity) return 'infinity';
  const rounding = direction === 'down' ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL;
  return plain(decimalFromDouble(x).times(times).toSignificantDigits(SHORT_DIGITS, rounding));
}

/** A difference with its sign, to four significant digits, rounded away from 0: `+0.5`, `-0.25`, `0`. */
export function signedText(value: Decimal): string {
  const rounded = value.toSignificantDigits(SHORT_DIGITS, Decimal.ROUND_UP);
  return rounded.isPositive() && !rounded.isZero() ? `+${plain(rounded)}` : plain(rounded);
}

const FEW_DIGITS = 3;
/** Of what is compared with a coin. */
export const GUESS_DIGITS = 4;
const MOST_DIGITS = 10;

/** A number in few digits, rounded up. */
export const shortUp = (value: Decimal, digits = FEW_DIGITS): string =>
  givenText(new Decimal(value).toSignificantDigits(digits, Decimal.ROUND_UP));

/**
 * How many times in 100 a probability of at most `upper` is, rounded up, in more digits where few would say 100; null for
 * a probability of about 1.
 */
export function percent({ upper }: { readonly upper: number }, digits = FEW_DIGITS): string | null {
  const times = decimalFromDouble(upper).times(100);
  for (let figures = digits; figures <= MOST_DIGITS; figures++) {
    if (times.toSignificantDigits(figures, Decimal.ROUND_UP).lt(100)) return shortUp(times, figures);
  }
  return null;
}

/** `delta 1e-6`: what is given. */
export const givenIn = (query: Query): string =>
  query.solveFor === 'epsilon' ? `delta ${givenText(query.delta)}` : `epsilon ${givenText(query.epsilon)}`;

/** `epsilon at delta 1e-6`: what is asked. */
export const queryText = (query: Query): string => `${query.solveFor} at ${givenIn(query)}`;

/** `(2.14, 1e-6)`: what is given beside the upper end of what is asked. */
export const pairText = (query: Query, value: Bracket): string =>
  query.solveFor === 'epsilon'
    ? `(${upperText(value)}, ${givenText(query.delta)})`
    : `(${givenText(query.epsilon)}, ${upperText(value)})`;

/** Longest fraction that is shown as it is. */
const LONGEST_FRACTION = 20;

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
  return fraction.length > LONGEST_FRACTION ? text : `${fraction} ${exact ? '=' : '<'} ${text}`;
}
