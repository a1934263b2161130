import type { PricedNode, PricedPlan } from '../../composition/plan/price-plan.ts';
import type { Condition } from '../../composition/theorems/theorem.ts';
import { isEntry, type PlanNode } from '../../composition/core/plan-node.ts';
import { toLower } from '../../numeric/decimal.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';
import { ANSWER, PLAN_TOTALS, THEOREM } from '../compose/answer-json.ts';
import {
  choice,
  described,
  document,
  documentText,
  from,
  list,
  object,
  optional,
  orNull,
  type Codec,
  type ReadMembers,
  type ValueOf,
} from '../kit/codec.ts';
import { BRACKET, COUNT, INPUT, NEAREST, NUMBER, QUERY, TEXT } from '../kit/codecs.ts';
import { ROW_ID, WARNING } from '../refusal/bound-row-json.ts';
import { conditionText, nodeText } from './words.ts';

const KINDS = ['plan', 'mechanism', 'group', 'parallel', 'partition', 'local'] as const;

const kindOf = (node: PlanNode | null): (typeof KINDS)[number] => {
  if (node === null) return 'plan';
  return isEntry(node) ? 'mechanism' : node.node;
};

/** Whether a precondition holds. */
export const CONDITION_STATE = choice('met', 'assumed', 'failing');

/** A precondition with its words. */
export const conditionRow = ({ id, state }: Condition): ValueOf<typeof CONDITION> => ({
  id,
  state,
  description: conditionText(id),
});

const CONDITION = object({
  id: TEXT,
  state: described(
    'met: said, or a consequence of it; assumed: nothing is said; failing: a fallback stands in',
    CONDITION_STATE,
  ),
  description: TEXT,
});

const OWN = {
  node: choice(...KINDS),
  path: described('Its place in the document.', TEXT),
  label: optional(TEXT),
  description: TEXT,
  theorems: described(
    'What leads from the costs of the children to its own; none where it only passes them on.',
    list(THEOREM),
  ),
  conditions: list(from(CONDITION, conditionRow)),
  price: described(
    'What was asked, of this node alone; null where no bound covers it.',
    orNull(object({ value: BRACKET, bound: ROW_ID })),
  ),
  room: optional(
    described(
      'How many instances of this delta a cap has room for, and what is left for a smaller one.',
      object({ delta: NEAREST, instances: COUNT, remaining: NUMBER }),
    ),
  ),
};

type ReadNode = ReadMembers<typeof OWN> & { readonly children: readonly ReadNode[] };

/** Wherever a node stands. */
export const NODE_REFERENCE: Codec<PricedNode, ReadNode> = {
  schema: { $ref: '#/$defs/node' },
  encode: (node) => NODE.encode(node),
};

/** A node of a plan, with those below it; refers to itself. */
export const NODE: Codec<PricedNode, ReadNode> = from(
  object({ ...OWN, children: list(NODE_REFERENCE) }),
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
export const PLAN = document(
  'plan',
  'A composition with structure: the theorem, its preconditions and the price at every node, as plan --json prints it.',
  {
    input: INPUT,
    query: QUERY,
    answer: ANSWER,
    plan: optional(PLAN_TOTALS),
    tree: NODE_REFERENCE,
    warnings: list(WARNING),
  },
  { node: NODE.schema },
);

/** A plan with the theorem, the preconditions and the price at every node, as `dpcompose.plan/1`. */
export const planJson = ({ answer, tree }: PricedPlan, input: ExactForm, version: string): string =>
  documentText(PLAN, { ...answer, version, input, answer, tree });
