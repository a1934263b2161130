import { CODE_KINDS } from '../codes/code.ts';
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

const CODE: JsonSchema = record({
  code: TEXT,
  kind: { enum: Object.keys(CODE_KINDS), description: 'Where it is printed.' },
  meaning: TEXT,
  remedy: TEXT,
  exit: { type: ['integer', 'null'], description: 'The exit code, where the code alone decides that.' },
});

const NAMED = ['theorem', 'rule', 'codes'];

const identity: JsonSchema = { schema: { const: 'dpcompose.explain/1' }, version: TEXT };

/** What `explain --json` prints. */
export const EXPLAIN_SCHEMA = published(
  'explain',
  'What a theorem, a rule or a code says, or why an answer is what it is.',
  {
    oneOf: [
      {
        ...record({ ...identity, theorem: THEOREM_FACTS, rule: THEOREM_FACTS, codes: list(CODE) }, NAMED),
        anyOf: NAMED.map((key) => record({ [key]: {} })),
        description:
          'All that goes by a name: a bound or theorem of plans, a rule of ledgers, a code wherever it is printed.',
      },
      record({
        ...identity,
        answer: record({ query: QUERY, claim: BRACKET, bound: TEXT, tight: { type: 'boolean' }, why: TEXT }),
        others: list(OTHER),
      }),
    ],
  },
);
