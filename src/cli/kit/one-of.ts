import { either, quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { didYouMean } from '../../document/core/suggest.ts';

/** An option or operand that is one of several words; `hint` follows the word that may have been meant. */
export interface Words<W extends string> {
  readonly flag: string;
  readonly words: readonly W[];
  readonly hint: string;
}

/** Reads one of several words; undefined where none is given, or another, which goes to `errors`. */
export function readOneOf<W extends string>(
  text: string | undefined,
  { flag, words, hint }: Words<W>,
  errors: InputError[],
): W | undefined {
  const known = words.find((word) => word === text);
  if (text === undefined || known !== undefined) return known;
  const message = `must be ${either(words)}, got ${quote(text)}`;
  errors.push({ code: 'unknown-value', path: flag, message, hint: `${didYouMean(text, words)}${hint}` });
  return undefined;
}
