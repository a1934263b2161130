import type { CurveAnswer, CurvePoint, CurveQuestion } from '../../composition/curve/curve.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Layout } from '../kit/columns.ts';
import { curveHeading, curveNotes, isMissing } from './statement.ts';
import { givenText, lowerText, upperText } from '../kit/number.ts';
import { heading, pageText, paragraph } from '../kit/page.ts';
import { grouped } from '../kit/prose.ts';
import { table, type Column } from '../kit/table.ts';

const NOTHING = '-';

const upper = (point: CurvePoint | undefined): string =>
  point === undefined || isMissing(point) ? NOTHING : upperText(point.value);

const lower = (point: CurvePoint | undefined): string =>
  point === undefined || isMissing(point) || point.value.lower === null ? '' : lowerText(point.value.lower);

function xText({ along }: CurveQuestion, value: Decimal): string {
  return along.name === 'count' || along.name === 'times' ? grouped(BigInt(value.toFixed())) : givenText(value);
}

/** The columns beside each value: of the claim with its bound, of bounds one each. */
function beside({ lines, question }: CurveAnswer): readonly Column<number>[] {
  const [first] = lines;
  if (first?.id !== 'claim') return lines.map(({ id, points }) => [id, (at) => upper(points[at])]);
  const { points } = first;
  const bound = (point: CurvePoint | undefined): string => (point === undefined || isMissing(point) ? '' : point.bound);
  return [
    [question.solveFor, (at) => upper(points[at])],
    ...(points.some((point) => lower(point) !== '') ? [['at least', (at: number) => lower(points[at])] as const] : []),
    ['bound', (at) => bound(points[at])],
  ];
}

/** A curve for a person, a row for each value; every number is rounded to the side on which it stays true. */
export function curveTable(answer: CurveAnswer, name: string | null, layout: Layout): string {
  const { question } = answer;
  const { values, along } = question;
  return pageText(
    [
      heading(curveHeading(question, name)),
      table(Array.from(values.keys()), [
        [along.name, (at) => xText(question, values[at]!), { inBlock: along.name }],
        ...beside(answer),
      ]),
      ...curveNotes(answer).map(paragraph),
    ],
    layout,
  );
}
