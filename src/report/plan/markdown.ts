import type { PricedNode, PricedPlan } from '../../composition/plan/price-plan.ts';
import type { Theorem } from '../../composition/theorems/theorem.ts';
import { upperText } from '../kit/number.ts';
import { askedText, totalsText } from './tree.ts';
import { conditionsIn, nodeText, roomText } from './words.ts';
import { printable } from '../kit/prose.ts';
import { statement, type Composed } from '../kit/statement.ts';

/** Text that Markdown takes as it is. */
export const escaped = (text: string): string => printable(text).replace(/[\\`*_[\]<>|#~]/g, '\\$&');

const theoremItem = ({ name, reference }: Theorem): string => `**${escaped(name)}** (${escaped(reference)})`;

function facts(node: PricedNode): string[] {
  const conditions = (['failing', 'assumed', 'met'] as const).flatMap((state) => {
    const those = conditionsIn(node, state);
    const word = state === 'failing' ? 'not met' : state;
    return those.length === 0 ? [] : [`${word}: ${escaped(those.join(', '))}`];
  });
  const room = roomText(node);
  return [...node.found.theorems.map(theoremItem), ...conditions, ...(room === null ? [] : [escaped(room)])];
}

/** A node of a plan as a nested list. */
export function items(node: PricedNode, indent = ''): string[] {
  const price = node.price === null ? 'no bound' : upperText(node.price.value);
  const inner = `${indent}  `;
  return [
    `${indent}- \`${price}\` ${escaped(nodeText(node.found.node))}`,
    ...facts(node).map((fact) => `${inner}- ${fact}`),
    ...node.children.flatMap((child) => items(child, inner)),
  ];
}

/** A plan as a Markdown document: the guarantee, and a nested list with theorem, preconditions and price of every node. */
export function planMarkdown(plan: PricedPlan, composed: Composed): string {
  const { answer, tree } = plan;
  const totals = totalsText(plan);
  return [
    `# ${composed.name === null ? 'Plan' : escaped(composed.name)}`,
    '',
    escaped(statement(answer, composed)),
    ...(totals === null ? [] : ['', escaped(totals)]),
    '',
    `Each price is the ${escaped(askedText(answer))} of that part alone.`,
    '',
    ...items(tree, ''),
    '',
  ].join('\n');
}
