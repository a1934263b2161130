import type { ChartPoint } from '../chart/chart.ts';
import type { Figure } from './figure.ts';
import { jsonDocument, jsonNumber, type Json } from '../kit/json-value.ts';

const end = (value: number | null): Json => (value === null ? null : jsonNumber(value));

const point = ({ x, lower, upper }: ChartPoint): Json => ({ x: jsonNumber(x), lower: end(lower), upper: end(upper) });

/** A figure as `dpcompose.figure/1`. */
export function figureJson({ name, reference, draw }: Figure, version: string): string {
  const { title, description, notes, panels } = draw();
  return jsonDocument({
    schema: 'dpcompose.figure/1',
    version,
    name,
    title,
    description,
    reference,
    notes,
    panels: panels.map((panel) => ({
      ...panel,
      lines: panel.lines.map(({ name: line, stroke, points }) => ({ name: line, stroke, points: points.map(point) })),
    })),
  });
}
