import { Decimal } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';

/** A value of a document whose numbers are exact: counts as doubles, all others as decimals or quotients. */
export type ExactValue =
  | string
  | number
  | boolean
  | null
  | Decimal
  | Rational
  | readonly ExactValue[]
  | { readonly [key: string]: ExactValue };

/** The same value with exact decimals and quotients as text; null and all else stay. */
export type TextValue = string | number | boolean | null | readonly TextValue[] | { readonly [key: string]: TextValue };

const isList = (value: ExactValue): value is readonly ExactValue[] => Array.isArray(value);

/** A value with its exact numbers as text, which every reader of JSON keeps. */
export function inTexts(value: ExactValue): TextValue {
  if (value instanceof Rational || Decimal.isDecimal(value)) return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(inTexts);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inTexts(member)]));
}

/** A value in a normal form: exact decimals are text. */
export type NormalValue = string | number | boolean | readonly NormalValue[] | { readonly [key: string]: NormalValue };
