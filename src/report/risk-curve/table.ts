import type { Ends, RiskCurve, RiskMeasure } from '../../composition/risk-curve/risk-curve.ts';
import type { Layout } from '../kit/columns.ts';
import { exactGivenText, lowerText, meet, upperText } from '../kit/number.ts';
import { heading, pageText, paragraph } from '../kit/page.ts';
import { printable } from '../kit/prose.ts';
import { table, type Column } from '../kit/table.ts';
import { isDrawn, QUANTITIES, riskCurveHeading, riskCurveNotes, type DrawnLine } from './statement.ts';

/** The claim, rounded to the side on which it stays true. */
function claimText(of: RiskMeasure, { lower, upper }: Ends): string {
  if (of === 'tradeoff') return lower === null ? '-' : lowerText(lower);
  return upper === null ? '-' : upperText({ lower, upper });
}

/** The other end, where it is known and is another number to a reader. */
function otherText(of: RiskMeasure, { lower, upper }: Ends): string {
  if (lower === null || upper === null || meet(lower, upper)) return '';
  return of === 'tradeoff' ? upperText({ lower, upper }) : lowerText(lower);
}

const OTHER: Readonly<Record<RiskMeasure, string>> = { tradeoff: 'at most', profile: 'at least' };

/** The columns beside each value: of one line both ends, of several their claims. */
function beside(of: RiskMeasure, lines: readonly DrawnLine[]): readonly Column<number>[] {
  const [only, ...others] = lines;
  if (only === undefined) return [];
  if (others.length > 0) {
    return lines.map(({ name, points }) => [printable(name), (at) => claimText(of, points[at]!)]);
  }
  const { points } = only;
  return [
    [QUANTITIES[of].value, (at) => claimText(of, points[at]!)],
    ...(points.some((point) => otherText(of, point) !== '')
      ? [[OTHER[of], (at: number) => otherText(of, points[at]!)] as const]
      : []),
  ];
}

/** A curve for a person, a row for each value; `names` are those of the compositions. */
export function riskCurveTable(curve: RiskCurve, names: readonly string[], layout: Layout): string {
  const { of, values, lines } = curve;
  const { along } = QUANTITIES[of];
  return pageText(
    [
      heading(riskCurveHeading(curve, names)),
      table(Array.from(values.keys()), [
        [along, (at) => exactGivenText(values[at]!), { inBlock: along }],
        ...beside(of, lines.filter(isDrawn)),
      ]),
      ...riskCurveNotes(curve).map(paragraph),
    ],
    layout,
  );
}
