import type { CurveAnswer, CurveLine, CurvePoint } from '../../composition/curve/curve.ts';
import { csvText, type CsvField } from '../kit/csv.ts';
import type { Column } from '../kit/table.ts';
import { isMissing } from './statement.ts';

/** Both ends of a line, and the bound that gives the claim, or why there is no value. */
function columnsOf({ id, points }: CurveLine, solveFor: string): Column<number, CsvField>[] {
  const isClaim = id === 'claim';
  const name = isClaim ? solveFor : id;
  const end = (point: CurvePoint, which: 'lower' | 'upper'): number | null =>
    isMissing(point) ? null : point.value[which];
  const last = (point: CurvePoint): string | null => {
    if (isMissing(point)) return 'reason' in point ? point.reason.code : point.refusal.code;
    return isClaim ? point.bound : null;
  };
  return [
    [`${name}_lower`, (at) => end(points[at]!, 'lower')],
    [`${name}_upper`, (at) => end(points[at]!, 'upper')],
    [isClaim ? 'bound' : `${name}_reason`, (at) => last(points[at]!)],
  ];
}

/** A curve as comma-separated values (RFC 4180), a record for each value; no field needs quotes. */
export const curveCsv = ({ question: { along, values, solveFor }, lines }: CurveAnswer): string =>
  csvText(Array.from(values.keys()), [
    [along.name, (at) => values[at]!.toString()],
    ...lines.flatMap((line) => columnsOf(line, solveFor)),
  ]);
