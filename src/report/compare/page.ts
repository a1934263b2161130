import type { DesignComparison } from '../../composition/compare/compare.ts';
import type { Layout } from '../kit/columns.ts';
import { heading, pageMarkdown, pageText, paragraph, type Block } from '../kit/page.ts';
import { printable } from '../kit/prose.ts';
import { table } from '../kit/table.ts';
import {
  comparedRows,
  compareNotes,
  compareStatement,
  epsilonRows,
  rateRows,
  smallerText,
  valueText,
  type StretchRow,
} from './words.ts';

/** The quantities that are compared, and for which of them the smaller one is better. */
export const compareHeading = ({ names: [first, second] }: Pick<DesignComparison, 'names'>): string =>
  `${printable(first)} beside ${printable(second)}`;

const stretches = (rows: readonly StretchRow[], along: string, better: string): Block =>
  table(rows, [
    [`${along} from`, ({ from }) => from, { right: true, inBlock: `${along} from` }],
    ['to', ({ to }) => to, { right: true }],
    [better, (row) => row.better],
  ]);

function blocks(comparison: DesignComparison): Block[] {
  const [first, second] = comparison.names.map(printable);
  return [
    heading(compareHeading(comparison)),
    table(comparedRows(comparison), [
      'quantity',
      [first!, ({ values }) => valueText(values[0]), { right: true }],
      [second!, ({ values }) => valueText(values[1]), { right: true }],
      ['certainly smaller (better)', ({ values }) => smallerText(comparison, values)],
    ]),
    stretches(epsilonRows(comparison), 'epsilon', 'smaller delta (better)'),
    stretches(rateRows(comparison), 'false-positive rate', 'larger false-negative rate (better)'),
    paragraph(compareStatement(comparison)),
    ...compareNotes(comparison).map(paragraph),
  ];
}

/** Two designs for a person: numbers of both, and where each is better. */
export const compareTable = (comparison: DesignComparison, layout: Layout): string =>
  pageText(blocks(comparison), layout);

/** The same as Markdown. */
export const compareMarkdown = (comparison: DesignComparison): string => pageMarkdown(blocks(comparison));
