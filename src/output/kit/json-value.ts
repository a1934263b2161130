import { Decimal, decimalFromDouble, toLower, toUpper } from '../../numeric/decimal.ts';
import { Rational, roundedDecimal } from '../../numeric/rational.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import { MAX_DIGITS, MAX_EXPONENT } from '../../document/core/decimal-text.ts';
import type { ExactValue } from '../../document/core/exact-value.ts';
import { NumberText } from '../../document/core/number-text.ts';

/** A value JSON can carry as it is; a `NumberText` is a number with all its digits. */
export type Json = string | number | boolean | null | NumberText | readonly Json[] | { readonly [key: string]: Json };

/** Members of an object. */
export type JsonMembers = Readonly<Record<string, Json>>;

/** JSON has no infinity, so it is spelled out; a NaN is a bug and never leaves the program. */
export function jsonNumber(x: number): Json {
  if (Number.isNaN(x)) throw new RangeError('a result is not a number');
  if (x === Infinity) return 'Infinity';
  if (x === -Infinity) return '-Infinity';
  return x === 0 ? 0 : x;
}

/** A number that was given, or is to be given, with all its digits. */
export const jsonDecimal = (value: Decimal): Json =>
  value.isFinite() ? new NumberText(value.toString()) : jsonNumber(value.toNumber());

/** To which side a number may be rounded so that what is said of it stays true. */
export type Side = 'up' | 'down';

/** Every decimal of so many digits, from 1e-300 to 1e300, is one that its nearest double is written as. */
const DOUBLE_DIGITS = 15;

const isWrittenByDouble = (value: Decimal): boolean =>
  value.precision() <= DOUBLE_DIGITS && Math.abs(value.e) <= MAX_EXPONENT;

/**
 * A decimal as a number: as it is where a double is written so, which keeps 0.3 at most 0.3 for who compares the two;
 * else the next double on one side that is on that side also as it is written, in 17 digits or less.
 */
export function jsonRounded(value: Decimal, side: Side): Json {
  if (!value.isFinite() || isWrittenByDouble(value)) return jsonDecimal(value);
  const next = side === 'up' ? toUpper(value) : toLower(value);
  if (!Number.isFinite(next)) return jsonNumber(next);
  const decimal = new Decimal(String(next));
  if (side === 'up') return jsonNumber(decimal.lt(value) ? nextUp(next) : next);
  return jsonNumber(decimal.gt(value) ? nextDown(next) : next);
}

/**
 * An end of an enclosure in digits: they are read as this double, and where that takes more than 15 are on this side of it themselves, so
 * that they stay true for who reads decimals. The shortest text of a double may lie up to half a rounding inside the end; of 15 digits
 * it is how a decimal that was typed, or a sum of such, is written: 0.3 stays 0.3 for who compares the two.
 */
export function boundText(x: number, side: Side): string {
  const shortest = String(x === 0 ? 0 : x);
  if (!Number.isFinite(x)) return shortest;
  const [exact, text] = [decimalFromDouble(x), new Decimal(shortest)];
  if (isWrittenByDouble(text) || (side === 'up' ? text.gte(exact) : text.lte(exact))) return shortest;
  const rounding = side === 'up' ? Decimal.ROUND_CEIL : Decimal.ROUND_FLOOR;
  const rounded = exact.toSignificantDigits(17, rounding);
  // A unit in the 18th digit is below half the distance between doubles on either side.
  return (rounded.toNumber() === x ? rounded : exact.toSignificantDigits(18, rounding)).toString();
}

/** The same as a number. */
export function jsonBound(x: number, side: Side): Json {
  if (!Number.isFinite(x)) return jsonNumber(x);
  const text = boundText(x, side);
  return text === String(x) ? x : new NumberText(text);
}

/** A quotient as a number where a decimal that can be read says the same; else as text, such as `1/3`. */
function quotient(value: Rational): Json {
  const decimal = roundedDecimal(value, MAX_DIGITS, 'down');
  const isSame = decimal.e >= -MAX_EXPONENT && Rational.ofDecimal(decimal).equals(value);
  return isSame ? jsonDecimal(decimal) : value.toString();
}

const isList = (value: ExactValue): value is readonly ExactValue[] => Array.isArray(value);

/** A part of a document, its numbers with all their digits: one that, read again, says the same. */
export function jsonForm(value: ExactValue): Json {
  if (Decimal.isDecimal(value)) return jsonDecimal(value);
  if (value instanceof Rational) return quotient(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(jsonForm);
  return jsonMembers(value);
}

/** The same of what has keys. */
export const jsonMembers = (value: Readonly<Record<string, ExactValue>>): JsonMembers =>
  Object.fromEntries(Object.entries(value).map(([key, member]) => [key, jsonForm(member)]));

function text(value: Json, indent: string, step: string): string {
  if (value instanceof NumberText) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const deeper = indent + step;
  const items = isArray
    ? (value as readonly Json[]).map((item) => text(item, deeper, step))
    : Object.entries(value).map(
        ([key, item]: [string, Json]) => `${JSON.stringify(key)}:${step === '' ? '' : ' '}${text(item, deeper, step)}`,
      );
  const [open, close] = isArray ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  const line = step === '' ? '' : `\n${deeper}`;
  return `${open}${line}${items.join(`,${line}`)}${step === '' ? '' : `\n${indent}`}${close}`;
}

/** A value in one line. */
export const jsonLine = (value: Json): string => text(value, '', '');

const STEP = '  ';

/**
 * The text of a document whose last member is a list, in pieces: it is made with none of its items, which follow one after the
 * other, so that they are never in memory together.
 */
export async function* jsonPieces(
  withoutItems: Json,
  items: AsyncIterable<readonly Json[]>,
): AsyncGenerator<string, void, undefined> {
  const whole = jsonDocument(withoutItems);
  const end = '[]\n}\n';
  if (!whole.endsWith(end)) throw new Error('The last member is no empty list.');
  yield whole.slice(0, -end.length);
  let before = '[';
  for await (const some of items) {
    const texts = some.map((item) => {
      const piece = `${before}\n${STEP}${STEP}${text(item, STEP + STEP, STEP)}`;
      before = ',';
      return piece;
    });
    yield texts.join('');
  }
  yield before === '[' ? end : `\n${STEP}]\n}\n`;
}

/** The text of a document. */
export const jsonDocument = (value: Json): string => `${text(value, '', STEP)}\n`;
