import type { Bracket } from '../numeric/enclosure.ts';

/** A value JSON can carry as it is. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** JSON has no infinity, so it is spelled out; a NaN is a bug and never leaves the program. */
export function jsonNumber(x: number): Json {
  if (Number.isNaN(x)) throw new RangeError('a result is not a number');
  if (x === Infinity) return 'Infinity';
  if (x === -Infinity) return '-Infinity';
  return x === 0 ? 0 : x;
}

/** Both ends; `lower` is null where none is known. */
export const jsonBracket = ({ lower, upper }: Bracket): Json => ({
  lower: lower === null ? null : jsonNumber(lower),
  upper: jsonNumber(upper),
});

/** The text of a document. */
export const jsonDocument = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
