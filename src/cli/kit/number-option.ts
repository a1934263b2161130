import { lacking } from './usage-error.ts';
import { readRounded } from '../../document/core/decimal-text.ts';
import { quote } from '../../document/core/quote.ts';
import {
  ABOVE_ZERO,
  ANY_NUMBER,
  AT_LEAST_ZERO,
  PROBABILITY,
  PROPER_FRACTION,
  wholeNumbers,
  type NumberField,
  type NumberRule,
} from '../../privacy/mechanisms/parameters.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Decimal } from '../../numeric/decimal.ts';

/** An option that takes a number, and which numbers it takes. */
export interface NumberRange extends Pick<NumberField, 'allowed' | 'contains' | 'example' | 'rounds'> {
  readonly flag: string;
}

/** A range, for the option that has it. */
export type RangeOf = (flag: string, example: string) => NumberRange;

/** What takes the numbers of a range. */
export const ranged =
  (range: NumberRule): RangeOf =>
  (flag, example) => ({ ...range, flag, example });

export const probability = ranged(PROBABILITY);
export const atLeastZero = ranged(AT_LEAST_ZERO);
export const anyNumber = ranged(ANY_NUMBER);
export const properFraction = ranged(PROPER_FRACTION);
export const aboveZero = ranged(ABOVE_ZERO);

/** Whole numbers, both ends included. */
export const wholeNumber = (flag: string, example: string, minimum = 1, maximum?: number): NumberRange =>
  ranged(wholeNumbers(minimum, maximum))(flag, example);

/** The numbers of a budget, or at which something is asked: less of them allows less. */
export const budgeted =
  (rangeOf: RangeOf): RangeOf =>
  (flag, example) => ({ ...rangeOf(flag, example), rounds: 'down' });

/** Reads a number; undefined where none is given, or a wrong one, which goes to `errors`. */
export function readNumberOption(
  text: string | undefined,
  { flag, allowed, example, contains, rounds }: NumberRange,
  errors: InputError[],
): Decimal | undefined {
  if (text === undefined) return undefined;
  const value = readRounded(text, rounds);
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
export const missingNumber = ({ flag, example }: NumberRange, what: string): InputError =>
  lacking(flag, `${what} is not given`, `For example: ${flag} ${example}`);
