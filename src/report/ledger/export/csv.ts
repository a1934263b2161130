import type { Folded } from '../../../ledger/journal/folded.ts';
import type { Kept } from '../../../ledger/journal/history.ts';
import { totalsOf, type LedgerState } from '../../../ledger/core/state.ts';
import { csvLines, type CsvField } from '../../kit/csv.ts';
import type { Column } from '../../kit/table.ts';
import { rowsAfter, totalNames, type ExportRow } from './rows.ts';

/** Matches text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Text that a spreadsheet would run is given an apostrophe. */
const tame = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

const columnsOf = (start: LedgerState): readonly Column<ExportRow, CsvField>[] => [
  'record',
  'at',
  'event',
  'code',
  ['actor', ({ actor }) => tame(actor)],
  ['key', ({ key }) => tame(key)],
  ['label', ({ label }) => tame(label)],
  'type',
  ['parameters', ({ parameters }) => tame(parameters)],
  'kind',
  'count',
  'first',
  'last',
  'evidence',
  ['launched', ({ totals }) => totals.launched],
  ...totalNames(start).map((name): Column<ExportRow, CsvField> => [name, ({ totals }) => totals.spent[name] ?? null]),
  ['halted', ({ totals }) => totals.halted],
  'hash',
];

/** All records of a ledger as comma-separated values (RFC 4180), with the totals after each, in pieces. */
export async function* exportCsv(
  { start }: Pick<Folded<unknown>, 'start'>,
  records: AsyncIterable<readonly Kept[]>,
): AsyncGenerator<string, void, undefined> {
  const { head, record } = csvLines(columnsOf(start));
  const rowsOf = rowsAfter(totalsOf(start));
  yield head;
  for await (const some of records) yield some.flatMap(rowsOf).map(record).join('');
}
