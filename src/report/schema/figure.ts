import { list, NUMBER, published, record, TEXT, type JsonSchema } from './common.ts';

const AXIS: JsonSchema = record({ label: TEXT, scale: { enum: ['linear', 'log'] } });

const NUMBER_OR_NULL: JsonSchema = { anyOf: [NUMBER, { type: 'null' }] };

const LINE: JsonSchema = record({
  name: TEXT,
  stroke: { enum: ['solid', 'dashed', 'dotted'] },
  points: list(record({ x: { type: 'number' }, lower: NUMBER_OR_NULL, upper: NUMBER_OR_NULL })),
});

/** What `figure --json` prints. */
export const FIGURE_SCHEMA = published(
  'figure',
  'A figure of a paper with the numbers of this program, as figure --json prints it: upper and lower ends of every point, null where there is none.',
  {
    ...record({
      schema: { const: 'dpcompose.figure/1' },
      version: TEXT,
      name: TEXT,
      title: TEXT,
      description: TEXT,
      reference: TEXT,
      notes: list(TEXT),
      panels: list(record({ title: { anyOf: [TEXT, { type: 'null' }] }, x: AXIS, y: AXIS, lines: list(LINE) })),
    }),
  },
);
