import { type Decision, totalsOf, type LedgerState, type Totals, at, isTimed } from './state.ts';
import { type Refusal, finerCode } from './rules/refusal.ts';
import { incur, reservationOf } from './decide.ts';
import { decide, decideReservation, stateAtStart } from './present.ts';
import { uncheckedIn, type StoreTime } from './rules/terms.ts';
import { failed, type Failed, type Inconsistent, type Flaw, type WrongOrigin } from './fault.ts';
import { scan, type StoredRecord, type Scanned } from './history.ts';
import { successorOf } from './conversions.ts';
import {
  recordFields,
  type LaunchRequest,
  type Successor,
  type MovedTo,
  type LedgerRecord,
  type Header,
  type Origin,
} from './record.ts';
import type { Store } from './store.ts';
import { areSameTerms } from './terms-codec.ts';

/** The first total that is not what it should be. */
function difference(stated: Totals, actual: Totals): Inconsistent | null {
  const wrong = (path: string, says: unknown, is: unknown): Inconsistent => ({
    code: 'wrong-totals',
    path: `totals.${path}`,
    stated: String(says),
    actual: String(is),
  });
  if (stated.launched !== actual.launched) return wrong('launched', stated.launched, actual.launched);
  for (const name of new Set([...Object.keys(actual.spent), ...Object.keys(stated.spent)])) {
    const [says, is] = [stated.spent[name], actual.spent[name]];
    if (says !== is) return wrong(`spent.${name}`, says ?? 'nothing', is ?? 'nothing');
  }
  if (stated.halted !== actual.halted) return wrong('halted', stated.halted, actual.halted);
  if (stated.incurred !== actual.incurred) return wrong('incurred', stated.incurred ?? 0, actual.incurred ?? 0);
  if (stated.clock !== actual.clock) return wrong('clock', stated.clock ?? 'nothing', actual.clock ?? 'nothing');
  const [says, is] = [stated.held ?? [], actual.held ?? []].map((reservations) => JSON.stringify(reservations));
  return says === is ? null : wrong('held', says, is);
}

const hasTotals =
  ({ totals }: LedgerRecord) =>
  ({ state }: Decision): boolean =>
    difference(totals, totalsOf(state)) === null;

/** The moment of a record, as it is stated; where none is, the totals that follow tell whether there has to be one. */
const clockOf = ({ totals }: LedgerRecord): StoreTime => totals.clock ?? '';

const notAllowed = (refusal: Refusal): Inconsistent => ({ code: 'not-allowed', refusal });

const isArrival = (recorded: LedgerRecord, { store, name }: MovedTo): boolean =>
  recorded.event === 'move' && recorded.arrived && recorded.to.store === store && recorded.to.name === name;

/** The records by which a ledger that was moved goes on in its new place: the second keeps what was left there of the first. */
const TAKES_UP: ReadonlySet<LedgerRecord['event']> = new Set(['adopt', 'recover']);

/**
 * Codes of refusals that earlier versions have recorded for what is not checked any more. That it was so is taken on trust where the
 * terms ask for it, as a refusal changes nothing.
 */
const UNCHECKED_REFUSALS: ReadonlySet<string> = new Set([
  'unchecked-terms',
  'no-approval',
  'wrong-approval',
  'no-approval-in-child',
  'no-window-in-child',
  'outside-window',
]);

/** A ledger whose records are decided again, one after the other. */
export class Replay {
  #state: LedgerState;
  #successor: Successor | null = null;
  #movedTo: MovedTo | null = null;
  readonly #launches = new Set<number>();
  #number = 0;

  constructor(start: LedgerState) {
    this.#state = start;
  }

  get state(): LedgerState {
    return this.#state;
  }

  /** Takes the next record; what it should not say, if there is anything. */
  take(recorded: LedgerRecord): Inconsistent | null {
    this.#number++;
    return this.#decide(recorded) ?? difference(recorded.totals, totalsOf(this.#state));
  }

  #decide(recorded: LedgerRecord): Inconsistent | null {
    if (this.#successor !== null) return { code: 'after-conversion', to: this.#successor.id };
    if (this.#movedTo !== null && !TAKES_UP.has(recorded.event) && !isArrival(recorded, this.#movedTo)) {
      return { code: 'after-move' };
    }
    switch (recorded.event) {
      case 'spend':
      case 'nest':
        return this.#launch(recorded, recorded);
      case 'halt':
        return this.#halt(recorded.asked, recorded);
      case 'refuse':
        return this.#refuse(recorded);
      case 'hold':
      case 'commit':
      case 'release':
        return this.#hold(recorded);
      case 'incurred':
        return this.#incur(recorded);
      case 'void':
        return this.#launches.has(recorded.voids) ? null : { code: 'wrong-void', voids: recorded.voids };
      case 'query':
      case 'close':
        return this.#isLaunched(recorded.mechanism)
          ? null
          : notAllowed({ code: 'invalid-query', reason: 'no-such-mechanism' });
      case 'convert':
        return this.#convert(recorded.to);
      case 'move':
      case 'adopt':
      case 'recover':
        this.#movedTo = recorded.event === 'move' ? recorded.to : null;
        return null;
      case 'note':
        return null;
    }
  }

  #convert(to: Successor): Inconsistent | null {
    const successor = successorOf(this.#state, to.terms);
    if (successor.kind === 'refused') return notAllowed(successor.refusal);
    if (!areSameTerms(successor.state.terms, to.terms)) return { code: 'wrong-origin', what: 'other-terms' };
    this.#successor = to;
    return difference(to.totals, totalsOf(successor.state));
  }

  /** Whether a mechanism was launched that has this number. Earlier versions recorded questions to mechanisms, which cost nothing. */
  #isLaunched = (number: number): boolean => number >= 1 && number <= this.#state.launched;

  /**
   * The decision that a record tells of: by the charges of now, or else by those of earlier versions, if by these it is as recorded.
   * What is recorded is what was granted, and the totals go on from it.
   */
  #decided(decideBy: (state: LedgerState) => Decision, isRecorded: (decision: Decision) => boolean): Decision {
    const [state, decision] = [this.#state, decideBy(this.#state)];
    const { earlier } = state.rule;
    if (earlier === undefined || isRecorded(decision)) return decision;
    const before = decideBy({ ...state, rule: earlier });
    return isRecorded(before) ? { ...before, state: { ...before.state, rule: state.rule } } : decision;
  }

  #halt(request: LaunchRequest, recorded: LedgerRecord): Inconsistent | null {
    const decision = this.#decided((state) => decide(state, request, clockOf(recorded)), hasTotals(recorded));
    this.#state = decision.state;
    return decision.kind === 'refused' && decision.halts ? null : { code: 'needless-halt' };
  }

  #refuse({ asked: request, code, totals }: Extract<LedgerRecord, { event: 'refuse' }>): Inconsistent | null {
    const isSo = (decision: Decision): boolean =>
      decision.kind === 'refused' && !decision.halts && finerCode(decision.refusal) === code;
    const decision = this.#decided((state) => decide(state, request, totals.clock ?? ''), isSo);
    this.#state = isTimed(this.#state) ? at(this.#state, totals.clock ?? '') : this.#state;
    if (this.#state.terms.refusals !== 'recorded') return { code: 'needless-refusal' };
    const isTrusted = UNCHECKED_REFUSALS.has(code) && uncheckedIn(this.#state.terms) !== null;
    return isTrusted || isSo(decision) ? null : { code: 'needless-refusal' };
  }

  #hold(recorded: Extract<LedgerRecord, { event: 'hold' | 'commit' | 'release' }>): Inconsistent | null {
    const before = this.#state;
    const decision = this.#decided(
      (state) => decideReservation(state, recorded, clockOf(recorded)),
      hasTotals(recorded),
    );
    if (decision.kind === 'refused') return notAllowed(decision.refusal);
    this.#state = decision.state;
    if (recorded.event !== 'commit') return null;
    const hold = reservationOf(before, recorded.hold);
    const { mechanisms, evidence } = recordFields(recorded);
    const isHeld = JSON.stringify([mechanisms, evidence]) === JSON.stringify([hold?.mechanisms, hold?.evidence]);
    if (!isHeld) return { code: 'other-hold' };
    this.#launches.add(this.#number);
    return null;
  }

  #incur(recorded: Extract<LedgerRecord, { event: 'incurred' }>): Inconsistent | null {
    return this.#launched(this.#decided((state) => incur(state, recorded.entries), hasTotals(recorded)));
  }

  #launch(request: LaunchRequest, recorded: LedgerRecord): Inconsistent | null {
    return this.#launched(this.#decided((state) => decide(state, request, clockOf(recorded)), hasTotals(recorded)));
  }

  /** Goes on from a decision by which something is launched. */
  #launched(decision: Decision): Inconsistent | null {
    if (decision.kind === 'refused') return notAllowed(decision.refusal);
    this.#state = decision.state;
    this.#launches.add(this.#number);
    return null;
  }
}

/** A ledger whose every record was decided again, as it is recorded. */
export interface Replayed {
  readonly kind: 'replayed';
  readonly scanned: Scanned;
  readonly replay: Replay;
}

/** Called for every record, with the ledger after it. */
export type OnStep = (record: StoredRecord, after: LedgerState) => void;

/** Decides all records of a ledger again, up to the first thing that is wrong. */
export async function replayOf(store: Store, name: string, onStep?: OnStep): Promise<Replayed | Failed> {
  const replaySlot: { replay?: Replay } = {};
  const scanned = await scan(store, name, {
    header: (header) => {
      const start = stateAtStart(header);
      if (start === null) return failed({ code: 'malformed-record', line: 1, record: 0, path: 'terms' });
      replaySlot.replay = new Replay(start);
      return null;
    },
    record: (record) => {
      const wrong = replaySlot.replay?.take(record.recorded) ?? null;
      if (wrong !== null) return failed({ ...wrong, ...record.place });
      if (replaySlot.replay !== undefined) onStep?.(record, replaySlot.replay.state);
      return null;
    },
  });
  if (scanned.kind === 'failed') return scanned;
  if (replaySlot.replay === undefined) throw new Error('A ledger without flaws has a header.');
  return { kind: 'replayed', scanned, replay: replaySlot.replay };
}

/** A header that says something else of where its ledger comes from than is recorded there. */
export interface OriginMismatch {
  readonly kind: 'origin-mismatch';
  readonly flaw: Flaw;
}

/** The record that a header names, and the ledger after it. */
interface Source {
  readonly recorded: LedgerRecord;
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
  const successor = successorOf(after, terms);
  if (successor.kind === 'refused' || !areSameTerms(successor.state.terms, terms)) return 'other-terms';
  const [stated, actual] = [origin.totals, totalsOf(successor.state)];
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
export async function verifyOrigin(
  header: Header,
  store: Store,
  name: string,
): Promise<OriginMismatch | Failed | null> {
  const { origin } = header;
  const sourceSlot: { source?: Source } = {};
  const replayed = await replayOf(store, name, ({ hash, recorded }, after) => {
    if (hash === origin?.hash) sourceSlot.source = { recorded, after };
  });
  if (replayed.kind === 'failed') return replayed;
  const mismatch = (what: WrongOrigin): OriginMismatch => ({
    kind: 'origin-mismatch',
    flaw: { code: 'wrong-origin', what, line: 1, record: 0 },
  });
  if (origin === null) return mismatch('no-origin');
  if (replayed.scanned.header.id !== origin.id) return mismatch('other-ledger');
  const what = sourceSlot.source === undefined ? 'no-such-record' : wrong(header, origin, sourceSlot.source);
  return what && mismatch(what);
}
