import type { MechanismKind } from '../../privacy/mechanism.ts';
import type { Refusal } from '../core/refusal.ts';
import { close, query, type LaunchedMechanism } from '../interactive.ts';
import { totalsOf } from '../core/state.ts';
import type { Totals } from '../core/totals.ts';
import type { LedgerState } from '../core/state.ts';
import { decide } from './decide.ts';
import { failed, type Failed, type Inconsistent } from './fault.ts';
import { scan, type Kept, type Scanned } from './history.ts';
import { reading } from './open-file.ts';
import { stateAtStart } from './present.ts';
import type { Asked, Recorded } from './record.ts';

/** Mechanisms launched together that can be asked, by their numbers. */
interface Conversations {
  readonly first: number;
  readonly last: number;
  readonly kind: MechanismKind;
}

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
  return stated.halted === actual.halted ? null : wrong('halted', stated.halted, actual.halted);
}

const notAllowed = (refusal: Refusal): Inconsistent => ({ code: 'not-allowed', refusal });

/** A ledger whose records are decided again, one after the other. */
export class Replay {
  #state: LedgerState;
  #successor: string | null = null;
  /** In ascending order; what answers once is left out. */
  readonly #conversations: Conversations[] = [];
  readonly #closed = new Set<number>();

  constructor(start: LedgerState) {
    this.#state = start;
  }

  get state(): LedgerState {
    return this.#state;
  }

  /** The mechanism of this number, in the order of launches from 1; null where there is none. */
  mechanism(number: number): LaunchedMechanism | null {
    if (number < 1 || number > this.#state.launched) return null;
    const found = this.#conversations.findLast(({ first }) => first <= number);
    const kind = found !== undefined && number <= found.last ? found.kind : 'noninteractive';
    return { ordinal: number, kind, closed: this.#closed.has(number) };
  }

  /** Takes the next record; what it should not say, if there is anything. */
  take(recorded: Recorded): Inconsistent | null {
    return this.#decide(recorded) ?? difference(recorded.totals, totalsOf(this.#state));
  }

  #decide(recorded: Recorded): Inconsistent | null {
    if (this.#successor !== null) return { code: 'after-conversion', to: this.#successor };
    switch (recorded.event) {
      case 'spend':
      case 'nest':
        return this.#launch(recorded);
      case 'halt':
        return this.#halt(recorded.asked);
      case 'query':
      case 'close':
        return this.#converse(recorded.event, recorded.mechanism);
      case 'convert':
        return this.#convert(recorded.to);
    }
  }

  #convert(to: string): Inconsistent | null {
    if (this.#state.provenance === 'nested') return notAllowed({ code: 'invalid-query', reason: 'nested' });
    this.#successor = to;
    return null;
  }

  #converse(event: 'query' | 'close', number: number): Inconsistent | null {
    const mechanism = this.mechanism(number);
    const decision = event === 'query' ? query(this.#state, mechanism) : close(this.#state, mechanism);
    if (decision.kind === 'refused') return notAllowed(decision.refusal);
    if (event === 'close') this.#closed.add(number);
    return null;
  }

  #halt(asked: Asked): Inconsistent | null {
    const decision = decide(this.#state, asked);
    this.#state = decision.state;
    return decision.kind === 'refused' && decision.halts ? null : { code: 'needless-halt' };
  }

  #launch(asked: Asked): Inconsistent | null {
    const before = this.#state.launched;
    const decision = decide(this.#state, asked);
    if (decision.kind === 'refused') return notAllowed(decision.refusal);
    this.#state = decision.state;
    this.#remember(asked, before);
    return null;
  }

  #remember(asked: Asked, before: number): void {
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

/** Decides all records of an open ledger file again, up to the first thing that is wrong. */
export function replayOpen(fd: number, onStep?: OnStep): Replayed | Failed {
  const found: { replay?: Replay } = {};
  const scanned = scan(fd, {
    header: (header) => {
      const start = stateAtStart(header);
      if (start === null) return failed({ code: 'malformed-record', line: 1, record: 0, path: 'terms' });
      found.replay = new Replay(start);
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

/** Decides all records of a ledger file again, up to the first thing that is wrong. */
export const replayFile = (path: string, onStep?: OnStep): Replayed | Failed =>
  reading(path, (fd) => replayOpen(fd, onStep));
