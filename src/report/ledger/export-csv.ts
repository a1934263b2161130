import type { History } from '../../ledger/file/history.ts';
import { totalsOf, type LedgerState } from '../../ledger/core/state.ts';
import { csvText, type CsvField } from '../kit/csv.ts';
import type { Column } from '../kit/table.ts';
import { exportRows, totalNames, type ExportRow } from './export-rows.ts';

/** Matches text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Text that a spreadsheet would run is given an apostrophe. */
const tame = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** All records of a ledger as comma-separated values (RFC 4180), with the totals after each. */
export const exportCsv = (history: History, start: LedgerState): string =>
  csvText(exportRows(history, totalsOf(start)), [
    'record',
    'at',
    'event',
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
  ]);
