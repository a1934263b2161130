import { either, quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { didYouMean } from '../../document/core/suggest.ts';

/** One of several words; the first is the default. What is wrong goes to `errors`. */
export function readWord<W extends string>(
  flag: string,
  text: string | undefined,
  words: readonly [W, ...W[]],
  errors: InputError[],
): W {
  if (text === undefined) return words[0];
  const known = words.find((word) => word === text);
  if (known !== undefined) return known;
  const hint = `${didYouMean(text, words)}Write one of these, or leave it out for ${words[0]}.`;
  errors.push({ code: 'unknown-value', path: flag, message: `must be ${either(words)}, got ${quote(text)}`, hint });
  return words[0];
}
