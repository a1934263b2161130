import type { Rational } from '../../../src/numeric/rational.ts';

/** One of the reactions of a mechanism to a message: answer, and go to a state. */
export interface Outcome {
  readonly answer: string;
  readonly to: string;
  readonly probability: Rational;
}

/** One outcome of a state, for each of several messages. */
export interface Transition extends Outcome {
  readonly from: string;
  readonly messages: readonly string[];
}

/** A mechanism as it is written down. */
export interface MechanismDescription {
  readonly start: string;
  readonly transitions: readonly Transition[];
}

/**
 * A continual mechanism with finitely many states, messages and answers: a randomized function from a state and a
 * message to a state and an answer, with exact probabilities and one initial state.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 2.6 and 3.1.
 */
export class FiniteMechanism {
  readonly start: string;
  readonly #laws = new Map<string, Map<string, Outcome[]>>();
  readonly #messages = new Set<string>();

  constructor({ start, transitions }: MechanismDescription) {
    this.start = start;
    for (const { from, messages, answer, to, probability } of transitions) {
      let laws = this.#laws.get(from);
      if (laws === undefined) this.#laws.set(from, (laws = new Map<string, Outcome[]>()));
      for (const message of messages) {
        this.#messages.add(message);
        const law = laws.get(message) ?? [];
        law.push({ answer, to, probability });
        laws.set(message, law);
      }
    }
  }

  /** Whether the message is in the query space. */
  knows(message: string): boolean {
    return this.#messages.has(message);
  }

  /** The outcomes of a message; none where that is not described. */
  law(state: string, message: string): readonly Outcome[] {
    return this.#laws.get(state)?.get(message) ?? [];
  }
}
