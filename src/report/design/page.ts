import { ofSubmechanisms } from '../../composition/theorems/design.ts';
import type { Layout } from '../kit/columns.ts';
import { heading, label, list, pageMarkdown, pageText, paragraph, stack } from '../kit/page.ts';
import { notes, pricedTree, totals } from '../plan/page.ts';
import { treeBlock } from '../plan/tree.ts';
import { exposureTable, noiseTable, taintSentence, trusted, verdictTable } from './facts.ts';
import { designStatement, errorShapeText, type Designed } from './statement.ts';

/**
 * A design that has its properties, for a person: why it has them, what reaches each sub-mechanism, what those cost as a
 * tree of theorems, and the guarantee of the mechanism.
 */
export function designTable(report: Designed, layout: Layout): string {
  const { check, design, plan, specification, errorShape } = report;
  return pageText(
    [
      heading(specification.name),
      verdictTable(check, design),
      paragraph(taintSentence(check)),
      exposureTable(check),
      noiseTable(design),
      treeBlock(plan),
      paragraph(designStatement(report)),
      ...notes(plan),
      stack([label('Taken on trust:'), list(trusted(design, specification.entries))]),
      paragraph(errorShape && errorShapeText(errorShape)),
    ],
    layout,
  );
}

/** The same as a Markdown document. */
export function designMarkdown(report: Designed): string {
  const { check, design, plan, specification, errorShape } = report;
  const hasNoise = design.submechanisms.some(({ noise }) => noise.length > 0);
  return pageMarkdown([
    heading(specification.name ?? 'Design'),
    paragraph(designStatement(report)),
    totals(plan),
    heading('Properties', 2),
    verdictTable(check, design),
    paragraph(taintSentence(check)),
    exposureTable(check),
    paragraph(
      `With these properties the mechanism is as private as its sub-mechanisms are together (${ofSubmechanisms.reference}).`,
    ),
    heading(hasNoise ? 'Noise' : null, 2),
    noiseTable(design),
    heading('Price', 2),
    ...pricedTree(plan),
    heading('Taken on trust', 2),
    list(trusted(design, specification.entries)),
    paragraph(errorShape && errorShapeText(errorShape)),
  ]);
}
