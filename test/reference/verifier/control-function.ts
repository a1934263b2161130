import { Rational } from '../../../src/numeric/rational.ts';
import type { FiniteMechanism } from './finite-mechanism.ts';
import type { Pair, PairVerification } from './pair-verification.ts';
import { CopyStates } from './copy-states.ts';
import type { Criterion } from './criterion.ts';
import { many, replaced, type Multiset } from './multiset.ts';

/** An adversary against copies of one mechanism. */
export interface Game {
  readonly mechanism: FiniteMechanism;
  readonly verification: PairVerification;
  /** How many copies there are, at least 1. */
  readonly copies: number;
  /** How many of them may receive pairs of different messages. */
  readonly sparsity: number;
  /** How many messages the adversary may send in all; null where the verification function alone limits them. */
  readonly rounds: number | null;
}

/** One message of an adversary, and the answer. */
export interface Exchange {
  /** The copy, from 0. */
  readonly copy: number;
  readonly pair: Pair;
  readonly answer: string;
}

/** There is more to look at than is allowed. */
export const TOO_LARGE = 'too-large';

/** How many answers are looked at, each at its place in a conversation, unless another number is given: some seconds. */
export const MOST_ANSWERS = 1_000_000;

class TooLarge extends Error {}

/** The messages that may still be sent; null where the verification function alone limits them. */
function roundsThatMatter({ verification, copies, rounds }: Game): number | null {
  const longest = verification.longest();
  if (longest === null && rounds === null) throw new RangeError('a game without end needs a number of rounds');
  return longest !== null && (rounds === null || rounds >= copies * longest) ? null : rounds;
}

/**
 * The control function L of a game: the most that an adversary can make of a conversation, measured by a criterion, given
 * the messages and answers so far. It is computed backwards from the end of the conversation,
 *
 *     L(h) = max over messages q of the sum over answers a of L(h, q, a),
 *
 * over all adaptive adversaries that keep to the verification function. As the value is homogeneous in the probabilities
 * of the histories, those are merged that leave the same beliefs about the hidden states and the same ratio of
 * probabilities; and so are those in which the copies have changed places.
 *
 * `bit` says which of the two views stands first: 0 for that under the secret bit 0.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 10.2, 10.3 and Cor 10.7; for several copies derived: they are independent given
 * the secret bit, so the beliefs about each and the ratio of the probabilities of all answers are what matters. It does not
 * help to create them later than at the start.
 */
export class ControlFunction<V> {
  readonly #game: Game;
  readonly #criterion: Criterion<V>;
  readonly #bit: 0 | 1;
  readonly #states: CopyStates;
  #left: number;
  readonly #rounds: number | null;
  readonly #known = new Map<string, V>();

  constructor(game: Game, criterion: Criterion<V>, bit: 0 | 1, most = MOST_ANSWERS) {
    this.#game = game;
    this.#criterion = criterion;
    this.#bit = bit;
    this.#left = most;
    this.#states = new CopyStates(game.mechanism, game.verification, game.sparsity < game.copies);
    this.#rounds = roundsThatMatter(game);
  }

  /** L of the empty history. */
  start(): V | typeof TOO_LARGE {
    return this.after([]);
  }

  /** L of a history; 0 where it is impossible, or not allowed. */
  after(history: readonly Exchange[]): V | typeof TOO_LARGE {
    const states = Array<number>(this.#game.copies).fill(this.#states.start);
    let copies = many(this.#states.start, this.#game.copies);
    let [p, q] = [Rational.ONE, Rational.ONE];
    let spare = this.#game.sparsity;
    for (const { copy, pair, answer } of history) {
      const state = states[copy]!;
      const move = this.#states.moves(state).find((each) => each.pair[0] === pair[0] && each.pair[1] === pair[1]);
      const answered = move?.answers.find((each) => each.answer === answer);
      if (move === undefined || answered === undefined) return this.#criterion.zero;
      if (move.differs && !this.#states.differed(state)) spare--;
      if (spare < 0) return this.#criterion.zero;
      copies = replaced(copies, state, answered.next);
      states[copy] = answered.next;
      [p, q] = [p.times(answered.chances[this.#bit]), q.times(answered.chances[this.#bit === 0 ? 1 : 0])];
    }
    const rounds = this.#rounds === null ? null : this.#rounds - history.length;
    try {
      return this.#value(copies, spare, rounds, p, q);
    } catch (error) {
      if (error instanceof TooLarge) return TOO_LARGE;
      throw error;
    }
  }

  #value(copies: Multiset, spare: number, rounds: number | null, p: Rational, q: Rational): V {
    if (p.isZero() || q.isZero() || (rounds !== null && rounds <= 0)) return this.#criterion.stop(p, q);
    const ratio = p.over(q);
    const key = `${copies.join(' ')};${spare};${rounds ?? ''};${ratio.toString()}`;
    let value = this.#known.get(key);
    if (value === undefined) {
      value = this.#best(copies, spare, rounds, ratio);
      this.#known.set(key, value);
    }
    return this.#criterion.scale(value, q);
  }

  /** The value where the views have the probabilities `ratio` and 1. */
  #best(copies: Multiset, spare: number, rounds: number | null, ratio: Rational): V {
    const criterion = this.#criterion;
    let best = criterion.stop(ratio, Rational.ONE);
    const next = rounds === null ? null : rounds - 1;
    for (let at = 0; at < copies.length; at += 2) {
      const state = copies[at]!;
      for (const move of this.#states.moves(state)) {
        const left = move.differs && !this.#states.differed(state) ? spare - 1 : spare;
        if (left < 0) continue;
        let sum = criterion.zero;
        for (const { chances, next: after } of move.answers) {
          if (--this.#left < 0) throw new TooLarge();
          const [p, q] = [chances[this.#bit], chances[this.#bit === 0 ? 1 : 0]];
          sum = criterion.add(sum, this.#value(replaced(copies, state, after), left, next, ratio.times(p), q));
        }
        best = criterion.larger(best, sum);
      }
    }
    return best;
  }
}
