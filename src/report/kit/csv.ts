import { written, type Column } from './table.ts';

/** A field of comma-separated values; null is an empty one. */
export type CsvField = string | number | boolean | null;

/** Quoted where a comma, a quote or a line end stands in it, or blanks at its ends, which some readers drop. */
const field = (value: CsvField): string => {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A header and a record for each row as comma-separated values (RFC 4180). */
export function csvText<Row>(rows: readonly Row[], columns: readonly Column<Row, CsvField>[]): string {
  const all = written(columns);
  const records = rows.map((row) => all.map(([, value]) => value(row)));
  return [all.map(([name]) => name), ...records].map((fields) => `${fields.map(field).join(',')}\r\n`).join('');
}
