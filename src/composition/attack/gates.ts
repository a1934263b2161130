import { RationalCoin } from '../../numeric/exact-coin.ts';
import { bit, Xoshiro, type RandomSource } from '../../numeric/random.ts';
import { Rational } from '../../numeric/rational.ts';
import {
  converse,
  HALT,
  Identifier,
  rateOf,
  Verifier,
  type Adversary,
  type Halt,
  type Interactive,
  type Rate,
  type Repetition,
  type Verification,
} from './conversation.ts';

/** The answers of a gate that say nothing of its input. */
const CLOSED = 'T';
const OPEN = 'BOT';

const isBit = (message: string): boolean => message === '0' || message === '1';

/**
 * A gate: closed, it opens on any bit with probability `opens` and says whether it did; open, it answers a bit with that
 * bit with probability `truth`, and with the other one otherwise. M_delta is the gate that opens with probability delta and
 * always tells the truth.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), proof of Thm 5.2, step 2, with `truth` 1; proof of Thm 13.5 with another.
 */
export class Gate {
  readonly opens: Rational;
  readonly truth: Rational;
  readonly #closed: RationalCoin;
  readonly #true: RationalCoin;

  constructor(opens: Rational, truth: Rational = Rational.ONE) {
    this.opens = opens;
    this.truth = truth;
    this.#closed = new RationalCoin(Rational.ONE.minus(opens));
    this.#true = new RationalCoin(truth);
  }

  /**
   * The smallest delta of the gate at epsilon 0 against adversaries who send it at most two pairs of bits, of which at most
   * one differs: opens (2 truth - 1). A closed gate answers the same whatever the bit, so the pair that differs tells something
   * only where the gate has opened before.
   *
   * Source: derived.
   */
  get delta(): Rational {
    return this.opens.times(this.truth.plus(this.truth).minus(Rational.ONE));
  }

  /** Draws, with exactly its probabilities, what the gate answers to a bit. */
  answer(isOpen: boolean, message: string, source: RandomSource): string {
    if (!isOpen) return this.#closed.toss(source) ? CLOSED : OPEN;
    return this.#true.toss(source) ? message : String(1 - Number(message));
  }
}

/** A message for the gate that was created as number `index`, from 1. */
export interface IndexedQuery {
  readonly message: string;
  readonly index: number;
}

/** A message to the composition: asks for a gate, or is for one. */
export type GateQuery = Gate | IndexedQuery;

/** A message of an adversary to the composition: one element for each value of the secret bit. */
export type QueryPair = readonly [GateQuery, GateQuery];

/** The answer to a creation query. */
const CREATED = 'T';

/**
 * ExtConComp: creates gates, and forwards messages to those it has created.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 4.1.
 */
export class ExtConComp implements Interactive<GateQuery, string> {
  readonly #source: RandomSource;
  readonly #created: { readonly gate: Gate; isOpen: boolean }[] = [];

  constructor(source: RandomSource) {
    this.#source = source;
  }

  answer(query: GateQuery): string | Halt {
    if (query instanceof Gate) {
      this.#created.push({ gate: query, isOpen: false });
      return CREATED;
    }
    const created = this.#created[query.index - 1];
    if (created === undefined || !isBit(query.message)) return HALT;
    const answer = created.gate.answer(created.isOpen, query.message, this.#source);
    created.isOpen ||= answer === OPEN;
    return answer;
  }
}

/**
 * Concurrent 1-sparse parallel composition of gates that have one guarantee: any number may be created, and one of them may
 * receive different bits. Each receives at most two pairs of bits, of which at most one differs (the function g of Thm 5.2),
 * and messages are suitable, as every concurrent composition asks; `keeps` tells whether a gate has the guarantee that is
 * asserted of it (condition iv).
 *
 * Def 4.5 asks that both messages (i) create the same gate, or ask the same one, (ii) that was created, (iii) in its words, (iv) that
 * it has its guarantee, and (v) that it receives a valid sequence.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 4.5 and 5.1; proof of Thm 5.2, step 1.
 */
export function oneSparseParallel(keeps: (gate: Gate) => boolean): Verification<QueryPair> {
  const created: { pairs: number; differed: boolean }[] = [];
  return ([zero, one]) => {
    if (zero instanceof Gate || one instanceof Gate) {
      if (!(zero instanceof Gate && one instanceof Gate)) return 'Def 4.5 (i)';
      if (zero !== one) return 'Def 4.5 (i)';
      if (!keeps(zero)) return 'Def 4.5 (iv)';
      created.push({ pairs: 0, differed: false });
      return null;
    }
    if (one.index !== zero.index) return 'Def 4.5 (i)';
    const instance = created[zero.index - 1];
    if (instance === undefined) return 'Def 4.5 (ii)';
    if (!isBit(zero.message) || !isBit(one.message)) return 'Def 4.5 (iii)';
    const differs = zero.message !== one.message;
    if (++instance.pairs > 2 || (differs && instance.differed)) return 'Def 4.5 (v)';
    if (!differs) return null;
    if (created.some(({ differed }) => differed)) return 'Def 5.1 (ii)';
    instance.differed = true;
    return null;
  };
}

/** The gate that is created as number `index`, from 1; null for no more. */
export type Creations = (index: number) => Gate | null;

/**
 * The adversary A_delta: it creates a gate and asks it (0, 0), until one opens; to that one it sends (0, 1), and takes the
 * answer for the secret bit. Different messages go to one gate only, and only to one that is open.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), proof of Thm 5.2, step 3; proof of Thm 13.5.
 */
export class GateAdversary implements Adversary<QueryPair, string> {
  readonly #creations: Creations;
  #index = 0;
  #sent: 'creation' | 'equal pair' | 'different pair' = 'equal pair';
  /** Its guess of the secret bit; null where no gate has opened. */
  guess: string | null = null;

  constructor(creations: Creations) {
    this.#creations = creations;
  }

  next(answer: string | null): QueryPair | null {
    const index = this.#index;
    if (this.#sent === 'different pair') {
      this.guess = answer;
      return null;
    }
    if (this.#sent === 'creation') {
      this.#sent = 'equal pair';
      const query = { message: '0', index };
      return [query, query];
    }
    if (answer === OPEN) {
      this.#sent = 'different pair';
      return [
        { message: '0', index },
        { message: '1', index },
      ];
    }
    const gate = this.#creations(++this.#index);
    this.#sent = 'creation';
    return gate && [gate, gate];
  }
}

/** The results of conversations with the adversary. */
export interface Simulated {
  readonly runs: number;
  readonly seed: number;
  /** How often a gate opened, so that the adversary guessed the secret bit. */
  readonly guessed: Rate;
  /** How many of these guesses were right. */
  readonly right: Rate;
  readonly messages: { readonly total: number; readonly most: number };
}

/**
 * Lets the adversary converse with V[f] o I(b) o ExtConComp, b a fair coin, again and again; `keeps` as in
 * {@link oneSparseParallel}.
 *
 * Nothing is left out: gates are created by messages, every message passes the verification function, and the identifier
 * keeps the secret bit. The same seed gives the same conversations.
 */
export function simulateGates(
  keeps: (gate: Gate) => boolean,
  creations: Creations,
  { runs, seed, progress }: Repetition,
): Simulated {
  const source = new Xoshiro(seed);
  let [guessed, right, total, most] = [0, 0, 0, 0];
  for (let run = 0; run < runs; run++) {
    progress?.(run / runs);
    const secret = bit(source);
    const adversary = new GateAdversary(creations);
    const verifier = new Verifier(oneSparseParallel(keeps), new Identifier(secret, new ExtConComp(source)));
    const sent = converse(adversary, verifier);
    if (verifier.violation !== null) throw new Error(`The adversary broke ${verifier.violation}.`);
    if (adversary.guess !== null) guessed++;
    if (adversary.guess === String(secret)) right++;
    total += sent;
    most = Math.max(most, sent);
  }
  return { runs, seed, guessed: rateOf(guessed, runs), right: rateOf(right, guessed), messages: { total, most } };
}
