import { Decimal } from '../../numeric/decimal.ts';
import { Rational, roundedDecimal } from '../../numeric/rational.ts';
import { readDecimal } from '../core/decimal-text.ts';
import { NumberText } from '../core/number-text.ts';
import type { JsonValue } from '../syntax/json-read.ts';

/** The decimal that a value writes; null if it is no number. */
export function decimalIn(value: JsonValue | undefined): Decimal | null {
  const text = value instanceof NumberText ? value.text : value;
  const number = typeof text === 'string' ? readDecimal(text) : null;
  return Decimal.isDecimal(number) ? number : null;
}

/** Two decimals with a stroke between them, the second above 0. */
export interface Quotient {
  readonly above: Decimal;
  readonly below: Decimal;
}

/** The quotient of decimals that a text writes, as in Python: `10/3`, `1/0.1`; null of all else. */
export function quotientIn(value: JsonValue | undefined): Quotient | null {
  if (typeof value !== 'string') return null;
  const [above, below, ...more] = value.split('/');
  const [a, b] = [decimalIn(above), decimalIn(below)];
  return a === null || b === null || b.lte(0) || more.length > 0 ? null : { above: a, below: b };
}

/** The most digits of a quotient that is written as a decimal. */
const SHORT = 20;

/** A quotient of decimals as a decimal where that has few digits, else with a stroke: exact in either case. */
export function quotientText(above: Decimal, below: Decimal): string {
  const exact = Rational.ofDecimal(above).over(Rational.ofDecimal(below));
  const rounded = roundedDecimal(exact, SHORT, 'down');
  return Rational.ofDecimal(rounded).equals(exact) ? rounded.toString() : `${above.toString()}/${below.toString()}`;
}

/** Digits to which a quotient is rounded. */
const QUOTIENT = Decimal.clone({ precision: 50, rounding: Decimal.ROUND_DOWN });

/** 1 / a, of which more than 50 digits are rounded down: less noise is claimed, never more. What is no number above 0 stays as it is. */
export function reciprocal(value: JsonValue): JsonValue {
  const number = decimalIn(value);
  const { above, below } = quotientIn(value) ?? { above: number, below: new Decimal(1) };
  if (above === null || above.lte(0)) return value;
  return (above.eq(1) ? below : new QUOTIENT(below).div(above)).toString();
}

/** Twice a number, exactly; what is none stays as it is. */
export function twice(value: JsonValue): JsonValue {
  const number = decimalIn(value);
  return number === null ? value : new NumberText(number.plus(number).toString());
}
