import { givenName, type GapAnswer, type GapRow } from '../../composition/gap/gap.ts';
import type { Enclosure } from '../../numeric/enclosure.ts';
import { csvText, type CsvField } from '../kit/csv.ts';
import type { Column } from '../kit/table.ts';

/** Both ends of a number, which a row may not have. */
const enclosed = (name: string, of: (row: GapRow) => Enclosure | null): Column<GapRow, CsvField>[] => [
  [`${name}_lower`, (row) => of(row)?.lower ?? null],
  [`${name}_upper`, (row) => of(row)?.upper ?? null],
];

/**
 * Both optima of every composition and the gap between them as comma-separated values (RFC 4180); no field needs
 * quotes.
 */
export const gapCsv = ({ question, rows }: GapAnswer): string =>
  csvText(rows, [
    ['each', ({ each }) => each.toString()],
    ['count', ({ count }) => count],
    [givenName(question), ({ given }) => given.toString()],
    ...enclosed('nonadaptive', ({ nonadaptive }) => nonadaptive),
    ...enclosed('adaptive', ({ gap }) => ('reason' in gap ? null : gap.adaptive)),
    ...enclosed('ratio', ({ gap }) => ('reason' in gap ? null : gap.ratio)),
    ...enclosed('difference', ({ gap }) => ('reason' in gap ? null : gap.difference)),
    ['reason', ({ gap }) => ('reason' in gap ? gap.reason.code : null)],
  ]);
