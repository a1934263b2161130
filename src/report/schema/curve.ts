import { ROW_IDS } from './bounds.ts';
import { BRACKET, GIVEN, list, NOTICE, NUMBER, published, record, TEXT, type JsonSchema } from './common.ts';
import { BOUND_IDS } from '../../bounds/core/bound.ts';

const NULL: JsonSchema = { type: 'null' };

/** One point, at a value of what the curve runs along. */
const POINT: JsonSchema = {
  type: 'object',
  properties: { count: NUMBER, times: NUMBER, delta: {}, epsilon: {} },
  allOf: [{ anyOf: ['count', 'times', 'delta', 'epsilon'].map((along) => record({ [along]: NUMBER })) }],
  anyOf: ['epsilon', 'delta'].flatMap((solved) => [
    record({ [solved]: BRACKET, bound: { enum: ROW_IDS } }),
    record({ [solved]: NULL, code: TEXT, reason: TEXT }),
  ]),
};

/** What `curve --json` prints. */
export const CURVE_SCHEMA = published(
  'curve',
  'The smallest epsilons or deltas along a range of counts, deltas or epsilons, as curve --json prints them.',
  {
    ...record({
      schema: { const: 'dpcompose.curve/1' },
      version: TEXT,
      input: { type: 'object', description: 'The specification in normal form.' },
      query: {
        description: 'What was asked, with all digits: along what the curve runs, and what is given beside it.',
        ...record(
          {
            solveFor: { enum: ['epsilon', 'delta'] },
            delta: GIVEN,
            epsilon: GIVEN,
            along: { enum: ['count', 'times', 'delta', 'epsilon'] },
            vary: TEXT,
            values: list(GIVEN),
          },
          ['delta', 'epsilon', 'vary'],
        ),
      },
      lines: list(
        record({
          id: { description: 'A bound, or the best of all.', enum: [...BOUND_IDS, 'claim'] },
          name: TEXT,
          reference: { anyOf: [TEXT, NULL] },
          points: list(POINT),
        }),
      ),
      warnings: list(NOTICE),
    }),
  },
);
