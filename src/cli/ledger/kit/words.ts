import type { InputError } from '../../../document/core/specification.ts';
import { readOneOf } from '../../kit/one-of.ts';

/** One of several words; the first is the default. What is wrong goes to `errors`. */
export function readWord<W extends string>(
  flag: string,
  text: string | undefined,
  words: readonly [W, ...W[]],
  errors: InputError[],
): W {
  const hint = `Write one of these, or leave it out for ${words[0]}.`;
  return readOneOf(text, { flag, words, hint }, errors) ?? words[0];
}
