import { QUERY } from './answer.ts';
import { BRACKET, list, NUMBER, published, record, TEXT, type JsonSchema } from './common.ts';
import { THEOREM_FACTS } from './theorems.ts';

const OTHER: JsonSchema = record(
  {
    id: TEXT,
    name: TEXT,
    outcome: { enum: ['ties', 'larger', 'claims-nothing', 'does-not-apply'] },
    upper: NUMBER,
    excess: { ...NUMBER, description: 'How much larger than the claim, relatively.' },
    code: TEXT,
    why: TEXT,
  },
  ['upper', 'excess', 'code'],
);

const identity: JsonSchema = { schema: { const: 'dpcompose.explain/1' }, version: TEXT };

/** What `explain --json` prints. */
export const EXPLAIN_SCHEMA = published('explain', 'What a theorem says, or why an answer is what it is.', {
  oneOf: [
    record({ ...identity, theorem: THEOREM_FACTS }),
    record({
      ...identity,
      answer: record({ query: QUERY, claim: BRACKET, bound: TEXT, tight: { type: 'boolean' }, why: TEXT }),
      others: list(OTHER),
    }),
  ],
});
