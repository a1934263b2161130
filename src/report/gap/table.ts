import type { GapAnswer, GapRow } from '../../composition/gap/gap.ts';
import { blocks, columns, type Layout, type Line } from '../kit/columns.ts';
import { gapHeading, gapStatement, settingOf, varying } from './statement.ts';
import { bracketText, shortRangeText } from '../kit/number.ts';
import { wrapped } from '../kit/prose.ts';

const NOT_COMPUTED = 'not computed';

/** The optima and how far they are apart, as cells under {@link headings}. */
function cells({ nonadaptive, gap }: GapRow): string[] {
  const fixed = bracketText(nonadaptive);
  if ('reason' in gap) return [fixed, NOT_COMPUTED, '', ''];
  const ratio = gap.ratio === null ? '' : `${shortRangeText(gap.ratio, 100)}%`;
  return [fixed, bracketText(gap.adaptive), ratio, shortRangeText(gap.difference)];
}

const headings = ['nonadaptive', 'adaptive', 'gap', 'difference'];

/**
 * Both optima of every composition and the gap between them for a person, with the largest gap in one sentence.
 *
 * Every number is rounded to the side on which it stays true.
 */
export function gapTable(answer: GapAnswer, layout: Layout): string {
  const varies = varying(answer.question);
  const lines = answer.rows.map((row): Line => ({ cells: [settingOf(row, varies), ...cells(row)], best: false }));
  const head = [varies, ...headings];
  const without = (items: readonly string[]): readonly string[] => items.slice(0, -1);
  const named = lines.map((line) => ({ ...line, cells: [`${varies} ${line.cells[0] ?? ''}`, ...line.cells.slice(1)] }));
  const table =
    columns(head, lines, layout) ??
    columns(
      without(head),
      lines.map((line) => ({ ...line, cells: without(line.cells) })),
      layout,
    ) ??
    blocks(head, named, layout);
  const paragraphs = [
    layout.style.heading(wrapped(gapHeading(answer.question), layout.width)),
    table,
    ...gapStatement(answer).map((sentence) => wrapped(sentence, layout.width)),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
