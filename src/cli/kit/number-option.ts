import type { Decimal } from '../../numeric/decimal.ts';
import { readDecimal } from '../../document/core/decimal-text.ts';
import { readRounded } from '../../document/core/rational-text.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';

/** An option that takes a number, and which numbers it takes. */
export interface NumberRange {
  readonly flag: string;
  /** In words, after "must be". */
  readonly allowed: string;
  readonly example: string;
  readonly contains: (value: Decimal) => boolean;
  /** The side of less privacy, to which a quotient that is no short decimal is rounded; absent: no quotient is taken. */
  readonly rounds?: 'down' | 'up';
}

/** Whole numbers, both ends included. */
export const wholeNumber = (
  flag: string,
  example: string,
  least = 1,
  most: number = Number.MAX_SAFE_INTEGER,
): NumberRange => ({
  flag,
  allowed: `a whole number from ${least} to ${most}`,
  example,
  contains: (value) => value.isInteger() && value.gte(least) && value.lte(most),
});

/** A range, for the option that has it. */
export type RangeOf = (flag: string, example: string) => NumberRange;

/** The numbers of a budget, or at which something is asked: less of them allows less. */
export const budgeted =
  (rangeOf: RangeOf): RangeOf =>
  (flag, example) => ({ ...rangeOf(flag, example), rounds: 'down' });

/** Probabilities, both ends included. */
export const probability = (flag: string, example: string): NumberRange => ({
  flag,
  allowed: 'a number from 0 to 1',
  example,
  contains: (value) => value.gte(0) && value.lte(1),
});

/** Numbers that are not negative. */
export const atLeastZero = (flag: string, example: string): NumberRange => ({
  flag,
  allowed: 'a number of at least 0',
  example,
  contains: (value) => value.gte(0),
});

/** Any numbers. */
export const anyNumber = (flag: string, example: string): NumberRange => ({
  flag,
  allowed: 'a number',
  example,
  contains: () => true,
});

/** Numbers above 0 and below 1. */
export const properFraction = (flag: string, example: string): NumberRange => ({
  flag,
  allowed: 'a number above 0 and below 1',
  example,
  contains: (value) => value.gt(0) && value.lt(1),
});

/** Numbers above 0. */
export const aboveZero = (flag: string, example: string): NumberRange => ({
  flag,
  allowed: 'a number above 0',
  example,
  contains: (value) => value.gt(0),
});

/** Reads a number; undefined where none is given, or a wrong one, which goes to `errors`. */
export function readNumberOption(
  text: string | undefined,
  { flag, allowed, example, contains, rounds }: NumberRange,
  errors: InputError[],
): Decimal | undefined {
  if (text === undefined) return undefined;
  const value = rounds === undefined ? readDecimal(text) : readRounded(text, rounds);
  if (!('hint' in value) && contains(value)) return value;
  const trouble = 'hint' in value ? value : { code: 'out-of-range' as const, hint: `For example: ${flag} ${example}` };
  errors.push({
    code: trouble.code,
    path: flag,
    message: `must be ${allowed}, got ${quote(text)}`,
    hint: trouble.hint,
  });
  return undefined;
}

/** That an option is not given of which `what` is needed. */
export const missingNumber = ({ flag, example }: NumberRange, what: string): InputError => ({
  code: 'missing-option',
  path: flag,
  message: `${what} is not given`,
  hint: `For example: ${flag} ${example}`,
});

/** Reads a number that has to be given. */
export function requireNumberOption(
  text: string | undefined,
  range: NumberRange,
  what: string,
  errors: InputError[],
): Decimal | undefined {
  if (text === undefined) errors.push(missingNumber(range, what));
  return readNumberOption(text, range, errors);
}
