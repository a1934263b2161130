import type { CurveAnswer, CurvePoint, CurveQuestion } from '../../composition/curve/curve.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { blocks, columns, type Layout, type Line } from '../kit/columns.ts';
import { curveHeading, curveNotes, isMissing } from './statement.ts';
import { givenText, lowerText, upperText } from '../kit/number.ts';
import { grouped, wrapped } from '../kit/prose.ts';

const NOTHING = '-';

const upper = (point: CurvePoint | undefined): string =>
  point === undefined || isMissing(point) ? NOTHING : upperText(point.value);

const lower = (point: CurvePoint | undefined): string =>
  point === undefined || isMissing(point) || point.value.lower === null ? '' : lowerText(point.value.lower);

function xText({ along }: CurveQuestion, value: Decimal): string {
  return along.name === 'count' || along.name === 'times' ? grouped(BigInt(value.toFixed())) : givenText(value);
}

/** Names and cells of what stands beside each value: of the claim with its bound, of bounds one column each. */
function body({ lines, question }: CurveAnswer): { readonly head: string[]; readonly row: (at: number) => string[] } {
  const [first] = lines;
  if (first?.id !== 'claim') {
    return { head: lines.map(({ id }) => id), row: (at) => lines.map(({ points }) => upper(points[at])) };
  }
  const { points } = first;
  const bounded = points.some((point) => lower(point) !== '');
  return {
    head: [question.solveFor, ...(bounded ? ['at least'] : []), 'bound'],
    row(at) {
      const point = points[at];
      const bound = point === undefined || isMissing(point) ? '' : point.bound;
      return [upper(point), ...(bounded ? [lower(point)] : []), bound];
    },
  };
}

/** A curve for a person, a row for each value; every number is rounded to the side on which it stays true. */
export function curveTable(answer: CurveAnswer, name: string | null, layout: Layout): string {
  const { question } = answer;
  const { values, along } = question;
  const { head, row } = body(answer);
  const lines = values.map((value, at): Line => ({ cells: [xText(question, value), ...row(at)], best: false }));
  const heads = [along.name, ...head];
  const named = lines.map(({ cells: [x = '', ...cells] }) => ({
    cells: [`${along.name} ${x}`, ...cells],
    best: false,
  }));
  const table = columns(heads, lines, layout) ?? blocks(heads, named, layout);
  const paragraphs = [
    layout.style.heading(wrapped(curveHeading(question, name), layout.width)),
    table,
    ...curveNotes(answer).map((sentence) => wrapped(sentence, layout.width)),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
