import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { type Mistake, type Problem, STRUCTURE_TYPES } from './core/input-error.ts';
import { NumberText } from './core/number-text.ts';
import { duplicateKey, setOwn } from './core/own-property.ts';
import { quote } from './core/quote.ts';
import { didYouMean } from './core/suggest.ts';
import { readValueText } from './core/value-text.ts';
import { ENTRY_KEYS } from './mechanism/entry-schema.ts';
import { noReading, type DocumentSyntax } from './syntax/document-syntax.ts';
import type { JsonValue } from './syntax/json-read.ts';

/** The columns that a table may have: the keys of all mechanisms. */
const CSV_COLUMNS: readonly string[] = [...new Set(['type', ...[...ENTRY_KEYS.values()].flat()])];

/** A row with the number of the line on which it begins. */
interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

const invalid = (message: string, hint: string): Problem => ({ code: 'invalid-csv', message, hint });

const LINE_END = /\r\n?|\n/g;

/** The offset at which each line begins. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(LINE_END)) starts.push(match.index + match[0].length);
  return starts;
}

/** How a table is written: with tabs for commas where a column of its first line is named between tabs. */
const writtenIn = (text: string, isColumn: (name: string) => boolean) => ({
  delimiter: (text.split(LINE_END, 1)[0] ?? '').split('\t').some((cell) => isColumn(cell.trim())) ? '\t' : ',',
  relax_column_count: true,
  skip_empty_lines: true,
  record_delimiter: ['\r\n', '\n', '\r'],
});

/** The cells of a table row by row. What is no table is thrown as a CsvError. */
export const cellsOf = (text: string, isColumn: (name: string) => boolean): string[][] =>
  parse(text, { ...writtenIn(text, isColumn), trim: true });

/** The same with the lines of the rows, which takes ten times as long. */
export function rowsOf(text: string, isColumn: (name: string) => boolean): Row[] {
  const starts: number[] = [];
  const rows: string[][] = parse(text, {
    ...writtenIn(text, isColumn),
    cast: (value, { index, lines, quoting }) => {
      if (index === 0) starts.push(lines - (value.match(LINE_END)?.length ?? 0));
      return quoting ? value : value.trim();
    },
  });
  return rows.map((cells, index) => ({ cells, line: starts[index] ?? 1 }));
}

/** The mistakes in the names of columns. */
function headMistakes(names: readonly string[]): Problem[] {
  if (names.length === 1 && names[0]?.includes(';') === true) {
    return [invalid('the columns are separated by semicolons', 'Separate them by commas.')];
  }
  const problems: Problem[] = [];
  if (!names.includes('type')) {
    problems.push(
      invalid(
        `the first line must name the columns, type among them, got ${quote(names.join(','))}`,
        'Begin with a line such as type,epsilon,delta,count,label.',
      ),
    );
    return problems;
  }
  names.forEach((name, index) => {
    if (names.indexOf(name) < index) problems.push(duplicateKey(name));
    else if (!CSV_COLUMNS.includes(name)) {
      const message = `a column ${quote(name)} has no meaning here; allowed are ${CSV_COLUMNS.join(', ')}`;
      problems.push({ code: 'unknown-key', message, hint: `${didYouMean(name, CSV_COLUMNS)}Correct or remove it.` });
    }
  });
  return problems;
}

/** The mistake in the shape of a row. */
function rowProblem({ cells }: Row, names: readonly string[], type: string | undefined): Problem | null {
  if (cells.length !== names.length) {
    return invalid(
      `this row has ${cells.length} cells, and there are ${names.length} columns`,
      'Leave cells empty where a mechanism has no such key; put text with commas in double quotes.',
    );
  }
  if (type === undefined || !STRUCTURE_TYPES.includes(type)) return null;
  return {
    code: 'unknown-type',
    message: `${type} holds other mechanisms, which a table cannot write`,
    hint: 'Write it in a JSON or YAML document.',
  };
}

function entryOf({ cells }: Row, names: readonly string[]): JsonValue {
  const entry: Record<string, JsonValue> = {};
  names.forEach((name, index) => {
    const cell = cells[index] ?? '';
    if (cell !== '') setOwn(entry, name, readValueText(name, cell) as JsonValue);
  });
  return entry;
}

const mistakeAt = (problem: Problem, offset: number): Mistake => ({ path: [], anchor: 'value', problem, offset });

/** What is wrong with a text that is no table. */
export function syntaxProblem(error: CsvError): Problem {
  const message =
    error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'a double quote is never closed' : 'a double quote stands inside a cell';
  return invalid(message, 'Put the whole cell in double quotes, and write a double quote in it twice.');
}

/**
 * Reads a table of mechanisms (RFC 4180, or with tabs for commas) as a document that lists them: the first line names the columns, which are keys of
 * mechanisms; each further line is a mechanism, an empty cell a key that it does not have. Numbers are the text that was
 * written; lists are written as in flags, with semicolons.
 */
export const CSV_SYNTAX: DocumentSyntax = (text, limit) => {
  const lines = lineStarts(text);
  const startOf = (line: number): number => lines[line - 1] ?? 0;
  let rows: Row[];
  try {
    rows = rowsOf(text, (name) => name === 'type');
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? error.lines : 1;
    return noReading([mistakeAt(syntaxProblem(error), startOf(line))]);
  }
  const [head, ...body] = rows;
  if (head === undefined) {
    const hint = 'Begin with a line such as type,epsilon,delta,count,label.';
    return noReading([mistakeAt({ code: 'empty-document', message: 'the table is empty', hint }, 0)]);
  }
  const mistakes = headMistakes(head.cells).map((problem) => mistakeAt(problem, startOf(head.line)));
  if (mistakes.length > 0) return noReading(mistakes.slice(0, limit), Math.max(0, mistakes.length - limit));
  const typeAt = head.cells.indexOf('type');
  let more = 0;
  const mechanisms = body.map((row, index) => {
    const type = row.cells[typeAt];
    const problem = rowProblem(row, head.cells, type);
    if (problem !== null && mistakes.length >= limit) more++;
    else if (problem !== null) {
      mistakes.push({ path: ['mechanisms', index], anchor: 'value', problem, offset: startOf(row.line) });
    }
    return entryOf(row, head.cells);
  });
  const value = mistakes.length > 0 ? undefined : { dpcompose: new NumberText('1'), mechanisms };
  const offsetOf = ({ path, offset }: Mistake): number =>
    offset ?? startOf(body[Number(path[1] ?? -1)]?.line ?? head.line);
  return { value, mistakes, more, offsetOf };
};
