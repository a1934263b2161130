import type { MechanismKind } from '../../privacy/mechanism.ts';
import type { Decision } from '../core/decision.ts';
import type { Refusal } from '../core/refusal.ts';
import { finerCode } from '../core/refusal.ts';
import { incur } from '../incur.ts';
import { close, query, type LaunchedMechanism } from '../interactive.ts';
import { holdOf } from '../reserve.ts';
import { at, isTimed } from '../core/held.ts';
import { totalsOf } from '../core/state.ts';
import type { Totals } from '../core/totals.ts';
import type { LedgerState } from '../core/state.ts';
import { decide, decideApproved, decideHeld, type Moment } from './decide.ts';
import { failed, type Failed, type Inconsistent } from '../records/fault.ts';
import { scan, type Kept, type Scanned } from './history.ts';
import { stateAtStart } from './present.ts';
import { heirOf } from './heir.ts';
import { BitSet } from '../records/bit-set.ts';
import { recordFields, type Asked, type Heir, type MovedTo, type Recorded } from '../records/record.ts';
import type { Store } from './store.ts';
import { areSameTerms } from '../records/terms-codec.ts';

/** Mechanisms launched together that can be asked, by their numbers. */
export interface Conversations {
  readonly first: number;
  readonly last: number;
  readonly kind: MechanismKind;
}

/** The first total that is not what it should be. */
export function difference(stated: Totals, actual: Totals): Inconsistent | null {
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
  const [says, is] = [stated.held ?? [], actual.held ?? []].map((held) => JSON.stringify(held));
  return says === is ? null : wrong('held', says, is);
}

/** Whether the totals of a record are those after a decision. */
const hasTotals =
  ({ totals }: Recorded) =>
  ({ state }: Decision): boolean =>
    difference(totals, totalsOf(state)) === null;

const notAllowed = (refusal: Refusal): Inconsistent => ({ code: 'not-allowed', refusal });

/** Those of a mechanism of this number; undefined where it answers once, or is none. */
export function conversationsOf(all: readonly Conversations[], number: number): Conversations | undefined {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (all[middle]!.first <= number) low = middle + 1;
    else high = middle;
  }
  const found = all[low - 1];
  return found !== undefined && number <= found.last ? found : undefined;
}

/** Whether a record says that a ledger has arrived where it was moved to. */
const isArrival = (recorded: Recorded, { store, name }: MovedTo): boolean =>
  recorded.event === 'move' && recorded.arrived && recorded.to.store === store && recorded.to.name === name;

/** The records by which a ledger that was moved goes on in its new place: the second keeps what was left there of the first. */
const TAKES_UP: ReadonlySet<Recorded['event']> = new Set(['adopt', 'recover']);

/**
 * A ledger whose records are decided again, one after the other. What decisions depend on besides the totals of the record before
 * has to be seen to in `sections.ts` too, where they begin in the midst of a ledger.
 */
export class Replay {
  #state: LedgerState;
  #successor: Heir | null = null;
  #movedTo: MovedTo | null = null;
  /** In ascending order; what answers once is left out. */
  readonly #conversations: Conversations[] = [];
  readonly #closed = new Set<number>();

  /** The hash of the header. */
  readonly #ledger: string;
  /** The records that have launched something. */
  readonly #launches = new BitSet();
  /** The keys of what was launched with approvals. */
  readonly #keys = new Set<string>();
  #number = 0;

  constructor(start: LedgerState, ledger: string) {
    this.#state = start;
    this.#ledger = ledger;
  }

  get state(): LedgerState {
    return this.#state;
  }

  /** Mechanisms launched here that can be asked, in ascending order. */
  get conversations(): readonly Conversations[] {
    return this.#conversations;
  }

  /** The numbers of those that were closed. */
  get closed(): ReadonlySet<number> {
    return this.#closed;
  }

  /** The mechanism of this number, in the order of launches from 1; null where there is none. */
  mechanism(number: number): LaunchedMechanism | null {
    if (number < 1 || number > this.#state.launched) return null;
    const kind = conversationsOf(this.#conversations, number)?.kind ?? 'noninteractive';
    return { ordinal: number, kind, closed: this.#closed.has(number) };
  }

  /** Takes the next record; what it should not say, if there is anything. */
  take(recorded: Recorded): Inconsistent | null {
    this.#number++;
    return this.#decide(recorded) ?? difference(recorded.totals, totalsOf(this.#state));
  }

  #decide(recorded: Recorded): Inconsistent | null {
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
        return this.#converse(recorded.event, recorded.mechanism);
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

  #convert(to: Heir): Inconsistent | null {
    const heir = heirOf(this.#state, to.terms);
    if (heir.kind === 'refused') return notAllowed(heir.refusal);
    if (!areSameTerms(heir.state.terms, to.terms)) return { code: 'wrong-origin', what: 'other-terms' };
    this.#successor = to;
    return difference(to.totals, totalsOf(heir.state));
  }

  #converse(event: 'query' | 'close', number: number): Inconsistent | null {
    const mechanism = this.mechanism(number);
    const decision = event === 'query' ? query(this.#state, mechanism) : close(this.#state, mechanism);
    if (decision.kind === 'refused') return notAllowed(decision.refusal);
    if (event === 'close') this.#closed.add(number);
    return null;
  }

  /** The moment of a record, as it is stated; where none is, the totals that follow tell whether there has to be one. */
  #moment({ totals, key }: Recorded): Moment {
    return { now: totals.clock ?? '', ledger: this.#ledger, key };
  }

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

  #halt(asked: Asked, recorded: Recorded): Inconsistent | null {
    const decision = this.#decided((state) => decide(state, asked, this.#moment(recorded)), hasTotals(recorded));
    this.#state = decision.state;
    return decision.kind === 'refused' && decision.halts ? null : { code: 'needless-halt' };
  }

  /** Approvals are not kept under a key with what was refused: that they were missing is taken on trust, as it changes nothing. */
  #refuse({ asked, code, totals }: Extract<Recorded, { event: 'refuse' }>): Inconsistent | null {
    const isSo = (decision: Decision): boolean =>
      decision.kind === 'refused' && !decision.halts && finerCode(decision.refusal) === code;
    const decision = this.#decided((state) => decideApproved(state, asked, totals.clock ?? ''), isSo);
    this.#state = isTimed(this.#state) ? at(this.#state, totals.clock ?? '') : this.#state;
    if (this.#state.terms.refusals !== 'recorded') return { code: 'needless-refusal' };
    if (code === 'no-approval' || code === 'wrong-approval') {
      return this.#state.terms.approvals === undefined ? { code: 'needless-refusal' } : null;
    }
    return isSo(decision) ? null : { code: 'needless-refusal' };
  }

  /** Takes the key of what was approved, which must be a new one. */
  #approve(key: string | null): Inconsistent | null {
    if (this.#state.terms.approvals === undefined || key === null) return null;
    if (this.#keys.has(key)) return { code: 'reused-key', key };
    this.#keys.add(key);
    return null;
  }

  #hold(recorded: Extract<Recorded, { event: 'hold' | 'commit' | 'release' }>): Inconsistent | null {
    const before = this.#state;
    const decision = this.#decided((state) => decideHeld(state, recorded, this.#moment(recorded)), hasTotals(recorded));
    if (decision.kind === 'refused') return notAllowed(decision.refusal);
    this.#state = decision.state;
    if (recorded.event === 'hold') return this.#approve(recorded.key);
    if (recorded.event === 'release') return null;
    const hold = holdOf(before, recorded.hold);
    const { mechanisms, evidence } = recordFields(recorded);
    const isHeld = JSON.stringify([mechanisms, evidence]) === JSON.stringify([hold?.mechanisms, hold?.evidence]);
    if (!isHeld) return { code: 'other-hold' };
    this.#remember(recorded, before.launched);
    return null;
  }

  #incur(recorded: Extract<Recorded, { event: 'incurred' }>): Inconsistent | null {
    const before = this.#state.launched;
    const decision = this.#decided((state) => incur(state, recorded.entries), hasTotals(recorded));
    if (decision.kind === 'refused') return notAllowed(decision.refusal);
    this.#state = decision.state;
    this.#remember(recorded, before);
    return null;
  }

  #launch(asked: Asked, recorded: Recorded): Inconsistent | null {
    const before = this.#state.launched;
    const decision = this.#decided((state) => decide(state, asked, this.#moment(recorded)), hasTotals(recorded));
    if (decision.kind === 'refused') return notAllowed(decision.refusal);
    this.#state = decision.state;
    this.#remember(asked, before);
    return 'entries' in asked ? this.#approve(recorded.key) : null;
  }

  #remember(asked: Asked, before: number): void {
    this.#launches.add(this.#number);
    if ('nested' in asked) {
      this.#conversations.push({ first: before + 1, last: before + 1, kind: 'interactive' });
      return;
    }
    let first = before + 1;
    for (const { kind, count } of asked.entries) {
      if (kind !== 'noninteractive') this.#conversations.push({ first, last: first + count - 1, kind });
      first += count;
    }
  }
}

/** A ledger whose every record was decided again, as it is recorded. */
export interface Replayed {
  readonly kind: 'replayed';
  readonly scanned: Scanned;
  readonly replay: Replay;
}

/** Called for every record, with the ledger after it. */
export type OnStep = (kept: Kept, after: LedgerState) => void;

/** Decides all records of a ledger again, up to the first thing that is wrong. */
export async function replayOf(store: Store, name: string, onStep?: OnStep): Promise<Replayed | Failed> {
  const found: { replay?: Replay } = {};
  const scanned = await scan(store, name, {
    header: (header, hash) => {
      const start = stateAtStart(header);
      if (start === null) return failed({ code: 'malformed-record', line: 1, record: 0, path: 'terms' });
      found.replay = new Replay(start, hash);
      return null;
    },
    record: (kept) => {
      const wrong = found.replay?.take(kept.recorded) ?? null;
      if (wrong !== null) return failed({ ...wrong, ...kept.place });
      if (found.replay !== undefined) onStep?.(kept, found.replay.state);
      return null;
    },
  });
  if (scanned.kind === 'failed') return scanned;
  if (found.replay === undefined) throw new Error('A ledger without flaws has a header.');
  return { kind: 'replayed', scanned, replay: found.replay };
}
