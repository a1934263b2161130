import { caveatsOf } from '../../ledger/core/caveats.ts';
import type { History } from '../../ledger/file/history.ts';
import type { Present } from '../../ledger/file/present.ts';
import { loss } from '../../ledger/loss.ts';
import type { LedgerState } from '../../ledger/core/state.ts';
import { totalsOf } from '../../ledger/core/state.ts';
import { grouped, printable } from '../kit/prose.ts';
import { spentText } from './amounts.ts';
import { caveatMessage } from './caveat-message.ts';
import { exportRows } from './export-rows.ts';
import { coordinateName } from './refusal-message.ts';
import { kindText } from './status.ts';

/** Text that Markdown shows as it is. */
const plain = (text: string): string => printable(text).replace(/[\\`*_{}[\]<>|~#&]/g, '\\$&');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** A ledger with all its records as a Markdown document. */
export function exportMarkdown(present: Present, history: History, start: LedgerState, file: string): string {
  const { state, header, hash, records } = present;
  const { spent, guarantee } = loss(state);
  const names = state.terms.mode === 'compositor' ? [] : state.rule.names;
  const rows = exportRows(history, totalsOf(start)).map(({ totals, ...row }) => [
    String(row.record),
    plain(row.at),
    row.event,
    plain(row.label),
    plain(row.type === '' ? '' : `${row.type}: ${row.parameters}`),
    row.count,
    row.first === row.last ? row.first : `${row.first} to ${row.last}`,
    ...names.map((name) => totals.spent[name] ?? ''),
    `\`${row.hash.slice(0, 12)}\``,
  ]);
  const head = [
    'record',
    'at',
    'event',
    'label',
    'mechanism',
    'count',
    'numbers',
    ...names.map(coordinateName),
    'hash',
  ];
  const paragraphs = [
    `# Ledger ${plain(header.id)}`,
    plain(`${file} is ${kindText(header.terms, state)}.`),
    ...(state.terms.mode === 'compositor' ? [] : [`Spent: ${plain(spentText(spent, guarantee))}.`]),
    `${grouped(state.launched)} ${state.launched === 1 ? 'mechanism' : 'mechanisms'} in ${grouped(records)} ${records === 1 ? 'record' : 'records'}; the hash of the last is \`${hash}\`.`,
    ...(rows.length === 0 ? [] : [table(head, rows)]),
    ...caveatsOf(state).map((caveat) => plain(caveatMessage(caveat))),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
