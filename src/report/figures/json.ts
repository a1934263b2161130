import { choice, document, documentText, list, object, orNull } from '../kit/codec.ts';
import { FINITE, NUMBER, TEXT } from '../kit/codecs.ts';
import type { Json } from '../kit/json-value.ts';
import type { Axis } from '../chart/chart.ts';
import type { Figure } from './figure.ts';

// As a chart has it, whose axis may say more.
const AXIS = {
  ...object({ label: TEXT, scale: choice('linear', 'log') }),
  encode: (axis: Axis): Json => ({ ...axis }),
};

const LINE = object({
  name: TEXT,
  stroke: choice('solid', 'dashed', 'dotted'),
  points: list(object({ x: FINITE, lower: orNull(NUMBER), upper: orNull(NUMBER) })),
});

/** A figure. */
export const FIGURE = document(
  'figure',
  'A figure of a paper, or of what is proved here, with the numbers of this program, as figure --json prints it: upper and lower ends of every point, null where there is none.',
  {
    name: TEXT,
    title: TEXT,
    description: TEXT,
    reference: TEXT,
    notes: list(TEXT),
    panels: list(object({ title: orNull(TEXT), x: AXIS, y: AXIS, lines: list(LINE) })),
  },
);

/** A figure as `dpcompose.figure/1`. */
export const figureJson = ({ name, reference, draw }: Figure, version: string): string =>
  documentText(FIGURE, { ...draw(), version, name, reference });
