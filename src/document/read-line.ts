import { NumberText } from './core/number-text.ts';
import type { Specification } from './core/specification.ts';
import { Diagnostics } from './core/validate.ts';
import type { SpecFlags } from './flags/command-line.ts';
import { withFlags, type SpecResult } from './flags/specification-from-flags.ts';
import { DOCUMENT_VOCABULARY } from './structure/document-vocabulary.ts';
import { validateDocument } from './structure/validate-document.ts';
import type { JsonValue } from './syntax/json-read.ts';
import { readDocument } from './syntax/read-document.ts';

/** A JSON value as text in one line, its numbers as they were written. */
export function jsonText(value: JsonValue): string {
  if (value instanceof NumberText) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`)
    .join(',')}}`;
}

/** The content of a line, and the value of its key `id`, if it has one. */
interface LineReading {
  readonly id: JsonValue | undefined;
  readonly result: SpecResult;
}

/** Whether a value is an object with the key `id`. */
const hasId = (value: JsonValue): value is { [key: string]: JsonValue; id: JsonValue } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof NumberText) &&
  Object.hasOwn(value, 'id');

/** Reads a line of many: a specification document (JSON in UTF-8), to which any value may be given as its `id`. */
export function readLine(input: string | Uint8Array, flags: SpecFlags = {}): LineReading {
  let id: JsonValue | undefined;
  const check = (value: unknown, diagnostics: Diagnostics): Specification | null => {
    const read = value as JsonValue;
    if (!hasId(read)) return validateDocument(read, diagnostics);
    const { id: given, ...document } = read;
    id = given;
    return validateDocument(document, diagnostics);
  };
  const reading = readDocument(input, new Diagnostics(DOCUMENT_VOCABULARY), check, { set: flags.set });
  return { id, result: withFlags(reading, flags) };
}
