import { quote } from '../core/quote.ts';
import type { Problem } from '../core/input-error.ts';

// What can be wrong with a text as JSON, in words.

const invalid = (message: string, hint: string): Problem => ({ code: 'invalid-json', message, hint });

/** The text ends inside the document. */
export const truncated = (): Problem => ({
  code: 'truncated-json',
  message: 'the document ends in the middle: something that was opened is never closed',
  hint: 'Check that the file was written completely.',
});

/** The text ends where a value should stand: empty, or cut off. */
export const ended = (text: string): Problem =>
  text.trim() === ''
    ? {
        code: 'empty-document',
        message: 'the document is empty',
        hint: 'Write a JSON object such as {"dpcompose": 1, ...}.',
      }
    : truncated();

export const tooDeep = (limit: number): Problem => ({
  code: 'too-deep',
  message: `lists and objects are nested more than ${limit} deep`,
  hint: 'A specification rarely needs more than ten levels.',
});

/** Something else than JSON from the start. */
export const notJson = (text: string): Problem => {
  const start = text.trimStart().slice(0, 20);
  if (text.includes('\0') || start.includes('\ufffd')) {
    return {
      code: 'not-text',
      message: 'this is binary data, not a JSON document',
      hint: 'Give a JSON file in UTF-8.',
    };
  }
  return invalid(
    `a JSON object must begin here, got ${quote(start)}`,
    'Write a JSON object such as {"dpcompose": 1, ...}.',
  );
};

/** A word where a value should stand. */
export const badWord = (word: string): Problem => {
  const got = `${quote(word).replace(/^"(.*)"/, '$1')} is not a JSON value`;
  if (/^[+-]?(nan|inf(inity)?)$/i.test(word)) return invalid(got, 'Write a finite decimal number.');
  if (/^(true|false)$/i.test(word)) return invalid(got, `Write ${word.toLowerCase()}.`);
  if (/^(none|undefined|nil)$/i.test(word)) return invalid(got, 'Leave the key out.');
  if (word.startsWith("'")) return invalid(got, 'Put text in double quotes.');
  if (/^[+.-]?\d/.test(word)) {
    return invalid(
      got,
      'Write a decimal number such as 0.1 or 1e-6: no sign +, no leading zeros, a digit on both sides of the point.',
    );
  }
  return invalid(got, 'Put text in double quotes.');
};

/** The string errors of jsonc-parser that leave the rest readable. */
export const badString = (error: number): Problem => {
  if (error === 6) return invalid('this text holds a control character', 'Write it as an escape such as \\t.');
  return invalid(
    'this text holds an escape that JSON does not have',
    'Write a backslash as \\\\, a character by its number as \\u0041.',
  );
};

export const openString = (): Problem => invalid('this text is not closed on its line', 'End it with a double quote.');
export const bareKey = (word: string): Problem =>
  invalid(
    `a key must stand in double quotes, got ${quote(word).replace(/^"(.*)"/, '$1')}`,
    'Put the key in double quotes.',
  );
export const keyExpected = (): Problem =>
  invalid('a key in double quotes must stand here', 'Write "key": value, or remove a comma too many.');
export const colonExpected = (): Problem =>
  invalid('a colon must stand between a key and its value', 'Write "key": value.');
export const commaExpected = (): Problem => invalid('a comma is missing before this', 'Put a comma between two items.');
export const missingValue = (): Problem =>
  invalid('a value is missing here', 'Write the value, or remove the comma or key.');
export const trailingComma = (): Problem => invalid('a comma stands after the last item', 'Remove the comma.');
export const comment = (): Problem =>
  invalid('JSON has no comments', 'Remove the comment; "name" and "label" can hold a remark.');
export const wrongEnd = (got: string): Problem =>
  invalid(`${got} does not close what was opened last`, 'Close lists with ] and objects with }.');
export const textAfterDocument = (): Problem =>
  invalid('something follows after the end of the document', 'Write one JSON object and nothing behind it.');
