import type { Problem } from '../core/input-error.ts';
import { quote } from '../core/quote.ts';

// What can be wrong with a text as YAML, in words.

const invalid = (message: string, hint: string): Problem => ({ code: 'invalid-yaml', message, hint });

/** A syntax error as the parser tells it. */
export function syntaxError(message: string): Problem {
  const [sentence = ''] = message.split('\n');
  return invalid(
    `this is not YAML: ${sentence.replace(/\.$/, '')}`,
    'Check the indentation (blanks only) and the quotes around here.',
  );
}

export const emptyDocument = (): Problem => ({
  code: 'empty-document',
  message: 'the document is empty',
  hint: 'Write a mapping that begins with dpcompose: 1.',
});

export const severalDocuments = (): Problem =>
  invalid('a second document begins here', 'Keep one document in a file, without --- in its middle.');

export const otherVersion = (version: string): Problem =>
  invalid(
    `this is YAML ${version}, in which numbers are written otherwise`,
    'Write %YAML 1.2, or leave the directive out.',
  );

export const tagged = (tag: string): Problem =>
  invalid(`the tag ${quote(tag)} has no meaning here`, 'Remove the tag: numbers and text are told apart as in JSON.');

export const keyNotText = (): Problem => invalid('a key must be a word', 'Write key: value.');

export const mergeKey = (): Problem =>
  invalid('a merge key is no part of YAML 1.2', 'Write the keys out, or use an alias for a whole value.');

export const octal = (text: string): Problem => ({
  code: 'not-a-number',
  message: `${quote(text)} is one number in YAML 1.1 and another in YAML 1.2`,
  hint: 'Write it without leading zeros.',
});

export const unknownAlias = (name: string): Problem =>
  invalid(`nothing before this has the anchor ${quote(name)}`, 'Write &NAME before the value that *NAME stands for.');

export const aliasOfItself = (name: string): Problem =>
  invalid(`${quote(name)} stands for a value that holds it`, 'Write the value out.');

export const tooManyAliases = (most: number): Problem =>
  invalid(`aliases stand for more than ${most} values`, 'Use "count" for equal mechanisms.');
