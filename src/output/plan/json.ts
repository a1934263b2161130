import type { PricedNode } from '../../composition/plan/price-plan.ts';
import type { Condition } from '../../composition/theorems/theorem.ts';
import { isEntry, type PlanNode } from '../../composition/core/plan-node.ts';
import { toLower } from '../../numeric/decimal.ts';
import { ANSWER, PLAN_TOTALS, THEOREM } from '../compose/json.ts';
import { BRACKET, COUNT, INPUT, NEAREST, NUMBER, QUERY, TEXT } from '../kit/codecs.ts';
import { ROW_ID, WARNING } from '../refusal/bound-row-json.ts';
import { conditionText, nodeText } from './words.ts';
import * as json from '../kit/codec.ts';

const KINDS = ['plan', 'mechanism', 'group', 'parallel', 'partition', 'local'] as const;

const kindOf = (node: PlanNode | null): (typeof KINDS)[number] => {
  if (node === null) return 'plan';
  return isEntry(node) ? 'mechanism' : node.node;
};

/** Whether a precondition holds. */
export const CONDITION_STATE = json.choice('met', 'assumed', 'failing');

/** A precondition with its words. */
export const conditionRow = ({ id, state }: Condition): json.ValueOf<typeof CONDITION> => ({
  id,
  state,
  description: conditionText(id),
});

const CONDITION = json.object({
  id: TEXT,
  state: json.described(
    'met: said, or a consequence of it; assumed: by default; failing: a fallback stands in',
    CONDITION_STATE,
  ),
  description: TEXT,
});

const OWN = {
  node: json.choice(...KINDS),
  path: json.described('Its place in the document.', TEXT),
  label: json.optional(TEXT),
  description: TEXT,
  theorems: json.described(
    'What leads from the costs of the children to its own; none where it only passes them on.',
    json.list(THEOREM),
  ),
  conditions: json.list(json.from(CONDITION, conditionRow)),
  price: json.described(
    'What was asked, of this node alone; null where no bound covers it.',
    json.orNull(json.object({ value: BRACKET, bound: ROW_ID })),
  ),
  room: json.optional(
    json.described(
      'How many instances of this delta a cap has room for, and what is left for a smaller one.',
      json.object({ delta: NEAREST, instances: COUNT, remaining: NUMBER }),
    ),
  ),
};

type ReadNode = json.ReadMembers<typeof OWN> & { readonly children: readonly ReadNode[] };

/** Wherever a node stands. */
export const NODE_REFERENCE: json.Codec<PricedNode, ReadNode> = {
  schema: { $ref: '#/$defs/node' },
  encode: (node) => NODE.encode(node),
};

/** A node of a plan, with those below it; refers to itself. */
export const NODE: json.Codec<PricedNode, ReadNode> = json.from(
  json.object({ ...OWN, children: json.list(NODE_REFERENCE) }),
  ({ found, price, room, children }: PricedNode) => ({
    ...found,
    node: kindOf(found.node),
    label: found.node?.label ?? null,
    description: nodeText(found.node),
    price,
    room: room && { ...room, remaining: Math.max(0, toLower(room.remaining)) },
    children,
  }),
);

/** A plan with its price. */
export const PLAN = json.document(
  'plan',
  'A composition with structure: the theorem, its preconditions and the price at every node, as plan --json prints it.',
  {
    input: INPUT,
    query: QUERY,
    answer: ANSWER,
    plan: json.optional(PLAN_TOTALS),
    tree: NODE_REFERENCE,
    warnings: json.list(WARNING),
  },
  { node: NODE.schema },
);
