import { ANSWER, PLAN_TOTALS, QUERY } from './answer.ts';
import { list, NOTICE, published, record, type JsonSchema } from './common.ts';
import { ERROR_SCHEMA } from './error.ts';
import { REFUSAL_SCHEMA } from './refusal.ts';

/** The properties of a published schema but its name, and which of them are required. */
function unnamed({ properties, required }: JsonSchema): JsonSchema {
  const rest = Object.entries(properties as JsonSchema).filter(([key]) => key !== 'schema');
  return {
    type: 'object',
    properties: Object.fromEntries(rest),
    required: (required as string[]).filter((key) => key !== 'schema'),
  };
}

/** What `batch` prints in each line. */
export const BATCH_SCHEMA = published('batch', 'The answer to one line, as batch prints it in one line.', {
  ...record(
    {
      schema: { const: 'dpcompose.batch/1' },
      line: { type: 'integer', minimum: 1, description: 'The number of the line in the input.' },
      id: { description: 'The value that the line has as its id.' },
    },
    ['id'],
  ),
  oneOf: [
    record({ query: QUERY, answer: ANSWER, plan: PLAN_TOTALS, warnings: list(NOTICE) }, ['plan']),
    record({ refusal: unnamed(REFUSAL_SCHEMA) }),
    unnamed(ERROR_SCHEMA),
  ],
});
