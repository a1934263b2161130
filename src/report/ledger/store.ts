import { choice, described, document, documentText, list } from '../kit/codec.ts';
import { TEXT } from '../kit/codecs.ts';
import { printable } from '../kit/prose.ts';

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

/** The result as `dpcompose.ledger-store/1`. */
export const storeJson = (report: StoreReport, version: string): string =>
  documentText(LEDGER_STORE, { ...report, version });

/** The result as a sentence, or a name on each line. */
export const storeText = ({ command, store, names }: StoreReport): string =>
  command === 'init'
    ? `${printable(store)} is ready for ledgers.\n`
    : names.map((name) => `${printable(name)}\n`).join('');
