import { ANSWER, PLAN_TOTALS, QUERY } from './answer.ts';
import { ROW_IDS } from './bounds.ts';
import { BRACKET, list, NOTICE, NUMBER, published, record, TEXT, type JsonSchema } from './common.ts';
import { THEOREM } from './theorem.ts';

const CONDITION: JsonSchema = record({
  id: TEXT,
  state: {
    enum: ['met', 'assumed', 'failing'],
    description: 'met: said, or a consequence of it; assumed: nothing is said; failing: a fallback stands in',
  },
  description: TEXT,
});

/** A node of a plan, with those below it; refers to itself as `#/$defs/node`. */
export const NODE: JsonSchema = record(
  {
    node: { enum: ['plan', 'mechanism', 'group', 'parallel', 'partition', 'local'] },
    path: { type: 'string', description: 'Its place in the document.' },
    label: TEXT,
    description: TEXT,
    theorems: {
      ...list(THEOREM),
      description: 'What leads from the costs of the children to its own; none where it only passes them on.',
    },
    conditions: list(CONDITION),
    price: {
      description: 'What was asked, of this node alone; null where no bound covers it.',
      anyOf: [record({ value: BRACKET, bound: { enum: ROW_IDS } }), { type: 'null' }],
    },
    room: {
      description: 'How many instances of this delta a cap has room for, and what is left for a smaller one.',
      ...record({ delta: NUMBER, instances: { type: 'integer', minimum: 0 }, remaining: NUMBER }),
    },
    children: list({ $ref: '#/$defs/node' }),
  },
  ['label', 'room'],
);

/** What `plan --json` prints. */
export const PLAN_SCHEMA = published(
  'plan',
  'A composition with structure: the theorem, its preconditions and the price at every node, as plan --json prints it.',
  {
    $defs: { node: NODE },
    ...record(
      {
        schema: { const: 'dpcompose.plan/1' },
        version: TEXT,
        input: { type: 'object', description: 'The specification in normal form.' },
        query: QUERY,
        answer: ANSWER,
        plan: PLAN_TOTALS,
        tree: { $ref: '#/$defs/node' },
        warnings: list(NOTICE),
      },
      ['plan'],
    ),
  },
);
