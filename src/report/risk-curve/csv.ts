import type { RiskCurve } from '../../composition/risk-curve/risk-curve.ts';
import { csvText, type CsvField } from '../kit/csv.ts';
import { printable } from '../kit/prose.ts';
import type { Column } from '../kit/table.ts';
import { isDrawn, QUANTITIES } from './statement.ts';

/** A curve as comma-separated values (RFC 4180): both ends of each line, empty where none is known. */
export function riskCurveCsv({ of, values, lines }: RiskCurve): string {
  const { along, value } = QUANTITIES[of];
  return csvText<number>(Array.from(values.keys()), [
    [along, (at) => values[at]!.toString()],
    ...lines.flatMap((line): Column<number, CsvField>[] => {
      const name = lines.length === 1 ? value : printable(line.name);
      const end = (at: number, which: 'lower' | 'upper'): CsvField => (isDrawn(line) ? line.points[at]![which] : null);
      return [
        [`${name}_lower`, (at) => end(at, 'lower')],
        [`${name}_upper`, (at) => end(at, 'upper')],
      ];
    }),
  ]);
}
