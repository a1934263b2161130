import type { AskedQuestion } from '../../composition/solve/asked.ts';
import { blocks, columns, type Layout } from '../kit/columns.ts';
import { nodeText } from '../plan/words.ts';
import { wrapped } from '../kit/prose.ts';
import { solutionOf, solveStatement, type Diagnostics } from './statement.ts';

/** What was found for a person: what varies with it, and what certifies it in a few sentences. */
export function solveTable(outcome: Diagnostics, asked: AskedQuestion, layout: Layout): string {
  const nodes = solutionOf(outcome)?.nodes ?? [];
  const head = ['place', 'mechanism'];
  const lines = nodes.map(({ path, node }) => ({ cells: [path, nodeText(node)], best: false }));
  const table = columns(head, lines, layout) ?? blocks(head, lines, layout);
  const paragraphs = [wrapped(solveStatement(outcome, asked), layout.width), ...(lines.length === 0 ? [] : [table])];
  return `${paragraphs.join('\n\n')}\n`;
}
