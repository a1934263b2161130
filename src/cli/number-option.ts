import { readDecimal } from '../spec/decimal-text.ts';
import { quote } from '../spec/quote.ts';
import type { InputError } from '../spec/specification.ts';

/** What a number on the command line may be. */
export interface NumberRange {
  readonly flag: string;
  /** In words, after "must be". */
  readonly allowed: string;
  readonly example: string;
  readonly contains: (value: number) => boolean;
}

/** Reads the value of an option that steers the work, where a double is as good as the decimal. */
export function readNumberOption(text: string, range: NumberRange, errors: InputError[]): number | undefined {
  const { flag, allowed, example, contains } = range;
  const value = readDecimal(text);
  const trouble = 'hint' in value ? value : { code: 'out-of-range', hint: `For example: ${flag} ${example}` };
  const double = 'hint' in value ? NaN : value.toNumber();
  if (contains(double)) return double;
  errors.push({
    code: trouble.code,
    path: flag,
    message: `must be ${allowed}, got ${quote(text)}`,
    hint: trouble.hint,
  });
  return undefined;
}
