import { printable } from './prose.ts';
import { written, type Column } from './table.ts';

/** A field of comma-separated values; null is an empty one. */
export type CsvField = string | number | boolean | null;

/** Quoted where a comma, a quote or a line end stands in it, or blanks at its ends, which some readers drop; see {@link printable}. */
const field = (value: CsvField): string => {
  const text = value === null ? '' : String(value).replace(/[^\t\r\n]+/g, printable);
  return /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
};

const line = (fields: readonly CsvField[]): string => `${fields.map(field).join(',')}\r\n`;

/** Comma-separated values (RFC 4180) line by line: the header, and the record of a row. */
export function csvLines<Row>(columns: readonly Column<Row, CsvField>[]): {
  readonly head: string;
  readonly record: (row: Row) => string;
} {
  const all = written(columns);
  return { head: line(all.map(([name]) => name)), record: (row) => line(all.map(([, value]) => value(row))) };
}

/** A header and a record for each row as comma-separated values (RFC 4180). */
export function csvText<Row>(rows: readonly Row[], columns: readonly Column<Row, CsvField>[]): string {
  const { head, record } = csvLines(columns);
  return [head, ...rows.map(record)].join('');
}
