import { ANSWER, PLAN_TOTALS, QUERY } from './answer.ts';
import { list, NOTICE, published, record, TEXT, type JsonSchema } from './common.ts';
import { ERROR_SCHEMA } from './error.ts';
import { REFUSAL_SCHEMA } from './refusal.ts';

/** What the line says itself. */
const OWN = ['schema', 'version', 'file'];

/** The properties of a published schema but those of the document, and which of them are required. */
function unnamed({ properties, required }: JsonSchema): JsonSchema {
  const rest = Object.entries(properties as JsonSchema).filter(([key]) => !OWN.includes(key));
  return {
    type: 'object',
    properties: Object.fromEntries(rest),
    required: (required as string[]).filter((key) => !OWN.includes(key)),
  };
}

/** What `batch` prints in each line. */
export const BATCH_SCHEMA = published('batch', 'The answer to one line, as batch prints it in one line.', {
  ...record(
    {
      schema: { const: 'dpcompose.batch/1' },
      version: TEXT,
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
