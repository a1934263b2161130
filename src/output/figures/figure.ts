import type { Axis, Chart, DrawnOutput } from '../chart/chart.ts';
import { choice, document, documentText, list, object, orNull } from '../kit/codec.ts';
import { FINITE, LOWER, TEXT, UPPER } from '../kit/codecs.ts';
import type { Json } from '../kit/json-value.ts';
import { csvText } from '../kit/table.ts';

/** A figure of a paper, drawn again with the numbers of this program, or one of what is derived here. */
export interface Figure {
  /** As it is asked for. */
  readonly name: string;
  /** Its subject, in a few words. */
  readonly summary: string;
  /** Which figure of which paper it is, or what it shows. */
  readonly reference: string;
  /** Computes and describes it; the same each time. */
  readonly draw: () => Chart;
}

// As a chart has it, whose axis may say more.
const AXIS = {
  ...object({ label: TEXT, scale: choice('linear', 'log') }),
  encode: (axis: Axis): Json => ({ ...axis }),
};

const LINE = object({
  name: TEXT,
  stroke: choice('solid', 'dashed', 'dotted'),
  points: list(object({ x: FINITE, lower: orNull(LOWER), upper: orNull(UPPER) })),
});

/** A figure. */
export const FIGURE = document(
  'figure',
  'A figure of a paper or of a result derived here, computed by this program: the output of figure --json. Upper and lower bounds of every point; null if there is none.',
  {
    name: TEXT,
    title: TEXT,
    description: TEXT,
    reference: TEXT,
    notes: list(TEXT),
    panels: list(object({ title: orNull(TEXT), x: AXIS, y: AXIS, lines: list(LINE) })),
  },
);

/** A figure, drawn. */
export function figureOutput({ name, reference, draw }: Figure): DrawnOutput {
  const chart = draw();
  const points = chart.panels.flatMap((panel) =>
    panel.lines.flatMap((line) => line.points.map((point) => ({ panel: panel.title, line: line.name, ...point }))),
  );
  return {
    page: () => [],
    json: (version) => documentText(FIGURE, { ...chart, version, name, reference }),
    csv: () => csvText(points, ['panel', 'line', 'x', 'lower', 'upper']),
    chart: () => chart,
  };
}
