import type { StoreTime } from './rules/terms.ts';
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Entry } from '../privacy/mechanism.ts';
import { type Decision, totalsOf, at } from './state.ts';
import { reservationOf } from './decide.ts';
import { decideReservation, uncheckedRefusal, presentOf, type Present } from './present.ts';
import { failed, type Failed } from './fault.ts';
import { areSameIn, metadataOf, withKeyLookup, type Ended, type RecordOptions } from './spend-in.ts';
import type { Sealed } from './line.ts';
import { readRecord, recordFields, type ReservationEvent, type RecordMetadata } from './record.ts';
import type { LedgerView, Store, Transacted } from './store.ts';
import { entry } from './terms-codec.ts';

/** What is asked about a hold, before the ledger and its clock are looked at. */
export type ReservationRequest =
  | {
      readonly event: 'hold';
      readonly hold: string;
      /** When it expires: a time, or so many milliseconds after the moment when it is recorded. */
      readonly until: StoreTime | number;
      readonly entries: readonly Entry[];
      readonly evidence: string | null;
    }
  | { readonly event: 'commit'; readonly hold: string }
  | { readonly event: 'release'; readonly hold: string; readonly label: string | null };

/** The result of a request about a hold: the decision, and the ledger before it. */
export interface ReservationResult {
  readonly before: Present;
  readonly decision: Decision | Ended;
  /** What is held, launched or given back; null where that is not known. */
  readonly held: ReservationEvent | null;
  /** The record of an earlier request under the same key. */
  readonly again?: Sealed;
}

const DIGITS = 6;

/** A name for a hold that no other is likely to have. */
export const newReservationId = (): string => randomBytes(DIGITS).toString('hex');

const entries = z.array(entry.schema);

/** The event that would be recorded at this moment; null where there is no such hold. */
function eventAt(request: ReservationRequest, { state }: Present, now: StoreTime): ReservationEvent | null {
  if (request.event === 'release') return request;
  if (request.event === 'hold') {
    const { until } = request;
    const text =
      typeof until === 'string' ? until : new Date(Date.parse(at(state, now).clock ?? now) + until).toISOString();
    return { ...request, until: text };
  }
  const hold = reservationOf(state, request.hold);
  return hold && { ...request, entries: z.parse(entries, hold.mechanisms), evidence: hold.evidence ?? null };
}

const DAY = 86_400_000;

/** The refusal of a hold for some time where that would begin more than a day from now: the clock is wrong, or was when it was ahead. */
function beginsLater({ state }: Present, { event, ...request }: ReservationRequest, now: StoreTime): Decision | null {
  const from = at(state, now).clock ?? now;
  const lasts = event === 'hold' && 'until' in request && typeof request.until === 'number';
  if (!lasts || Date.parse(from) - Date.parse(now) <= DAY) return null;
  const allowed = `replaced by --until: the ledger has seen ${from}, from which it would count, and the clock says ${now}`;
  return { kind: 'refused', refusal: { code: 'invalid-terms', path: '--expires-in', allowed }, state, halts: false };
}

const noSuchHold = ({ state }: Present, hold: string): Decision => ({
  kind: 'refused',
  refusal: { code: 'no-such-hold', hold },
  state,
  halts: false,
});

/** The answer to a request that was recorded before under its key; a fault where that was another request. */
function again(
  record: Sealed,
  request: ReservationRequest,
  noted: RecordMetadata,
  before: Present,
): ReservationResult | Failed {
  const seq = Number(record.fields.seq);
  const recorded = readRecord(record, { line: seq + 1, record: seq });
  if ('kind' in recorded) return recorded;
  const other = failed({ code: 'key-used', key: noted.key ?? '', record: seq });
  if (recorded.event !== request.event) return other;
  const { totals } = recorded;
  if (request.event === 'hold' && recorded.event === 'hold') {
    const wanted = recordFields({ ...request, until: recorded.until, ...noted, totals });
    if (!areSameIn(['mechanisms', 'evidence'], wanted, record.fields)) return other;
  } else if (recorded.event === 'hold' || recorded.hold !== request.hold) {
    return other;
  }
  return {
    before,
    decision: { kind: 'accepted', state: before.state, totals, caveats: [] },
    held: recorded,
    again: record,
  };
}

function answer(
  request: ReservationRequest,
  noted: RecordMetadata,
  { name, ends, found }: LedgerView,
  now: StoreTime,
): ReservationResult | Failed {
  const before = presentOf(ends);
  if (before.kind === 'failed') return { ...before, ledger: name };
  const earlier = noted.key === null ? null : (found[0] ?? null);
  if (earlier !== null) {
    const answered = again(earlier, request, noted, before);
    return 'kind' in answered ? { ...answered, ledger: name } : answered;
  }
  const { state, successor } = before;
  if (successor !== null) return { before, decision: { kind: 'ended', successor }, held: null };
  const later = beginsLater(before, request, now);
  if (later !== null) return { before, decision: later, held: null };
  const held = eventAt(request, before, now);
  if (held === null) return { before, decision: noSuchHold(before, request.hold), held };
  const unchecked = request.event === 'release' ? null : uncheckedRefusal(state);
  return { before, decision: unchecked ?? decideReservation(state, held, now), held };
}

/**
 * Reserves, commits or releases in ledgers, in each of them under the same name, or in none. A commit is the launch: it authorises, when
 * this returns with every decision accepted. A reservation authorises nothing.
 */
export function reservationIn(
  store: Store,
  names: readonly string[],
  request: ReservationRequest,
  options: RecordOptions,
): Promise<Transacted<readonly ReservationResult[]> | Failed> {
  const noted = metadataOf(options);
  return store.transact(
    names,
    (seen, now) => {
      const all: ReservationResult[] = [];
      for (const each of seen) {
        const answered = answer(request, noted, each, now);
        if ('kind' in answered) return answered;
        all.push(answered);
      }
      const repeated = all.filter((each) => each.again !== undefined);
      if (repeated.length > 0 && repeated.length < all.length) {
        return failed({ code: 'key-used', key: noted.key ?? '', record: Number(repeated[0]?.again?.fields.seq) });
      }
      const goes = repeated.length === 0 && all.every(({ decision }) => decision.kind === 'accepted');
      const additions = all.map(({ decision, held }) =>
        goes && held !== null && decision.kind === 'accepted'
          ? recordFields({ ...held, ...noted, totals: totalsOf(decision.state) })
          : null,
      );
      return { kind: 'proposal', additions, value: all };
    },
    withKeyLookup(options),
  );
}
