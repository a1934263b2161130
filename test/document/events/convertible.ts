import { readConvertible } from '../../../src/document/events/read-convertible.ts';
import { JSON_SYNTAX, type DocumentSyntax } from '../../../src/document/syntax/document-syntax.ts';
import type { JsonValue } from '../../../src/document/syntax/json-read.ts';
import { writtenValue } from '../../../src/output/written-document.ts';

type Reading = ReturnType<typeof readConvertible>;

/** What is read of an event list: a text, or the JSON of a value. */
export const convert = (events: unknown, syntax: DocumentSyntax = JSON_SYNTAX): Reading =>
  readConvertible(typeof events === 'string' ? events : JSON.stringify(events), { syntax });

/** The mechanisms of an event list that can be read. */
export function mechanismsOf(events: unknown, syntax?: DocumentSyntax): unknown {
  const { document, errors, notOffered } = convert(events, syntax);
  if (document === null) throw new Error(JSON.stringify({ errors, notOffered }));
  return writtenValue(document.mechanisms as JsonValue);
}

/** `PLACE type` of what is refused; null where nothing is. */
export function refused(events: unknown, syntax?: DocumentSyntax): string | null {
  const { notOffered } = convert(events, syntax);
  return notOffered && `${notOffered.path} ${notOffered.type}`;
}

/** `PLACE code` of every mistake. */
export const mistakes = (events: unknown, syntax?: DocumentSyntax): string[] =>
  convert(events, syntax).errors.map(({ code, path }) => `${path} ${code}`);
