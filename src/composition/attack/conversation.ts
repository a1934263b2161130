import { clopperPearson } from '../../numeric/binomial.ts';
import type { Enclosure } from '../../numeric/enclosure.ts';

/** The answer that ends the communication. */
export const HALT = Symbol('halt');
export type Halt = typeof HALT;

/**
 * An interactive mechanism in a conversation: it has been given its initial state, and keeps its state to itself.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 2.6.
 */
export interface Interactive<Query, Answer> {
  answer(query: Query): Answer | Halt;
}

/** An interactive mechanism that begins the conversation, and may end it. */
export interface Adversary<Message, Answer> {
  /** The message that it sends first, or after an answer; null ends the communication. */
  next(answer: Answer | null): Message | null;
}

/** Lets an adversary and a mechanism converse until one of them halts; returns how many messages the adversary sent. */
export function converse<Message, Answer>(
  adversary: Adversary<Message, Answer>,
  mechanism: Interactive<Message, Answer>,
): number {
  let sent = 0;
  for (let message = adversary.next(null); message !== null;) {
    sent++;
    const answer = mechanism.answer(message);
    if (answer === HALT) break;
    message = adversary.next(answer);
  }
  return sent;
}

/**
 * I(b) with the mechanism behind it: of every pair of messages it forwards the one of its secret bit, and every answer
 * as it is.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 3.2.
 */
export class Identifier<Query, Answer> implements Interactive<readonly [Query, Query], Answer> {
  readonly #bit: 0 | 1;
  readonly #right: Interactive<Query, Answer>;

  constructor(bit: 0 | 1, right: Interactive<Query, Answer>) {
    this.#bit = bit;
    this.#right = right;
  }

  answer(pair: readonly [Query, Query]): Answer | Halt {
    return this.#right.answer(pair[this.#bit]);
  }
}

/**
 * A verification function that has seen some messages, all of them together valid: it takes in one more, and returns the
 * condition that is broken where the sequence is no longer valid. A verifier halts at the first sequence that is not, so only sequences matter
 * whose beginnings are all valid.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 3.3.
 */
export type Verification<Message> = (message: Message) => string | null;

/**
 * V[f] with the mechanism behind it: it forwards messages as long as their sequence is f-valid, and then halts.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 3.5.
 */
export class Verifier<Message, Answer> implements Interactive<Message, Answer> {
  readonly #verification: Verification<Message>;
  readonly #right: Interactive<Message, Answer>;
  /** The condition for which it has halted; null as long as it has not. */
  violation: string | null = null;

  /** `f`: before any message. */
  constructor(f: Verification<Message>, right: Interactive<Message, Answer>) {
    this.#verification = f;
    this.#right = right;
  }

  answer(message: Message): Answer | Halt {
    this.violation ??= this.#verification(message);
    return this.violation === null ? this.#right.answer(message) : HALT;
  }
}

/** How often to run an attack, and where its random numbers begin. */
export interface Repetition {
  readonly runs: number;
  /** A whole number of at least 0. */
  readonly seed: number;
  /** Receives the share of the runs that are done. */
  readonly progress?: (share: number) => void;
}

/** The chance with which a confidence interval contains the truth. */
export const CONFIDENCE = 0.99;

/** How often something happened, and an interval for its probability. */
export interface Rate {
  readonly times: number;
  readonly of: number;
  /** The exact (Clopper-Pearson) interval at {@link CONFIDENCE}; null where nothing was tried. */
  readonly interval: Enclosure | null;
}

/** The rate of something that happened `times` times of so many. */
export const rateOf = (times: number, of: number): Rate => ({
  times,
  of,
  interval: of === 0 ? null : clopperPearson(times, of, CONFIDENCE),
});
