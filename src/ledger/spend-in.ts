import { type Decision, totalsOf } from './state.ts';
import type { Terms, StoreTime } from './rules/terms.ts';
import { decide, uncheckedRefusal, presentOf, type Present } from './present.ts';
import { failed, type Failed } from './fault.ts';
import { type Fields, type Sealed, participants } from './line.ts';
import { otherTerms } from './terms-codec.ts';
import {
  recordFields,
  readRecord,
  type LaunchRequest,
  type LedgerRecord,
  type Event,
  type Successor,
  type RecordMetadata,
} from './record.ts';
import { finerCode, type RefusalCode } from './rules/refusal.ts';
import type { LedgerView, Propose, Store, TransactOptions, Transacted } from './store.ts';
import type { Entry } from '../privacy/mechanism.ts';
import { incur } from './decide.ts';

/** The ledger goes on in another one. */
export interface Ended {
  readonly kind: 'ended';
  readonly successor: Successor;
}

/** The result of a request to launch: the decision, and the ledger before it. */
export interface SpendResult {
  readonly before: Present;
  readonly decision: Decision | Ended;
  /** The record of an earlier request under the same key, which was granted: nothing is charged again. */
  readonly again?: Sealed;
}

/** Options of an authorisation. */
export interface RecordOptions extends TransactOptions, Partial<RecordMetadata> {
  /** The terms that each of the ledgers must have; null for any. */
  readonly terms?: readonly (Terms | null)[] | undefined;
  /** Ledgers that are asked too and are yet to be made: where all say yes, nothing is recorded before they are. */
  readonly absent?: readonly Present[];
}

/** What people note with a record; null for nothing. */
export const metadataOf = ({ at = null, actor = null, key = null }: Partial<RecordMetadata>): RecordMetadata => ({
  at,
  actor,
  key,
});

/** Looks for an earlier record of this key, if there is one. */
export const withKeyLookup = <O extends RecordOptions>(options: O): O =>
  options.key == null ? options : { ...options, lookups: [{ kind: 'key', key: options.key }] };

/** The fault of a key that a record was made under already, for what is not asked again: notes, questions, conversions. */
export const usedKey = (earlier: Sealed | null | undefined, { key }: RecordMetadata): Failed | null =>
  key === null || earlier == null ? null : failed({ code: 'key-used', key, record: Number(earlier.fields.seq) });

const granted = (request: LaunchRequest): Event =>
  'entries' in request ? { event: 'spend', ...request } : { event: 'nest', ...request };

/** The event that a decision leaves to be recorded: the launch, or the end of the ledger; null for nothing. */
function eventOf(decision: Decision | Ended, request: LaunchRequest): Event | null {
  if (decision.kind === 'ended') return null;
  if (decision.kind === 'accepted') return granted(request);
  if (decision.halts) return { event: 'halt', asked: request };
  const { terms } = decision.state;
  return terms.refusals === 'recorded' ? { event: 'refuse', code: finerCode(decision.refusal), asked: request } : null;
}

/** May this be launched as things stand? It authorises nothing. */
export function decideIn({ state, successor }: Present, request: LaunchRequest, now: StoreTime): Decision | Ended {
  return successor === null ? (uncheckedRefusal(state) ?? decide(state, request, now)) : { kind: 'ended', successor };
}

/** The same where nothing is to change: nothing is halted either. */
export function decideDry(before: Present, request: LaunchRequest, now: StoreTime): Decision | Ended {
  const decision = decideIn(before, request, now);
  return decision.kind === 'refused' ? { ...decision, state: before.state, halts: false } : decision;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export const areSameIn = (names: readonly string[], a: Fields, b: Fields): boolean =>
  names.every((name) => isSame(a[name], b[name]));

/** A field of a record as requests are compared by it: the ids of nested ledgers are made up anew each time. */
const comparable = (fields: Fields, name: string): unknown =>
  name === 'nested' && fields.nested != null ? { ...fields.nested, ids: null } : fields[name];

/** Whether a record is of this request to these ledgers; of fields that are compared, those that say what is launched. */
function isOf({ fields }: Sealed, request: Event & RecordMetadata, before: Present, ids: readonly string[]): boolean {
  const requestFields = recordFields({ ...request, totals: totalsOf(before.state) });
  const parts = participants({ fields }) ?? [before.header.id];
  return (
    ['event', 'mechanisms', 'evidence', 'nested'].every((name) =>
      isSame(comparable(fields, name), comparable(requestFields, name)),
    ) && isSame([...parts].sort(), [...ids].sort())
  );
}

/** The result of a request that was recorded before under its key; a fault if that was another request. */
export function repeatedResult(
  record: Sealed,
  before: Present,
  isSameRequest: (recorded: LedgerRecord) => boolean,
): (SpendResult & { readonly recorded: LedgerRecord }) | Failed {
  const recorded = readRecord(record);
  if ('kind' in recorded) return recorded;
  if (!isSameRequest(recorded)) return usedKey(record, recorded)!;
  const { totals } = recorded;
  return { before, decision: { kind: 'accepted', state: before.state, totals, caveats: [] }, again: record, recorded };
}

function fieldsOf({ decision, again }: SpendResult, request: LaunchRequest, noted: RecordMetadata): Fields | null {
  const event = again === undefined ? eventOf(decision, request) : null;
  if (event === null || decision.kind === 'ended') return null;
  // The key stays free for the request that is granted.
  const own = event.event === 'refuse' ? { ...noted, key: null } : noted;
  return recordFields({ ...event, ...own, totals: totalsOf(decision.state) });
}

/** The record of an earlier request under this key; a refusal that ended the ledger was none that was granted. */
const earlierOf = ([record]: LedgerView['found'], { key }: RecordMetadata): Sealed | null =>
  key === null || record == null || record.fields.event === 'halt' ? null : record;

/** Decides about ledgers in their order; the first fault, with the name of its ledger. */
export function forEachLedger<T extends Pick<SpendResult, 'before'>>(
  views: readonly LedgerView[],
  decideOne: (before: Present, view: LedgerView, index: number) => T | Failed,
): readonly T[] | Failed {
  const all: T[] = [];
  for (const [index, view] of views.entries()) {
    const before = presentOf(view.ends);
    const result = before.kind === 'failed' ? before : decideOne(before, view, index);
    if ('kind' in result) return { ...result, ledger: view.name };
    all.push(result);
  }
  return all;
}

function decideAll(
  views: readonly LedgerView[],
  request: LaunchRequest,
  { terms, now, ...noted }: RecordMetadata & Pick<RecordOptions, 'terms'> & { readonly now: StoreTime },
): readonly SpendResult[] | Failed {
  const ids = views.map(({ ends }) => String(ends.header.fields.id));
  return forEachLedger(views, (before, { found }, i) => {
    const other = otherTerms(before.header.terms, terms?.[i] ?? null);
    if (other !== null) return failed(other);
    const earlier = earlierOf(found, noted);
    if (earlier === null) return { before, decision: decideIn(before, request, now) };
    return repeatedResult(earlier, before, () => isOf(earlier, { ...granted(request), ...noted }, before, ids));
  });
}

const isGranted = ({ decision }: SpendResult): boolean => decision.kind === 'accepted';

const halts = ({ decision }: SpendResult): boolean => decision.kind === 'refused' && decision.halts;

/** Whether a refusal says what is left in a ledger, and not that the request makes no sense for it. */
export const isAnswer = (decision: SpendResult['decision']): boolean =>
  decision.kind !== 'refused' || ANSWERS.includes(decision.refusal.code);

const ANSWERS: readonly RefusalCode[] = ['insufficient-budget', 'halted', 'count-limit', 'no-such-hold'];

/** A key that was used in one of the ledgers, and not in another. */
export function keyUsedInPart(
  views: readonly LedgerView[],
  all: readonly Pick<SpendResult, 'again'>[],
  metadata: RecordMetadata,
): Failed | null {
  const at = all.findIndex(({ again }) => again !== undefined);
  if (at < 0 || all.every(({ again }) => again !== undefined)) return null;
  const used = usedKey(all[at]?.again, metadata);
  return used && { ...used, ledger: views[at]!.name };
}

/**
 * Asks ledgers to let something be launched, each of them: it is granted where all say yes, and recorded in all of them, or in
 * none. Where the decisions are yes, they were recorded, durably, before this returns, and nobody else was granted the same
 * part of a budget: this alone authorises. Where one says no, a record is added only to those that it halts; where the request
 * makes no sense for one of them, to none.
 */
export function spendIn(
  store: Store,
  names: readonly string[],
  request: LaunchRequest,
  { terms, absent = [], ...options }: RecordOptions,
): Promise<Transacted<readonly SpendResult[]> | Failed> {
  const noted = metadataOf(options);
  return store.transact(
    names,
    (views, now) => {
      const there = decideAll(views, request, { ...noted, terms, now });
      if ('kind' in there) return there;
      const all: readonly SpendResult[] = [
        ...there,
        ...absent.map((before) => ({ before, decision: decideDry(before, request, now) })),
      ];
      const used = keyUsedInPart(views, all, noted);
      if (used !== null) return used;
      const goes = all.every(isGranted);
      const isHeard = all.every(({ decision }) => isAnswer(decision));
      const additions = there.map((result) => {
        if (!goes && isGranted(result)) return null;
        return isHeard || !halts(result) ? fieldsOf(result, request, noted) : null;
      });
      return { kind: 'proposal', additions, value: all, isTrial: goes && absent.length > 0 };
    },
    withKeyLookup(options),
  );
}

/** A proposal for one ledger: the fields to add, or null, and the value; of the ledger and the record of its key, if any. */
export const proposeOne =
  <T>(
    decideOne: (before: Present, earlier: Sealed | null) => readonly [fields: Fields | null, value: T] | Failed,
  ): Propose<T> =>
  ([view]) => {
    const before = presentOf(view!.ends);
    if (before.kind === 'failed') return before;
    const decided = decideOne(before, view!.found[0] ?? null);
    return 'kind' in decided ? decided : { kind: 'proposal', additions: [decided[0]], value: decided[1] };
  };

/** Records mechanisms that ran without having been granted: see {@link incur}. */
export function incurIn(
  store: Store,
  name: string,
  { entries, evidence }: { readonly entries: readonly Entry[]; readonly evidence: string | null },
  options: RecordOptions,
): Promise<Transacted<SpendResult> | Failed> {
  const noted = metadataOf(options);
  const propose = proposeOne<SpendResult>((before, earlier) => {
    const { state, successor } = before;
    if (successor !== null) return [null, { before, decision: { kind: 'ended', successor } }];
    const decision = incur(state, entries);
    const totals = totalsOf(decision.state);
    const fields = recordFields({ event: 'incurred', entries, evidence, ...noted, totals });
    if (noted.key === null || earlier === null) {
      return [decision.kind === 'accepted' ? fields : null, { before, decision }];
    }
    if (!areSameIn(['event', 'mechanisms', 'evidence'], earlier.fields, fields)) return usedKey(earlier, noted)!;
    const same: Decision = { kind: 'accepted', state, totals: totalsOf(state), caveats: [] };
    return [null, { before, decision: same, again: earlier }];
  });
  return store.transact([name], propose, withKeyLookup(options));
}
