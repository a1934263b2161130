import { ANSWER, QUERY } from './answer.ts';
import { BRACKET_OR_NULL, list, NOTICE, NUMBER, published, record, TEXT, type JsonSchema } from './common.ts';

const DIFFERENCE: JsonSchema = {
  description: 'How much more is claimed, as the nearest double; null where one of both claims is infinite.',
  anyOf: [NUMBER, { type: 'null' }],
};

const SIDE: JsonSchema = record({
  input: { type: 'object', description: 'The specification in normal form.' },
  answer: ANSWER,
  warnings: list(NOTICE),
});

/** What `diff --json` prints. */
export const DIFF_SCHEMA = published('diff', 'What a change of specification costs, as diff --json prints it.', {
  ...record({
    schema: { const: 'dpcompose.diff/1' },
    version: TEXT,
    query: QUERY,
    message: TEXT,
    before: SIDE,
    after: SIDE,
    difference: DIFFERENCE,
    increase: { type: 'boolean', description: 'Whether more is claimed after than before, by more than rounding.' },
    incomparable: {
      type: 'boolean',
      description: 'Whether the targets ask for different things, so that both are compared at that of the first.',
    },
    unchanged: { type: 'integer', minimum: 0, description: 'How many elements are as they were.' },
    changes: list(
      record(
        {
          change: { enum: ['added', 'removed', 'changed', 'adaptivity', 'order', 'setting', 'target'] },
          description: TEXT,
          before: {},
          after: {},
          alone: { description: 'The total before with this change alone.', ...BRACKET_OR_NULL },
          difference: DIFFERENCE,
          refusal: { type: 'object', description: 'Why this change alone is not covered.' },
        },
        ['refusal'],
      ),
    ),
  }),
});
