import type { History } from '../../ledger/file/history.ts';
import type { LedgerState } from '../../ledger/core/state.ts';
import { totalsOf } from '../../ledger/core/state.ts';
import { exportRows } from './export-rows.ts';

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A field in the form of RFC 4180; text that a spreadsheet would run is given an apostrophe. */
function field(text: string, isFree = false): string {
  const tame = isFree && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
}

/** All records of a ledger as comma-separated values (RFC 4180), with the totals after each. */
export function exportCsv(history: History, start: LedgerState): string {
  const names = start.terms.mode === 'compositor' ? [] : start.rule.names;
  const header = ['record', 'at', 'event', 'label', 'type', 'parameters', 'kind', 'count', 'first', 'last', 'evidence'];
  const lines = exportRows(history, totalsOf(start)).map(({ totals, ...row }) => [
    String(row.record),
    field(row.at),
    row.event,
    field(row.label, true),
    row.type,
    field(row.parameters, true),
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
  return [[...header, 'launched', ...names, 'halted', 'hash'], ...lines]
    .map((line) => `${line.join(',')}\r\n`)
    .join('');
}
