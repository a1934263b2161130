import type { Comparison } from '../../composition/diff/compare.ts';
import { blocks, columns, type Layout, type Line } from '../kit/columns.ts';
import { changeText, costCells, diffStatement, refusedAlone } from './words.ts';
import { wrapped } from '../kit/prose.ts';

/** What a change of specification costs, for a person: each change alone, and the totals in a sentence. */
export function diffTable(comparison: Comparison, layout: Layout): string {
  const { query, before, changes } = comparison;
  const head = ['  alone', 'difference', 'change'];
  const lines = changes.map((priced): Line => {
    const [total, difference] = costCells(priced, before[query.solveFor]);
    const { mark, what } = changeText(priced.change);
    return { cells: [`${mark} ${total}`, difference, what], best: false };
  });
  const table = columns(head, lines, layout) ?? blocks(head, lines, layout);
  const paragraphs = [
    ...(lines.length === 0 ? [] : [table]),
    wrapped(diffStatement(comparison), layout.width),
    ...refusedAlone(comparison).map((text) => layout.style.quiet(wrapped(text, layout.width))),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
