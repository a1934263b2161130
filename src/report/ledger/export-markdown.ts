import { caveatsOf } from '../../ledger/core/caveats.ts';
import type { History } from '../../ledger/file/history.ts';
import type { Present } from '../../ledger/file/present.ts';
import { loss } from '../../ledger/loss.ts';
import { totalsOf, type LedgerState } from '../../ledger/core/state.ts';
import { code, type Span } from '../kit/inline.ts';
import { heading, pageMarkdown, paragraph } from '../kit/page.ts';
import { counted, printable } from '../kit/prose.ts';
import { table, type Column } from '../kit/table.ts';
import { spentText } from './amounts.ts';
import { caveatMessage } from './caveat-message.ts';
import { exportRows, totalNames, type ExportRow } from './export-rows.ts';
import { coordinateName } from './refusal-message.ts';
import { kindText } from './status.ts';

/** Text that Markdown shows as it is, also where it reads braces and entities. */
const plain = (text: string): readonly Span[] => [
  { text, markdown: printable(text).replace(/[\\`*_{}[\]<>|~#&]/g, '\\$&') },
];

/** A ledger with all its records as a Markdown document. */
export function exportMarkdown(present: Present, history: History, start: LedgerState, file: string): string {
  const { state, header, hash, records } = present;
  const { spent, guarantee } = loss(state);
  const totals = totalNames(state).map((name): Column<ExportRow> => [
    coordinateName(name),
    (row) => row.totals.spent[name] ?? '',
  ]);
  return pageMarkdown([
    heading(['Ledger ', ...plain(header.id)]),
    paragraph(plain(`${file} is ${kindText(header.terms, state)}.`)),
    paragraph(state.terms.mode === 'compositor' ? null : ['Spent: ', ...plain(spentText(spent, guarantee)), '.']),
    paragraph([
      `${counted(state.launched, 'mechanism')} in ${counted(records, 'record')}; the hash of the last is `,
      code(hash),
      '.',
    ]),
    table(exportRows(history, totalsOf(start)), [
      ['record', ({ record }) => String(record)],
      ['at', ({ at }) => plain(at)],
      'event',
      ['label', ({ label }) => plain(label)],
      ['mechanism', ({ type, parameters }) => plain(type === '' ? '' : `${type}: ${parameters}`)],
      'count',
      ['numbers', ({ first, last }) => (first === last ? first : `${first} to ${last}`)],
      ...totals,
      ['hash', (row) => [code(row.hash.slice(0, 12))]],
    ]),
    ...caveatsOf(state).map((caveat) => paragraph(plain(caveatMessage(caveat)))),
  ]);
}
