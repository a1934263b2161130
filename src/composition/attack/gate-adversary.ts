import type { Creation, QueryPair } from './interaction/ext-con-comp.ts';
import type { Adversary } from './interaction/interactive.ts';
import { OPEN } from './m-delta.ts';

/** The creation of number `index`, from 1; null for no more. */
export type Creations = (index: number) => Creation | null;

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
    if (this.#sent === 'different pair') {
      this.guess = answer;
      return null;
    }
    if (this.#sent === 'creation') {
      this.#sent = 'equal pair';
      return this.#ask('0', '0');
    }
    if (answer === OPEN) {
      this.#sent = 'different pair';
      return this.#ask('0', '1');
    }
    const creation = this.#creations(++this.#index);
    this.#sent = 'creation';
    return creation && [creation, creation];
  }

  #ask(zero: string, one: string): QueryPair {
    const index = this.#index;
    return [
      { kind: 'query', message: zero, index },
      { kind: 'query', message: one, index },
    ];
  }
}
