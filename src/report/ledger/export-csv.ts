import type { History } from '../../ledger/file/history.ts';
import type { LedgerState } from '../../ledger/core/state.ts';
import { totalsOf } from '../../ledger/core/state.ts';
import { csvText } from '../kit/csv.ts';
import { exportRows } from './export-rows.ts';

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Text that a spreadsheet would run is given an apostrophe. */
const tame = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** All records of a ledger as comma-separated values (RFC 4180), with the totals after each. */
export function exportCsv(history: History, start: LedgerState): string {
  const names = start.terms.mode === 'compositor' ? [] : start.rule.names;
  const header = ['record', 'at', 'event', 'label', 'type', 'parameters', 'kind', 'count', 'first', 'last', 'evidence'];
  const lines = exportRows(history, totalsOf(start)).map(({ totals, ...row }) => [
    String(row.record),
    row.at,
    row.event,
    tame(row.label),
    row.type,
    tame(row.parameters),
    row.kind,
    row.count,
    row.first,
    row.last,
    row.evidence,
    String(totals.launched),
    ...names.map((name) => totals.spent[name] ?? ''),
    totals.halted ?? '',
    row.hash,
  ]);
  return csvText([...header, 'launched', ...names, 'halted', 'hash'], lines);
}
