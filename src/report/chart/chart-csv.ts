import type { Chart } from './chart.ts';

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const end = (value: number | null): string => (value === null ? '' : String(value));

/** The points of a chart as comma-separated values (RFC 4180), a record for each point of each line. */
export function chartCsv({ panels }: Chart): string {
  const records = panels.flatMap(({ title, lines }) =>
    lines.flatMap(({ name, points }) =>
      points.map(({ x, lower, upper }) => [quoted(title ?? ''), quoted(name), String(x), end(lower), end(upper)]),
    ),
  );
  return [['panel', 'line', 'x', 'lower', 'upper'], ...records].map((fields) => `${fields.join(',')}\r\n`).join('');
}
