import type { PricedNode, PricedPlan } from '../../composition/plan/price-plan.ts';
import { type Condition, type Theorem, THEIR_PAPER, type ConditionId } from '../../composition/theorems/theorem.ts';
import { isEntry, type PlanNode } from '../../composition/core/plan-node.ts';
import { toLower } from '../../numeric/decimal.ts';
import { ANSWER, PLAN_TOTALS, THEOREM } from '../compose/json.ts';
import { BRACKET, COUNT, INPUT, NEAREST, NUMBER, QUERY, TEXT } from '../kit/codecs.ts';
import { ROW_ID, WARNING } from '../refusal/refusal.ts';
import { conditionText, nodeText, capacityText, conditionsIn, theoremText, conditionKey } from './words.ts';
import * as json from '../kit/codec.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';
import {
  type Characters,
  type Layout,
  type Block,
  heading,
  paragraph,
  type Output,
  bold,
  code,
  escaped,
  markdownText,
  plainText,
  type Inline,
  type Span,
} from '../kit/page.ts';
import { upperText, queryText } from '../kit/number.ts';
import { NARROWEST, wrapped } from '../kit/prose.ts';
import { statement, type Composed } from '../kit/statement.ts';

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
  state: json.described('met: declared, or implied; assumed: by default; failing: a fallback is used', CONDITION_STATE),
  description: TEXT,
});

const OWN = {
  node: json.choice(...KINDS),
  path: json.described('Its place in the document.', TEXT),
  label: json.optional(TEXT),
  description: TEXT,
  theorems: json.described(
    'The theorems that give its privacy loss from those of its children; none if it only passes them on.',
    json.list(THEOREM),
  ),
  conditions: json.list(json.from(CONDITION, conditionRow)),
  price: json.described(
    'The result for this node alone; null if no bound covers it.',
    json.orNull(json.object({ value: BRACKET, bound: ROW_ID })),
  ),
  room: json.optional(
    json.described(
      'How many instances of this delta fit under the cap, and what remains for a smaller one.',
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
  'A plan: theorem, preconditions and privacy loss of every node. The output of plan --json.',
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

/** Where a node stands in the drawing: what goes before its first line, and before all others. */
interface Stem {
  readonly first: string;
  readonly rest: string;
}

const ROOT: Stem = { first: '', rest: '' };

/** The strokes of the drawing: to a child, to the last child, and down past other nodes. */
const BRANCHES = {
  unicode: { child: '├─ ', last: '└─ ', down: '│  ' },
  ascii: { child: '|- ', last: '`- ', down: '|  ' },
} as const satisfies Record<Characters, object>;
type Branches = (typeof BRANCHES)[Characters];

/** The stem of a child below one with this. */
const branch = ({ rest }: Stem, isLast: boolean, { child, last, down }: Branches): Stem => ({
  first: `${rest}${isLast ? last : child}`,
  rest: `${rest}${isLast ? '   ' : down}`,
});

/** One line of the drawing: the price of the node that begins here, and its text. */
interface Line {
  readonly price: string;
  readonly stem: string;
  readonly text: string;
  readonly mark: 'heading' | 'quiet' | 'warning' | null;
}

const priceText = ({ price }: PricedNode): string => (price === null ? 'no bound' : upperText(price.value));

/** A theorem: by its number in a drawing, in full in Markdown. */
const theoremSpan = (theorem: Theorem): Span => ({
  text: theoremText(theorem),
  markdown: `${bold(theorem.name).markdown} (${escaped(theorem.reference)})`,
});

/** The theorems behind the price of a node, which of their preconditions hold, and the remaining capacity of a cap. */
function factsOf(node: PricedNode): readonly (readonly [Inline, mark: 'warning' | 'quiet'])[] {
  const conditions = (['failing', 'assumed', 'met'] as const).flatMap((state) => {
    const those = conditionsIn(node, state).join(', ');
    if (those === '') return [];
    return [
      state === 'failing' ? ([`not met: ${those}`, 'warning'] as const) : ([`${state}: ${those}`, 'quiet'] as const),
    ];
  });
  const capacity = capacityText(node);
  return [
    ...node.found.theorems.map((theorem) => [[theoremSpan(theorem)], 'quiet'] as const),
    ...conditions,
    ...(capacity === null ? [] : [[capacity, 'quiet'] as const]),
  ];
}

function linesOf(node: PricedNode, stem: Stem, width: number, branches: Branches): Line[] {
  const below = node.children.length > 0;
  const inner = `${stem.rest}${below ? branches.down : '   '}`;
  const broken = (text: string): string[] => wrapped(text, Math.max(NARROWEST, width - inner.length)).split('\n');
  return [
    ...broken(nodeText(node.found.node)).map((text, index): Line => ({
      price: index === 0 ? priceText(node) : '',
      stem: index === 0 ? stem.first : stem.rest,
      text,
      mark: below ? 'heading' : null,
    })),
    ...factsOf(node).flatMap(([fact, mark]) =>
      broken(plainText(fact)).map((text): Line => ({ price: '', stem: inner, text, mark })),
    ),
    ...node.children.flatMap((child, index) =>
      linesOf(child, branch(stem, index === node.children.length - 1, branches), width, branches),
    ),
  ];
}

/** A node as a nested list in Markdown. */
function itemsOf(node: PricedNode, indent = ''): string[] {
  const inner = `${indent}  `;
  return [
    `${indent}- ${markdownText([code(priceText(node)), ` ${nodeText(node.found.node)}`])}`,
    ...factsOf(node).map(([fact]) => `${inner}- ${markdownText(fact)}`),
    ...node.children.flatMap((child) => itemsOf(child, inner)),
  ];
}

function treeText({ answer, tree }: PricedPlan, { width, style, characters = 'ascii' }: Layout): string {
  const branches = BRANCHES[characters];
  const lines = linesOf(tree, ROOT, width, branches);
  const column =
    lines.reduce((maximum, { price }) => Math.max(maximum, price.length), answer.query.solveFor.length) + 2;
  const narrowed = linesOf(tree, ROOT, width - column, branches);
  const drawing = narrowed.map(({ price, stem, text, mark }, index) => {
    const cell = index === 0 ? style.best(price) : price;
    return `${cell}${' '.repeat(column - price.length)}${stem}${mark === null ? text : style[mark](text)}`;
  });
  return [style.heading(queryText(answer.query)), ...drawing].join('\n');
}

/** The tree of a plan: the theorem, its preconditions and the price at every node, rounded up. */
export const treeBlock = (plan: PricedPlan): Block => ({
  text: (layout) => treeText(plan, layout),
  markdown: () => itemsOf(plan.tree).join('\n'),
});

/** Of which paper theorems are that are only numbers. */
const SOURCE = `Theorems without a source are those of ${THEIR_PAPER}.`;

/** Everything that is assumed somewhere in a plan. */
function assumptions(node: PricedNode): ConditionId[] {
  const own = node.found.conditions.filter(({ state }) => state === 'assumed').map(({ id }) => id);
  return [...new Set([...own, ...node.children.flatMap(assumptions)])];
}

/** The assumptions, each with the key by which it can be stated. */
function assumptionText(tree: PricedNode): string | null {
  const ids = assumptions(tree);
  if (ids.length === 0) return null;
  const items = ids.map((id) => {
    const key = conditionKey(id);
    return `${conditionText(id)}${key === null ? '' : ` ("${key}")`}`;
  });
  return `Assumed by default: ${items.join('; ')}.`;
}

/** The totals of the plan as one list and part by part; null where the latter is not known. */
function totalsText({ answer }: PricedPlan): string | null {
  const { plan, query } = answer;
  if (plan?.grouped == null) return null;
  const { solveFor } = query;
  const flattened = plan.flattened === null ? 'is not covered by any bound' : `is ${upperText(plan.flattened)}`;
  return `With all parts in one list, ${solveFor} ${flattened}; with each part as one (epsilon, delta), it is ${upperText(plan.grouped)}.`;
}

/** The totals of the plan as one list and part by part, as a paragraph. */
export const totals = (plan: PricedPlan): Block => paragraph(totalsText(plan));

/** The notes behind the guarantee of a plan for a person. */
export const notes = (plan: PricedPlan): Block[] => [
  totals(plan),
  paragraph(assumptionText(plan.tree)),
  paragraph(SOURCE),
];

/** The tree of a plan in Markdown, behind what its prices are. */
export const pricedTree = (plan: PricedPlan): Block[] => [
  paragraph(`The number of each part is its ${queryText(plan.answer.query)} alone.`),
  treeBlock(plan),
];

/**
 * A plan: a tree with the theorem, its preconditions and the price at every node, in Markdown a nested list, and the
 * guarantee of the whole in one sentence. Prices are rounded up; `input` is the specification in normal form.
 */
export function planOutput(plan: PricedPlan, composed: Composed, input: ExactForm): Output {
  const { answer, tree } = plan;
  const guarantee = paragraph(statement(answer, composed));
  return {
    page: () => [heading(composed.name), treeBlock(plan), guarantee, ...notes(plan)],
    markdown: () => [heading(composed.name ?? 'Plan'), guarantee, totals(plan), ...pricedTree(plan)],
    json: (version) => json.documentText(PLAN, { ...answer, version, input, answer, tree }),
  };
}
