import type { SyntaxName } from './document-syntax.ts';

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
  const line = head.split(/\r\n?|\n/).find((each) => !/^\s*(?:#.*)?$/.test(each)) ?? '';
  if (cellsOf(line).includes('type')) return 'csv';
  return YAML.test(line) ? 'yaml' : 'json';
}
