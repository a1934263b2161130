import { open, refusalOfTerms, resume } from './open.ts';
import { goesOn, type LedgerState, type Provenance, type Totals, type Decision, at, isTimed } from './state.ts';
import type { HeaderAndHead, TrailingBytes } from './chain.ts';
import { failed, type Failed, type Flaw } from './fault.ts';
import { numberOf, type Sealed } from './line.ts';
import {
  NOT_MADE,
  readHeader,
  readRecord,
  type Header,
  type Successor,
  type MovedTo,
  type LedgerRecord,
  type LaunchRequest,
  type ReservationEvent,
  type Nested,
} from './record.ts';
import type { Entry } from '../privacy/mechanism.ts';
import { nest } from './conversions.ts';
import { refuse, spend, commit, release, reserve } from './decide.ts';
import { uncheckedIn, type StoreTime } from './rules/terms.ts';

/** A ledger as it is after its last record. */
export interface Present {
  readonly kind: 'present';
  readonly header: Header;
  /** The hash of the header. */
  readonly ledger: string;
  readonly state: LedgerState;
  /** The ledger in which it goes on, where it has ended by being converted. */
  readonly successor: Successor | null;
  /** Where it goes on, if its last record says that it was moved away. */
  readonly movedTo?: MovedTo;
  /** How many records there are beside the header. */
  readonly records: number;
  /** The hash of the last record. */
  readonly hash: string;
  /** When the last record was made, as far as it says. */
  readonly at: string | null;
  readonly rest: TrailingBytes;
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

function goingOn(last: LedgerRecord | undefined): Pick<Present, 'successor' | 'movedTo'> {
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
  const recorded = readRecord(last);
  if ('kind' in recorded) return recorded;
  const state = stateWith(header, recorded.totals, resuming);
  if (state === null) return malformed(number + 1, number, 'totals');
  return { state, ...goingOn(recorded), at: recorded.at };
}

/**
 * The ledger by the two ends of its file: its terms by the header, its totals by the last record. `resuming`: what makes many
 * ledgers of the same terms ready (`resumingMany`).
 */
export function presentOf(
  { header: sealed, last, rest }: HeaderAndHead,
  resuming?: typeof resume,
): Present | Failed<Flaw> {
  const header = readHeader(sealed);
  if ('kind' in header) return header;
  const latest = afterLast(header, last, resuming);
  if ('kind' in latest) return latest;
  return { kind: 'present', header, ledger: sealed.hash, ...latest, records: numberOf(last), hash: last.hash, rest };
}

/** The ledger at a moment: what has expired by then is not held any more. */
export const presentAt = (present: Present, now: StoreTime): Present =>
  isTimed(present.state) ? { ...present, state: at(present.state, now) } : present;

interface HasEnds {
  readonly ends: (name: string) => Promise<HeaderAndHead | Failed>;
}

/** The ledger by its two ends; the records between are not looked at. */
export async function readPresent(store: HasEnds, name: string): Promise<Present | Failed> {
  const ends = await store.ends(name);
  return ends.kind === 'failed' ? ends : presentOf(ends);
}

/** May all of these be run? A refusal is one of all of them: nothing of what fits is kept. */
function spendAll(state: LedgerState, [first, ...rest]: readonly Entry[], evidence: string | null): Decision {
  if (first === undefined) throw new Error('Nothing is asked for.');
  let decision = spend(state, first, evidence);
  for (const entry of rest) {
    if (decision.kind === 'refused') return decision;
    const next = spend(decision.state, entry, evidence);
    if (next.kind === 'accepted') {
      const caveats = [...new Set([...decision.caveats, ...next.caveats])];
      decision = { ...next, caveats };
    } else {
      decision = { ...next, state: { ...state, halted: next.state.halted } };
    }
  }
  return decision;
}

function nestAll(state: LedgerState, { ids, terms }: Nested): Decision {
  const decision = nest(state, [terms, ...ids.slice(1).map(() => terms)]);
  if (decision.kind === 'accepted') return decision.parent;
  return 'halts' in decision ? decision : { ...decision, state, halts: false };
}

/** The refusal of whatever a ledger is asked to launch whose terms ask for what is not checked any more; null where they do not. */
export function uncheckedRefusal(state: LedgerState): Decision | null {
  const term = uncheckedIn(state.terms);
  return term === null ? null : refuse(state, { code: 'unverified', reason: 'unchecked-terms', term });
}

/** May what is asked be launched at this moment by the clock of the store? Terms that are not checked any more are left to who asks. */
export function decide(before: LedgerState, request: LaunchRequest, now: StoreTime): Decision {
  const state = isTimed(before) ? at(before, now) : before;
  return 'entries' in request
    ? spendAll(state, request.entries, request.evidence ?? null)
    : nestAll(state, request.nested);
}

/** May a part of the budget be held, launched or given back at this moment? */
export function decideReservation(before: LedgerState, request: ReservationEvent, now: StoreTime): Decision {
  const state = at(before, now);
  if (request.event === 'release') return release(state, request.hold);
  if (request.event === 'commit') return commit(state, request.hold);
  const { hold, until, entries, evidence = null } = request;
  if (state.halted) return refuse(state, { code: 'halted', because: state.halted });
  return reserve(state, { id: hold, until, entries, evidence });
}
