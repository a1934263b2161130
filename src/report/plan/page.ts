import type { PricedNode, PricedPlan } from '../../composition/plan/price-plan.ts';
import { THEIR_PAPER, type ConditionId } from '../../composition/theorems/theorem.ts';
import type { Layout } from '../kit/columns.ts';
import { upperText } from '../kit/number.ts';
import { heading, pageMarkdown, pageText, paragraph, type Block } from '../kit/page.ts';
import { statement, type Composed } from '../kit/statement.ts';
import { askedText, treeBlock } from './tree.ts';
import { conditionKey, conditionText } from './words.ts';

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
  return `Assumed, as nothing is said: ${items.join('; ')}.`;
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
  paragraph(`Each price is the ${askedText(plan.answer)} of that part alone.`),
  treeBlock(plan),
];

/**
 * A plan for a person: a tree with the theorem, its preconditions and the price at every node, and the guarantee of the
 * whole in one sentence. Prices are rounded up.
 */
export const planTree = (plan: PricedPlan, composed: Composed, layout: Layout): string =>
  pageText(
    [heading(composed.name), treeBlock(plan), paragraph(statement(plan.answer, composed)), ...notes(plan)],
    layout,
  );

/** A plan as a Markdown document: the guarantee, and a nested list with theorem, preconditions and price of every node. */
export const planMarkdown = (plan: PricedPlan, composed: Composed): string =>
  pageMarkdown([
    heading(composed.name ?? 'Plan'),
    paragraph(statement(plan.answer, composed)),
    totals(plan),
    ...pricedTree(plan),
  ]);
