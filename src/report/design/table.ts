import { blocks, columns, type Layout } from '../kit/columns.ts';
import { exposureFacts, noiseFacts, taintSentence, trusted, verdictFacts, type Facts } from './facts.ts';
import { designStatement, errorShapeText, type Designed } from './statement.ts';
import { assumptionText, SOURCE, totalsText, treeText } from '../plan/tree.ts';
import { itemList, printable, wrapped } from '../kit/prose.ts';

function factsText({ head, rows }: Facts, layout: Layout): string {
  const lines = rows.map((cells) => ({ cells: cells.map(printable), best: false }));
  return columns(head, lines, layout) ?? blocks(head, lines, layout);
}

/**
 * A design that has its properties, for a person: why it has them, what reaches each sub-mechanism, what those cost as a
 * tree of theorems, and the guarantee of the mechanism.
 */
export function designTable(report: Designed, layout: Layout): string {
  const { check, design, plan, specification, errorShape } = report;
  const { width, style } = layout;
  const { name } = specification;
  const noise = noiseFacts(design);
  const paragraph = (text: string): string => wrapped(printable(text), width);
  const notes = [totalsText(plan), assumptionText(plan.tree), SOURCE];
  return `${[
    ...(name === null ? [] : [style.heading(paragraph(name))]),
    factsText(verdictFacts(check, design), layout),
    paragraph(taintSentence(check)),
    factsText(exposureFacts(check), layout),
    ...(noise.rows.length === 0 ? [] : [factsText(noise, layout)]),
    treeText(plan, layout),
    paragraph(designStatement(report)),
    ...notes.flatMap((note) => (note === null ? [] : [paragraph(note)])),
    `${style.heading('Taken on trust:')}\n${itemList(trusted(design, specification.entries), width)}`,
    ...(errorShape === null ? [] : [paragraph(errorShapeText(errorShape))]),
  ].join('\n\n')}\n`;
}
