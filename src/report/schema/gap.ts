import { ENCLOSURE, GIVEN, list, NOTICE, published, record, TEXT, type JsonSchema } from './common.ts';

const NULL: JsonSchema = { type: 'null' };

/** What was asked; exactly one of delta and epsilon is given. */
const parameters = (number: JsonSchema, count: JsonSchema): JsonSchema => ({
  oneOf: ['delta', 'epsilon'].map((given) => record({ each: number, count, [given]: number })),
});

const COUNT: JsonSchema = { type: 'integer', minimum: 1 };

const ROW: JsonSchema = {
  ...parameters({ type: 'number' }, COUNT),
  allOf: [record({ nonadaptive: ENCLOSURE })],
  anyOf: [
    record({
      adaptive: ENCLOSURE,
      ratio: { description: 'adaptive / nonadaptive - 1; null where nonadaptive is 0', anyOf: [ENCLOSURE, NULL] },
      difference: ENCLOSURE,
    }),
    record({ adaptive: NULL, ratio: NULL, difference: NULL, code: TEXT, reason: TEXT }),
  ],
};

/** What `gap --json` prints. */
export const GAP_SCHEMA = published(
  'gap',
  'The nonadaptive and the adaptive optimum of equal bounded-range mechanisms, and the gap between them, as gap --json prints them.',
  {
    ...record({
      schema: { const: 'dpcompose.gap/1' },
      version: TEXT,
      input: {
        description: 'What was asked, with all digits; epsilon or delta, whichever is given.',
        ...parameters(list(GIVEN), list(COUNT)),
      },
      solveFor: { enum: ['epsilon', 'delta'] },
      rows: list(ROW),
      largest: {
        description: 'The largest ratio of all rows, and the row (from 0) with the largest that is certain.',
        anyOf: [record({ ratio: ENCLOSURE, row: { type: 'integer', minimum: 0 } }), NULL],
      },
      warnings: list(NOTICE),
    }),
  },
);
