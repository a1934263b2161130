import { choice, described, document, documentText, list, from, object, orNull } from '../kit/codec.ts';
import { TEXT, COUNT } from '../kit/codecs.ts';
import { unbroken, type Output } from '../kit/page.ts';
import { counted, grouped, shellWord } from '../kit/prose.ts';
import { type Sealed, numberOf, type Fields } from '../../ledger/line.ts';
import { quote } from '../../document/core/quote.ts';
import { RECORD_REFERENCE } from './facts-json.ts';

/** A store of ledgers that was made, or whose ledgers are listed. */
export interface StoreReport {
  readonly command: 'init' | 'list';
  readonly store: string;
  readonly names: readonly string[];
}

/** A store of ledgers. */
export const LEDGER_STORE = document('ledger-store', 'A store that is ready for ledgers, and the ledgers in it.', {
  command: choice('init', 'list'),
  store: TEXT,
  names: described('The names of the ledgers in it.', list(TEXT)),
});

/** A store: that it is ready, or the names of its ledgers. */
export const storeOutput = (report: StoreReport): Output => ({
  page: () => [unbroken(report.command === 'init' ? [`${report.store} is ready for ledgers.`] : report.names)],
  json: (version) => documentText(LEDGER_STORE, { ...report, version }),
});

/** A ledger by its name in a store. */
export interface Address {
  readonly store: string;
  readonly name: string;
}

/** A ledger that was copied or moved into another store. */
export interface CopyReport {
  readonly command: 'copy' | 'move';
  readonly from: Address;
  readonly to: Address;
  /** The last record that was copied; of a move, that by which the ledger has left. */
  readonly last: Sealed;
  /** The record by which it goes on in the new place; null where it had gone on there before, and for a copy. */
  readonly adopted: Sealed | null;
}

const ADDRESS = object({ store: TEXT, name: TEXT });
const REFERENCE = from(RECORD_REFERENCE, (record: Sealed) => ({ number: numberOf(record), hash: record.hash }));

/** A ledger that was copied or moved. */
export const LEDGER_COPY = document('ledger-copy', 'A ledger that was copied or moved into another store.', {
  command: choice('copy', 'move'),
  from: ADDRESS,
  to: ADDRESS,
  records: described('The number of records copied, without the header.', COUNT),
  last: described('The last record that was copied; for a move, the one that closed the original.', REFERENCE),
  adopted: described('The record by which it continues in the new location, if this move made it.', orNull(REFERENCE)),
});

const placeOf = ({ store, name }: Address): string => `${quote(name)} in ${store}`;

function copyText({ command, from: source, to, last, adopted }: CopyReport): string {
  const records = counted(numberOf(last), 'record');
  const sentences = {
    copy: `copied: ${placeOf(source)}, ${records}, to ${placeOf(to)}. The copy denies all requests. It does not have what the original grants from now on.`,
    move:
      adopted === null
        ? `already moved: ${placeOf(source)} continues as ${placeOf(to)}.`
        : `moved: ${placeOf(source)}, ${records}. It continues from record ${grouped(numberOf(adopted))} as ledger ${quote(to.name)} of the store ${to.store}. Use "ledger spend ${shellWord(to.name)} --store ${shellWord(to.store)}". The original is closed.`,
  };
  return sentences[command];
}

/** A ledger that was copied or moved, in a sentence or two. */
export const copyOutput = (report: CopyReport): Output => ({
  page: () => [unbroken([copyText(report)])],
  json: (version) => documentText(LEDGER_COPY, { ...report, version, records: numberOf(report.last) }),
});

/** Something that was recorded by which nothing is spent. */
export interface AnnotationReport {
  readonly command: 'recover' | 'adopt' | 'note' | 'void';
  readonly file: string;
  /** Null where nothing had to be recorded. */
  readonly record: { readonly number: number; readonly hash: string } | null;
  readonly fields: Fields;
}

/** How many bytes were set aside. */
const asideOf = ({ command, fields }: AnnotationReport): number | null =>
  command === 'recover' ? (fields.aside as { readonly bytes: number }).bytes : null;

/** Something that was recorded by which nothing is spent. */
export const LEDGER_REMARK = document('ledger-remark', 'A record that does not change the budget.', {
  command: choice('recover', 'adopt', 'note', 'void'),
  file: TEXT,
  record: described(
    'Null if nothing had to be recorded, because the ledger is already active here.',
    orNull(RECORD_REFERENCE),
  ),
  aside: described('How many bytes were set aside; null for commands that set none aside.', orNull(COUNT)),
});

function remarkText(report: AnnotationReport): string {
  if (report.record === null) return `${report.file} is already active here: nothing was recorded.`;
  const place = `in record ${grouped(report.record.number)}`;
  const bytes = asideOf(report) ?? 0;
  const isInFile = (report.fields.aside as { readonly sha256?: unknown } | undefined)?.sha256 != null;
  const inFile = isInFile ? ` as their hash; the bytes are in ${report.file}.aside-...` : '';
  const sentences = {
    recover:
      bytes === 0
        ? `recovered: the last record counts, as noted ${place}.`
        : `recovered: ${counted(bytes, 'byte')} set aside and kept ${place}${inFile}. If they were granted, record them again.`,
    adopt: `adopted: ${report.file} continues here, ${place}.`,
    note: `noted ${place}.`,
    void: `noted ${place}: record ${grouped(Number(report.fields.voids))} never ran. The charge stays, because earlier results may have decided that it did not run.`,
  };
  return sentences[report.command];
}

/** What was recorded, in a sentence. */
export const annotationOutput = (report: AnnotationReport): Output => ({
  page: () => [unbroken([remarkText(report)])],
  json: (version) => documentText(LEDGER_REMARK, { ...report, version, aside: asideOf(report) }),
});
