/** A field of comma-separated values: quoted where a comma or a quote stands in it. */
const field = (value: string | number | boolean | null): string => {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A header and records (RFC 4180). */
export const csvText = (
  header: readonly string[],
  records: readonly (readonly (string | number | boolean | null)[])[],
): string => [header, ...records].map((fields) => `${fields.map(field).join(',')}\r\n`).join('');
