import type { CurveAnswer, CurvePoint } from '../../composition/curve/curve.ts';
import { csvText } from '../kit/csv.ts';
import { isMissing } from './statement.ts';

function fields(point: CurvePoint, isClaim: boolean): string[] {
  if (isMissing(point)) {
    return ['', '', 'reason' in point ? point.reason.code : point.refusal.code];
  }
  const { lower, upper } = point.value;
  return [lower === null ? '' : String(lower), String(upper), isClaim ? point.bound : ''];
}

/**
 * A curve as comma-separated values (RFC 4180), a record for each value; no field needs quotes. Of the claim, the last
 * field is the bound that gives it; of bounds, why there is no value.
 */
export function curveCsv({ question, lines }: CurveAnswer): string {
  const { along, values, solveFor } = question;
  const heads = lines.flatMap(({ id }) => {
    const name = id === 'claim' ? solveFor : id;
    return [`${name}_lower`, `${name}_upper`, id === 'claim' ? 'bound' : `${name}_reason`];
  });
  const records = values.map((value, at) => [
    value.toString(),
    ...lines.flatMap(({ id, points }) => fields(points[at]!, id === 'claim')),
  ]);
  return csvText([along.name, ...heads], records);
}
