import type { Decimal } from '../../numeric/decimal.ts';
import { readDecimal } from '../../document/core/decimal-text.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';

/** What a number on the command line may be. */
export interface NumberRange {
  readonly flag: string;
  /** In words, after "must be". */
  readonly allowed: string;
  readonly example: string;
  readonly contains: (value: Decimal) => boolean;
}

/** Reads a number of an option; what is wrong goes to `errors`. */
export function readNumberOption(text: string, range: NumberRange, errors: InputError[]): Decimal | undefined {
  const { flag, allowed, example, contains } = range;
  const value = readDecimal(text);
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
