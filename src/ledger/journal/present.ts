import { open, refusalOfTerms, resume } from '../open.ts';
import { goesOn, type LedgerState, type Provenance, type Totals } from '../core/state.ts';
import { at, isTimed } from '../core/held.ts';
import type { StoreTime } from '../core/hold.ts';
import type { Ends, Rest } from '../records/ends.ts';
import { failed, type Failed, type Flaw } from '../records/fault.ts';
import { numberOf, type Sealed } from '../records/line.ts';
import {
  NOT_MADE,
  readHeader,
  readRecord,
  type Header,
  type Heir,
  type MovedTo,
  type Recorded,
} from '../records/record.ts';

/** A ledger as it is after its last record. */
export interface Present {
  readonly kind: 'present';
  readonly header: Header;
  /** The hash of the header. */
  readonly ledger: string;
  readonly state: LedgerState;
  /** The ledger in which it goes on, where it has ended by being converted. */
  readonly successor: Heir | null;
  /** Where it goes on, if its last record says that it was moved away. */
  readonly movedTo?: MovedTo;
  /** How many records there are beside the header. */
  readonly records: number;
  /** The hash of the last record. */
  readonly hash: string;
  /** When the last record was made, as far as it says. */
  readonly at: string | null;
  readonly rest: Rest;
}

function provenanceOf({ origin }: Header): Provenance {
  if (origin === null) return 'opened';
  return origin.kind === 'nested' ? 'nested' : goesOn(origin.totals.launched);
}

/** The ledger of this header with totals, such as those of one of its records; null where they cannot be its totals. */
const stateWith = (header: Header, totals: Totals, resuming = resume): LedgerState | null =>
  refusalOfTerms(header.terms) === null ? resuming(header.terms, totals, provenanceOf(header)) : null;

/**
 * The ledger that a header opens, before its first record; null where its terms would not be opened, or what it goes on
 * from is beyond its budget.
 */
export function stateAtStart(header: Header): LedgerState | null {
  const { terms, origin } = header;
  if (origin?.kind === 'converted') {
    const state = stateWith(header, origin.totals);
    return state?.rule.excess(state.spent) === null ? state : null;
  }
  const opened = open(terms);
  return opened.kind === 'opened' ? { ...opened.state, provenance: provenanceOf(header) } : null;
}

/** What the last record says of where the ledger goes on. */
function goingOn(last: Recorded | undefined): Pick<Present, 'successor' | 'movedTo'> {
  return {
    successor: last?.event === 'convert' ? last.to : null,
    ...(last?.event === 'move' && { movedTo: last.to }),
  };
}

/** A ledger that is not made yet, as it would be. */
export function presentOfNew(header: Header): Present {
  const state = stateAtStart(header);
  if (state === null) throw new RangeError('The terms of a ledger that is to be made are none.');
  const { at } = header;
  return {
    kind: 'present',
    header,
    state,
    successor: null,
    records: 0,
    ledger: NOT_MADE,
    hash: NOT_MADE,
    at,
    rest: { kind: 'none' },
  };
}

const malformed = (line: number, record: number, path: string): Failed<Flaw> =>
  failed({ code: 'malformed-record', line, record, path });

function afterLast(
  header: Header,
  last: Sealed,
  resuming: typeof resume | undefined,
): Pick<Present, 'state' | 'successor' | 'movedTo' | 'at'> | Failed<Flaw> {
  const number = numberOf(last);
  if (number === 0) {
    const none = { launched: 0, spent: {}, halted: null };
    const isAnew = resuming !== undefined && header.origin?.kind !== 'converted';
    const state = isAnew ? stateWith(header, none, resuming) : stateAtStart(header);
    return state === null ? malformed(1, 0, 'terms') : { state, successor: null, at: header.at };
  }
  const place = { line: number + 1, record: number };
  const recorded = readRecord(last, place);
  if ('kind' in recorded) return recorded;
  const state = stateWith(header, recorded.totals, resuming);
  if (state === null) return malformed(place.line, place.record, 'totals');
  return { state, ...goingOn(recorded), at: recorded.at };
}

/**
 * The ledger by the two ends of its file: its terms by the header, its totals by the last record. `resuming`: what makes many
 * ledgers of the same terms ready (`resumingMany`).
 */
export function presentOf({ header: sealed, last, rest }: Ends, resuming?: typeof resume): Present | Failed<Flaw> {
  const header = readHeader(sealed);
  if ('kind' in header) return header;
  const found = afterLast(header, last, resuming);
  if ('kind' in found) return found;
  return { kind: 'present', header, ledger: sealed.hash, ...found, records: numberOf(last), hash: last.hash, rest };
}

/** The ledger at a moment: what has expired by then is not held any more. */
export const presentAt = (present: Present, now: StoreTime): Present =>
  isTimed(present.state) ? { ...present, state: at(present.state, now) } : present;

/** Where the ends of ledgers are read: a store. */
interface HasEnds {
  readonly ends: (name: string) => Promise<Ends | Failed>;
}

/** The ledger by its two ends; the records between are not looked at. */
export async function readPresent(store: HasEnds, name: string): Promise<Present | Failed> {
  const ends = await store.ends(name);
  return ends.kind === 'failed' ? ends : presentOf(ends);
}
