import type { Comparison } from '../../composition/diff/compare.ts';
import { code } from '../kit/inline.ts';
import type { Layout } from '../kit/columns.ts';
import { pageMarkdown, pageText, paragraph, quiet } from '../kit/page.ts';
import { table } from '../kit/table.ts';
import { changeText, costCells, diffStatement, refusedAlone } from './words.ts';

/** Each change alone: what it is, the total with it, and how much more that is. */
const rowsOf = ({ changes, before, query }: Comparison) =>
  changes.map((priced) => {
    const [total, difference] = costCells(priced, before[query.solveFor]);
    return { ...changeText(priced.change), total, difference };
  });

/** The cost of a changed specification, for a person: each change alone, and the totals in a sentence. */
export function diffTable(comparison: Comparison, layout: Layout): string {
  return pageText(
    [
      table(rowsOf(comparison), [
        ['  alone', ({ mark, total }) => `${mark} ${total}`],
        'difference',
        ['change', ({ what }) => what],
      ]),
      paragraph(diffStatement(comparison)),
      ...refusedAlone(comparison).map(quiet),
    ],
    layout,
  );
}

/** The same as Markdown: for the description of a change. */
export const diffMarkdown = (comparison: Comparison): string =>
  pageMarkdown([
    paragraph(diffStatement(comparison)),
    table(rowsOf(comparison), [
      ['change', ({ mark, what }) => [code(mark), ` ${what}`]],
      [`${comparison.query.solveFor} with it alone`, ({ total }) => total, { right: true }],
      ['difference', ({ difference }) => difference, { right: true }],
    ]),
    ...refusedAlone(comparison).map(paragraph),
  ]);
