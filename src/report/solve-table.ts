import type { AskedQuestion } from '../composition/vary/asked.ts';
import { blocks, columns, type Layout } from './columns.ts';
import { entryText } from './guarantee-text.ts';
import { wrapped } from './prose.ts';
import { solveStatement, type Findings } from './solve-statement.ts';

/** What was found for a person: the mechanisms with it, and what certifies it in a few sentences. */
export function solveTable(outcome: Findings, asked: AskedQuestion, layout: Layout): string {
  const entries = outcome.kind === 'solved' ? outcome.entries : [];
  const head = ['place', 'mechanism'];
  const lines = entries.map(({ path, entry }) => ({ cells: [path, entryText(entry)], best: false }));
  const table = columns(head, lines, layout) ?? blocks(head, lines, layout);
  const paragraphs = [wrapped(solveStatement(outcome, asked), layout.width), ...(lines.length === 0 ? [] : [table])];
  return `${paragraphs.join('\n\n')}\n`;
}
