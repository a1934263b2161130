import { csvText } from '../kit/csv.ts';
import type { Chart } from './chart.ts';

/** The points of a chart as comma-separated values (RFC 4180), a record for each point of each line. */
export function chartCsv({ panels }: Chart): string {
  const rows = panels.flatMap(({ title, lines }) =>
    lines.flatMap(({ name, points }) => points.map((point) => ({ panel: title, line: name, ...point }))),
  );
  return csvText(rows, ['panel', 'line', 'x', 'lower', 'upper']);
}
