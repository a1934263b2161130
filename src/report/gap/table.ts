import type { GapAnswer, GapRow } from '../../composition/gap/gap.ts';
import type { Layout } from '../kit/columns.ts';
import { gapHeading, gapStatement, settingOf, varying } from './statement.ts';
import { bracketText, shortRangeText } from '../kit/number.ts';
import { heading, pageText, paragraph } from '../kit/page.ts';
import { table } from '../kit/table.ts';

const ratioText = ({ gap }: GapRow): string =>
  'reason' in gap || gap.ratio === null ? '' : `${shortRangeText(gap.ratio, 100)}%`;

/**
 * Both optima of every composition and the gap between them for a person, with the largest gap in one sentence.
 *
 * Every number is rounded to the side on which it stays true.
 */
export function gapTable(answer: GapAnswer, layout: Layout): string {
  const varies = varying(answer.question);
  return pageText(
    [
      heading(gapHeading(answer.question)),
      table(answer.rows, [
        [varies, (row) => settingOf(row, varies), { inBlock: varies }],
        ['nonadaptive', ({ nonadaptive }) => bracketText(nonadaptive)],
        ['adaptive', ({ gap }) => ('reason' in gap ? 'not computed' : bracketText(gap.adaptive))],
        ['gap', ratioText],
        ['difference', ({ gap }) => ('reason' in gap ? '' : shortRangeText(gap.difference)), { spare: 'columns' }],
      ]),
      ...gapStatement(answer).map(paragraph),
    ],
    layout,
  );
}
