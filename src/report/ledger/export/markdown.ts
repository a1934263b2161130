import { caveatsOf } from '../../../ledger/core/caveats.ts';
import type { Folded } from '../../../ledger/journal/folded.ts';
import type { Kept } from '../../../ledger/journal/history.ts';
import { loss } from '../../../ledger/loss.ts';
import { totalsOf, type LedgerState } from '../../../ledger/core/state.ts';
import { code, type Span } from '../../kit/inline.ts';
import { heading, pageMarkdown, paragraph } from '../../kit/page.ts';
import { counted, printable } from '../../kit/prose.ts';
import { markdownLines, type Column } from '../../kit/table.ts';
import { spentText } from '../amounts.ts';
import { caveatMessage } from '../caveat-message.ts';
import { rowsAfter, totalNames, type ExportRow } from './rows.ts';
import { coordinateName } from '../refusal-message.ts';
import { kindText } from '../status.ts';

/** Text that Markdown shows as it is, also where it reads braces and entities. */
const plain = (text: string): readonly Span[] => [
  { text, markdown: printable(text).replace(/[\\`*_{}[\]<>|~#&]/g, '\\$&') },
];

const columnsOf = (state: LedgerState): readonly Column<ExportRow>[] => [
  ['record', ({ record }) => String(record)],
  ['at', ({ at }) => plain(at)],
  ['event', ({ event, code: refusal }) => (refusal === '' ? event : `${event}: ${refusal}`)],
  ['by', ({ actor }) => plain(actor)],
  ['key', ({ key }) => plain(key)],
  ['label', ({ label }) => plain(label)],
  ['mechanism', ({ type, parameters }) => plain(type === '' ? '' : `${type}: ${parameters}`)],
  'count',
  ['numbers', ({ first, last }) => (first === last ? first : `${first} to ${last}`)],
  ...totalNames(state).map((name): Column<ExportRow> => [
    coordinateName(name),
    (row: ExportRow) => row.totals.spent[name] ?? '',
  ]),
  ['hash', (row) => [code(row.hash.slice(0, 12))]],
];

/** A ledger with all its records as a Markdown document, in pieces. */
export async function* exportMarkdown(
  { present, start }: Pick<Folded<unknown>, 'present' | 'start'>,
  kept: AsyncIterable<readonly Kept[]>,
  file: string,
): AsyncGenerator<string, void, undefined> {
  const { state, header, hash, records } = present;
  const { spent, guarantee } = loss(state);
  yield pageMarkdown([
    heading(['Ledger ', ...plain(header.id)]),
    paragraph(plain(`${file} is ${kindText(header.terms, state)}.`)),
    paragraph(state.terms.mode === 'compositor' ? null : ['Spent: ', ...plain(spentText(spent, guarantee)), '.']),
    paragraph([
      `${counted(state.launched, 'mechanism')} in ${counted(records, 'record')}; the hash of the last is `,
      code(hash),
      '.',
    ]),
  ]);
  const { head, line } = markdownLines(columnsOf(state));
  const rowsOf = rowsAfter(totalsOf(start));
  if (records > 0) yield `\n${head}\n`;
  for await (const some of kept) {
    yield some
      .flatMap(rowsOf)
      .map((row) => `${line(row)}\n`)
      .join('');
  }
  const caveats = caveatsOf(state).map((caveat) => paragraph(plain(caveatMessage(caveat))));
  if (caveats.length > 0) yield `\n${pageMarkdown(caveats)}`;
}
