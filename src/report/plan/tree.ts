import type { PricedNode, PricedPlan } from '../../composition/plan/price-plan.ts';
import type { ConditionId } from '../../composition/theorems/condition.ts';
import { THEIR_PAPER } from '../../composition/theorems/theorem.ts';
import type { Characters, Layout } from '../kit/columns.ts';
import { givenText, upperText } from '../kit/number.ts';
import { conditionKey, conditionsIn, conditionText, nodeText, roomText, theoremText } from './words.ts';
import { printable, wrapped } from '../kit/prose.ts';
import { statement, type Composed } from '../kit/statement.ts';

/** Where a node stands in the drawing: what goes before its first line, and before all others. */
interface Stem {
  readonly first: string;
  readonly rest: string;
}

const ROOT: Stem = { first: '', rest: '' };

/** What the drawing is made of: a child, the last child, and what goes down beside others. */
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

/** One line of the drawing: the price of the node that begins here, and what is said of it. */
interface Line {
  readonly price: string;
  readonly stem: string;
  readonly text: string;
  readonly mark: 'heading' | 'quiet' | 'warning' | null;
}

const priceText = ({ price }: PricedNode): string => (price === null ? 'no bound' : upperText(price.value));

/** Narrower than this nothing is broken into lines. */
const NARROWEST = 16;

function linesOf(node: PricedNode, stem: Stem, width: number, branches: Branches): Line[] {
  const below = node.children.length > 0;
  const inner = `${stem.rest}${below ? branches.down : '   '}`;
  const room = Math.max(NARROWEST, width - inner.length);
  const title = wrapped(nodeText(node.found.node), room).split('\n');
  const said = (text: string, mark: Line['mark']): Line[] =>
    wrapped(text, room)
      .split('\n')
      .map((line) => ({ price: '', stem: inner, text: line, mark }));
  const failing = conditionsIn(node, 'failing');
  const met = conditionsIn(node, 'met');
  const assumed = conditionsIn(node, 'assumed');
  const space = roomText(node);
  return [
    ...title.map((text, index): Line => ({
      price: index === 0 ? priceText(node) : '',
      stem: index === 0 ? stem.first : stem.rest,
      text,
      mark: below ? 'heading' : null,
    })),
    ...node.found.theorems.flatMap((theorem) => said(theoremText(theorem), 'quiet')),
    ...(failing.length > 0 ? said(`not met: ${failing.join(', ')}`, 'warning') : []),
    ...(assumed.length > 0 ? said(`assumed: ${assumed.join(', ')}`, 'quiet') : []),
    ...(met.length > 0 ? said(`met: ${met.join(', ')}`, 'quiet') : []),
    ...(space === null ? [] : said(space, 'quiet')),
    ...node.children.flatMap((child, index) =>
      linesOf(child, branch(stem, index === node.children.length - 1, branches), width, branches),
    ),
  ];
}

/** Of which paper theorems are that are only numbers. */
export const SOURCE = `Theorems without a source are those of ${THEIR_PAPER}.`;

/** Everything that is assumed somewhere in a plan. */
function assumptions(node: PricedNode): ConditionId[] {
  const own = node.found.conditions.filter(({ state }) => state === 'assumed').map(({ id }) => id);
  return [...new Set([...own, ...node.children.flatMap(assumptions)])];
}

/** What is assumed, and by which keys it can be stated. */
export function assumptionText(tree: PricedNode): string | null {
  const ids = assumptions(tree);
  if (ids.length === 0) return null;
  const items = ids.map((id) => {
    const key = conditionKey(id);
    return `${conditionText(id)}${key === null ? '' : ` ("${key}")`}`;
  });
  return `Assumed, as nothing is said: ${items.join('; ')}.`;
}

/** What the plan costs in one list and part by part, where both are known. */
export function totalsText({ answer }: PricedPlan): string | null {
  const { plan, query } = answer;
  if (plan?.grouped == null) return null;
  const { solveFor } = query;
  const flattened = plan.flattened === null ? 'is not covered by any bound' : `is ${upperText(plan.flattened)}`;
  return `With all parts in one list, ${solveFor} ${flattened}; with each part as one (epsilon, delta), it is ${upperText(plan.grouped)}.`;
}

/** `epsilon at delta 1e-6`. */
export const askedText = ({ query }: PricedPlan['answer']): string =>
  query.solveFor === 'epsilon'
    ? `epsilon at delta ${givenText(query.delta)}`
    : `delta at epsilon ${givenText(query.epsilon)}`;

/** The tree of a plan: the theorem, its preconditions and the price at every node, rounded up. */
export function treeText({ answer, tree }: PricedPlan, { width, style, characters = 'ascii' }: Layout): string {
  const branches = BRANCHES[characters];
  const lines = linesOf(tree, ROOT, width, branches);
  const column = lines.reduce((most, { price }) => Math.max(most, price.length), answer.query.solveFor.length) + 2;
  const narrowed = linesOf(tree, ROOT, width - column, branches);
  const drawing = narrowed.map(({ price, stem, text, mark }, index) => {
    const cell = index === 0 ? style.best(price) : price;
    return `${cell}${' '.repeat(column - price.length)}${stem}${mark === null ? text : style[mark](text)}`;
  });
  return [style.heading(askedText(answer)), ...drawing].join('\n');
}

/**
 * A plan for a person: a tree with the theorem, its preconditions and the price at every node, and the guarantee of the
 * whole in one sentence. Prices are rounded up.
 */
export function planTree(plan: PricedPlan, composed: Composed, layout: Layout): string {
  const { width, style } = layout;
  const notes = [statement(plan.answer, composed), totalsText(plan), assumptionText(plan.tree), SOURCE];
  const paragraphs = [
    ...(composed.name === null ? [] : [style.heading(wrapped(printable(composed.name), width))]),
    treeText(plan, layout),
    ...notes.flatMap((note) => (note === null ? [] : [wrapped(note, width)])),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
