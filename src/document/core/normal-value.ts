/** A value in a normal form: exact decimals are text. */
export type NormalValue = string | number | boolean | readonly NormalValue[] | { readonly [key: string]: NormalValue };
