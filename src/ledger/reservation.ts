import type { StoreTime } from './rules/terms.ts';
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Entry } from '../privacy/mechanism.ts';
import { type Decision, totalsOf, at } from './state.ts';
import { refuse, reservationOf } from './decide.ts';
import { decideReservation, uncheckedRefusal, type Present } from './present.ts';
import type { Failed } from './fault.ts';
import {
  areSameIn,
  forEachLedger,
  keyUsedInPart,
  metadataOf,
  repeatedResult,
  withKeyLookup,
  type RecordOptions,
  type SpendResult,
} from './spend-in.ts';
import type { Sealed } from './line.ts';
import { recordFields, type LedgerRecord, type RecordMetadata, type ReservationEvent } from './record.ts';
import type { Store, Transacted } from './store.ts';
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

/** The result of a request about a reservation. */
export interface ReservationResult extends SpendResult {
  /** What is reserved, launched or given back; null where that is not known. */
  readonly event: ReservationEvent | null;
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
  return refuse(state, { code: 'invalid-terms', path: '--expires-in', allowed });
}

function isOf(record: Sealed, recorded: LedgerRecord, request: ReservationRequest, noted: RecordMetadata): boolean {
  if (recorded.event !== request.event) return false;
  if (request.event !== 'hold' || recorded.event !== 'hold') {
    return recorded.event !== 'hold' && 'hold' in recorded && recorded.hold === request.hold;
  }
  const requestFields = recordFields({ ...request, until: recorded.until, ...noted, totals: recorded.totals });
  return areSameIn(['mechanisms', 'evidence'], requestFields, record.fields);
}

function answer(
  request: ReservationRequest,
  noted: RecordMetadata,
  before: Present,
  earlier: Sealed | null,
  now: StoreTime,
): ReservationResult | Failed {
  if (noted.key !== null && earlier !== null) {
    const repeated = repeatedResult(earlier, before, (recorded) => isOf(earlier, recorded, request, noted));
    return 'kind' in repeated ? repeated : { ...repeated, event: repeated.recorded as ReservationEvent };
  }
  const { state, successor } = before;
  if (successor !== null) return { before, decision: { kind: 'ended', successor }, event: null };
  const later = beginsLater(before, request, now);
  if (later !== null) return { before, decision: later, event: null };
  const event = eventAt(request, before, now);
  if (event === null) {
    return { before, decision: refuse(state, { code: 'no-such-hold', hold: request.hold }), event };
  }
  const unchecked = request.event === 'release' ? null : uncheckedRefusal(state);
  return { before, decision: unchecked ?? decideReservation(state, event, now), event };
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
    (views, now) => {
      const all = forEachLedger(views, (before, { found }) => answer(request, noted, before, found[0] ?? null, now));
      if ('kind' in all) return all;
      const used = keyUsedInPart(views, all, noted);
      if (used !== null) return used;
      const goes = all.every(({ decision, again }) => decision.kind === 'accepted' && again === undefined);
      const additions = all.map(({ decision, event }) =>
        goes && event !== null && decision.kind === 'accepted'
          ? recordFields({ ...event, ...noted, totals: totalsOf(decision.state) })
          : null,
      );
      return { kind: 'proposal', additions, value: all };
    },
    withKeyLookup(options),
  );
}
