import { Rational } from '../../../src/numeric/rational.ts';
import type { FiniteMechanism } from './finite-mechanism.ts';
import { differs, type Pair, type PairVerification } from './pair-verification.ts';

/** With which probability a mechanism is in which state, given the answers so far; null where they cannot be. */
type Belief = ReadonlyMap<string, Rational> | null;

/** One value for each value of the secret bit. */
export type PerBit<T> = readonly [T, T];

/** All that matters of what one mechanism was asked and has answered. */
interface CopyState {
  readonly stage: string;
  readonly beliefs: PerBit<Belief>;
  /** Whether a pair of different messages was sent. */
  readonly differed: boolean;
}

/** An answer, its probability given the answers so far, and the number of the state after it. */
export interface Answered {
  readonly answer: string;
  readonly chances: PerBit<Rational>;
  readonly next: number;
}

/** A pair that may be sent, and what may come back. */
export interface Move {
  readonly pair: Pair;
  readonly differs: boolean;
  readonly answers: readonly Answered[];
}

const keyOf = ({ stage, beliefs, differed }: CopyState): string => {
  const texts = beliefs.map(
    (belief) => belief && [...belief].map(([state, chance]) => [state, chance.toString()]).sort(),
  );
  return JSON.stringify([stage, differed, texts]);
};

/** For each answer the probability of it together with each state after it. */
function answersTo(belief: Belief, message: string, mechanism: FiniteMechanism): Map<string, Map<string, Rational>> {
  const joint = new Map<string, Map<string, Rational>>();
  for (const [state, chance] of belief ?? []) {
    for (const { answer, to, probability } of mechanism.law(state, message)) {
      if (probability.isZero()) continue;
      const states = joint.get(answer) ?? new Map<string, Rational>();
      states.set(to, (states.get(to) ?? Rational.ZERO).plus(chance.times(probability)));
      joint.set(answer, states);
    }
  }
  return joint;
}

/** The probability of an answer, and what is believed after it. */
function conditioned(states: ReadonlyMap<string, Rational> | undefined): { chance: Rational; belief: Belief } {
  if (states === undefined) return { chance: Rational.ZERO, belief: null };
  let chance = Rational.ZERO;
  for (const each of states.values()) chance = chance.plus(each);
  return { chance, belief: new Map([...states].map(([state, each]) => [state, each.over(chance)])) };
}

/**
 * The states of one copy of a mechanism after questions and answers, as far as they matter for what follows: the stage
 * of the verification function, and for each value of the secret bit the law of the hidden state. Every such state has
 * a number.
 */
export class CopyStates {
  readonly #mechanism: FiniteMechanism;
  readonly #verification: PairVerification;
  readonly #numbers = new Map<string, number>();
  readonly #states: CopyState[] = [];
  readonly #moves: (readonly Move[] | undefined)[] = [];
  /** The number of the state before any message. */
  readonly start: number;
  readonly #tracks: boolean;

  /** `tracks`: whether it matters that different messages were sent. */
  constructor(mechanism: FiniteMechanism, verification: PairVerification, tracks: boolean) {
    this.#mechanism = mechanism;
    this.#verification = verification;
    this.#tracks = tracks;
    const belief = new Map([[mechanism.start, Rational.ONE]]);
    this.start = this.#numberOf({ stage: verification.start, beliefs: [belief, belief], differed: !tracks });
  }

  #numberOf(state: CopyState): number {
    const key = keyOf(state);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#states.push(state) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** Whether different messages were sent; true where that does not matter. */
  differed(number: number): boolean {
    return this.#states[number]!.differed;
  }

  /** Pairs that may be sent in a state, and what may come back. */
  moves(number: number): readonly Move[] {
    return (this.#moves[number] ??= this.#movesOf(this.#states[number]!));
  }

  #movesOf({ stage, beliefs, differed }: CopyState): Move[] {
    return this.#verification.steps(stage).map(({ pair, to }): Move => {
      const [zero, one] = [0, 1].map((bit) => answersTo(beliefs[bit]!, pair[bit]!, this.#mechanism)) as [
        ReturnType<typeof answersTo>,
        ReturnType<typeof answersTo>,
      ];
      const different = differs(pair);
      const answers = [...new Set([...zero.keys(), ...one.keys()])].map((answer): Answered => {
        const [a, b] = [conditioned(zero.get(answer)), conditioned(one.get(answer))];
        const next = this.#numberOf({
          stage: to,
          beliefs: [a.belief, b.belief],
          differed: differed || (this.#tracks && different),
        });
        return { answer, chances: [a.chance, b.chance], next };
      });
      return { pair, differs: different, answers };
    });
  }
}
