/** A field of comma-separated values; null is an empty one. */
export type CsvField = string | number | boolean | null;

/** Quoted where a comma, a quote or a line end stands in it, or blanks at its ends, which some readers drop. */
const field = (value: CsvField): string => {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A header and records as comma-separated values (RFC 4180). */
export const csvText = (header: readonly string[], records: readonly (readonly CsvField[])[]): string =>
  [header, ...records].map((fields) => `${fields.map(field).join(',')}\r\n`).join('');
