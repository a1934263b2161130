import type { LedgerState } from '../core/state.ts';
import { totalsOf } from '../core/state.ts';
import type { Failed, Flaw, WrongOrigin } from '../records/fault.ts';
import type { Header, Origin, Recorded } from '../records/record.ts';
import { heirOf } from '../conversions.ts';
import { replayOf } from './replay.ts';
import type { Store } from './store.ts';
import { areSameTerms } from '../records/terms-codec.ts';

/** A header that says something else of where its ledger comes from than is recorded there. */
export interface Misled {
  readonly kind: 'misled';
  readonly flaw: Flaw;
}

/** The record that a header names, and the ledger after it. */
interface Source {
  readonly recorded: Recorded;
  readonly after: LedgerState;
}

type Nested = Extract<Origin, { kind: 'nested' }>;
type Converted = Extract<Origin, { kind: 'converted' }>;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function wrongPayment({ id, terms }: Header, { recorded }: Source): WrongOrigin | null {
  if (recorded.event !== 'nest') return 'no-such-record';
  if (!recorded.nested.ids.includes(id)) return 'other-id';
  return areSameTerms(recorded.nested.terms, terms) ? null : 'other-terms';
}

function wrongConversion({ id, terms }: Header, origin: Converted, { recorded, after }: Source): WrongOrigin | null {
  if (recorded.event !== 'convert') return 'no-such-record';
  if (recorded.to.id !== id) return 'other-id';
  const heir = heirOf(after, terms);
  if (heir.kind === 'refused' || !areSameTerms(heir.state.terms, terms)) return 'other-terms';
  const [stated, actual] = [origin.totals, totalsOf(heir.state)];
  const isLike = stated.incurred === actual.incurred && stated.clock === actual.clock && stated.held === undefined;
  const isAsIt = stated.launched === actual.launched && stated.halted === actual.halted && isLike;
  const sorted = (spent: object): unknown => Object.entries(spent).sort(([a], [b]) => (a < b ? -1 : 1));
  return isAsIt && isSame(sorted(stated.spent), sorted(actual.spent)) ? null : 'other-totals';
}

const wrong = (header: Header, origin: Nested | Converted, source: Source): WrongOrigin | null =>
  origin.kind === 'nested' ? wrongPayment(header, source) : wrongConversion(header, origin, source);

/**
 * Whether a header agrees with the ledger that it comes from, which is read from its beginning to its end: that one paid
 * for it, for a ledger of this id and these terms; or ended for it, with these totals, and could become it. Null where it
 * does. A header can be written by anybody; by itself it proves nothing of that.
 *
 * Fails where the other ledger cannot be read, or is not sound itself.
 */
export async function verifyOrigin(header: Header, store: Store, name: string): Promise<Misled | Failed | null> {
  const { origin } = header;
  const found: { source?: Source } = {};
  const replayed = await replayOf(store, name, ({ hash, recorded }, after) => {
    if (hash === origin?.hash) found.source = { recorded, after };
  });
  if (replayed.kind === 'failed') return replayed;
  const misled = (what: WrongOrigin): Misled => ({
    kind: 'misled',
    flaw: { code: 'wrong-origin', what, line: 1, record: 0 },
  });
  if (origin === null) return misled('no-origin');
  if (replayed.scanned.header.id !== origin.id) return misled('other-ledger');
  const what = found.source === undefined ? 'no-such-record' : wrong(header, origin, found.source);
  return what && misled(what);
}
