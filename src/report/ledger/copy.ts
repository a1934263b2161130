import type { Sealed } from '../../ledger/records/line.ts';
import { numberOf } from '../../ledger/records/line.ts';
import { quote } from '../../document/core/quote.ts';
import { choice, described, document, documentText, from, object, orNull } from '../kit/codec.ts';
import { COUNT, TEXT } from '../kit/codecs.ts';
import { counted, grouped, printable } from '../kit/prose.ts';
import { RECORD_REFERENCE } from './facts-json.ts';

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
  records: described('How many were copied, the header not counted.', COUNT),
  last: described('The last record that was copied; of a move, that by which the ledger has left.', REFERENCE),
  adopted: described(
    'The record by which it goes on in the new place, where this move has made it.',
    orNull(REFERENCE),
  ),
});

/** The result as `dpcompose.ledger-copy/1`. */
export const copyJson = (report: CopyReport, version: string): string =>
  documentText(LEDGER_COPY, { ...report, version, records: numberOf(report.last) });

const placeOf = ({ store, name }: Address): string => `${quote(name)} in ${store}`;

/** The result in a sentence or two. */
export function copyText({ command, from: source, to, last, adopted }: CopyReport): string {
  const records = counted(numberOf(last), 'record');
  const said = {
    copy: `copied: ${placeOf(source)}, ${records}, to ${placeOf(to)}. Nothing is spent from the copy: what is granted in the other place from now on is not in it.`,
    move:
      adopted === null
        ? `moved before: ${placeOf(source)} goes on as ${placeOf(to)}.`
        : `moved: ${placeOf(source)}, ${records}, goes on as ${placeOf(to)}, from record ${grouped(numberOf(adopted))}. Nothing is recorded any more where it was.`,
  };
  return `${printable(said[command])}\n`;
}
