import type { RandomSource } from '../../../numeric/random.ts';
import type { FiniteMechanism } from './finite-mechanism.ts';
import type { Guarantee } from './guarantee.ts';
import { HALT, type Halt, type Interactive } from './interactive.ts';
import type { PairVerification } from './pair-verification.ts';
import { MechanismRunner } from './run-mechanism.ts';

/** Asks for a mechanism, and asserts what it guarantees with respect to a verification function. */
export interface Creation {
  readonly kind: 'creation';
  readonly mechanism: FiniteMechanism;
  readonly guarantee: Guarantee;
  readonly verification: PairVerification;
}

/** A message for the mechanism that was created as number `index`, from 1. */
export interface IndexedQuery {
  readonly kind: 'query';
  readonly message: string;
  readonly index: number;
}

export type ExtConCompQuery = Creation | IndexedQuery;

/** A message of an adversary to the composition: one element for each value of the secret bit. */
export type QueryPair = readonly [ExtConCompQuery, ExtConCompQuery];

/** The answer to a creation query. */
export const CREATED = 'T';

/**
 * ExtConComp: creates mechanisms, and forwards messages to those it has created.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 4.1.
 */
export class ExtConComp implements Interactive<ExtConCompQuery, string> {
  readonly #source: RandomSource;
  readonly #runners = new Map<FiniteMechanism, MechanismRunner>();
  readonly #created: MechanismRunner[] = [];
  readonly #states: string[] = [];

  constructor(source: RandomSource) {
    this.#source = source;
  }

  #create(mechanism: FiniteMechanism): void {
    let runner = this.#runners.get(mechanism);
    if (runner === undefined) {
      runner = new MechanismRunner(mechanism, this.#source);
      this.#runners.set(mechanism, runner);
    }
    this.#created.push(runner);
    this.#states.push(mechanism.start);
  }

  answer(query: ExtConCompQuery): string | Halt {
    if (query.kind === 'creation') {
      this.#create(query.mechanism);
      return CREATED;
    }
    const at = query.index - 1;
    const outcome = this.#created[at]?.step(this.#states[at]!, query.message);
    if (outcome === null || outcome === undefined) return HALT;
    this.#states[at] = outcome.to;
    return outcome.answer;
  }
}
