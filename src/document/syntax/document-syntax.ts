import type { Mistake, Path } from '../core/input-error.ts';
import { readJson, type JsonReading } from './json-read.ts';
import { lineAndColumn, Places, type Place } from './places.ts';

/** The value of a text, and where in it things stand. */
export interface TextReading extends JsonReading {
  /** The offset of a mistake in the text, also of one that does not know its own. */
  readonly offsetOf: (mistake: Mistake) => number;
}

/** How documents are written: reads a text, reporting at most `limit` duplicate keys in full. */
export type DocumentSyntax = (text: string, limit: number) => TextReading;

/** A text without a value, for mistakes that know their places. */
export const noReading = (mistakes: readonly Mistake[], more = 0): TextReading => ({
  value: undefined,
  mistakes,
  more,
  offsetOf: ({ offset = 0 }) => offset,
});

/** Where things stand in a JSON text; looked for only where that is asked. */
function placesIn(text: string): Places {
  const places = new Places();
  readJson(text, 0, places);
  return places;
}

/** JSON (RFC 8259). */
export const JSON_SYNTAX: DocumentSyntax = (text, limit) => {
  let places: Places | undefined;
  return { ...readJson(text, limit), offsetOf: (mistake) => (places ??= placesIn(text)).offsetOf(mistake) };
};

/** Where a path of a JSON document stands in its text: its value, or the innermost thing on the way that exists. */
export function placeIn(text: string, path: Path): Place {
  const problem = { code: 'unknown-value', message: '', hint: '' } as const;
  return lineAndColumn(text, placesIn(text).offsetOf({ path, anchor: 'value', problem }));
}

/** The names of the syntaxes in which documents may be written. */
export const SYNTAX_NAMES = ['json', 'yaml', 'csv'] as const;

/** The name of a syntax in which documents may be written. */
export type SyntaxName = (typeof SYNTAX_NAMES)[number];

/** So much of a document is looked at, in bytes. */
const HEAD = 4096;

/** A key with its value, an item of a list, a document marker or a directive, each at the beginning of a line. */
const YAML = /^(?:(?:"[^"]*"|'[^']*'|[\w.-]+)[ \t]*:(?:\s|$)|-(?:\s|$)|---|%YAML\b)/;

/** The cells of a line as far as its columns are named without quotes; other separators count too, to be reported. */
const cellsOf = (line: string): string[] => line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));

/**
 * The syntax of a document, by what it begins with: a table by a line that names columns, one of which is `type`; YAML by
 * a line as YAML has them, comments passed over; all else is taken for JSON.
 */
export function recogniseSyntax(input: Uint8Array): SyntaxName {
  // Without ignoreBOM, a byte order mark is dropped.
  const head = new TextDecoder('utf-8').decode(input.subarray(0, HEAD));
  const line = head.split(/\r\n?|\n/).find((text) => !/^\s*(?:#.*)?$/.test(text)) ?? '';
  if (cellsOf(line).includes('type')) return 'csv';
  return YAML.test(line) ? 'yaml' : 'json';
}
