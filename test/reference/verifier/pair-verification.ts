import { once } from '../../../src/composition/core/collections.ts';
import type { FiniteMechanism } from './finite-mechanism.ts';
import { reachable } from './reachable.ts';

/** A message of an adversary to one mechanism: the first element reaches it if the secret bit is 0, the second if it is 1. */
export type Pair = readonly [string, string];

/** Pairs that are allowed at a stage, and the stage after them. */
export interface AllowedPairs {
  readonly from: string;
  readonly pairs: readonly Pair[];
  readonly to: string;
}

/** A verification function as it is written down. */
export interface VerificationDescription {
  readonly start: string;
  readonly allows: readonly AllowedPairs[];
}

/** A pair that may be sent now, and the stage after it. */
export interface Step {
  readonly pair: Pair;
  readonly to: string;
}

/** A message that a mechanism may receive and has no law for. */
export interface Unanswered {
  readonly stage: string;
  readonly state: string;
  readonly message: string;
}

/** Whether the mechanism receives something else under the one secret bit than under the other. */
export const differs = ([zero, one]: Pair): boolean => zero !== one;

/** The value of a key, made where there is none. */
function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/**
 * A verification function on sequences of pairs, as a finite automaton: a sequence is valid if each of its pairs is
 * allowed at the stage that the pairs before it lead to. A verifier halts at the first pair that is not, so nothing is lost
 * by asking that every beginning of a valid sequence is valid.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 3.3 and 3.5.
 */
export class PairVerification {
  readonly start: string;
  readonly #steps = new Map<string, Step[]>();
  readonly #after = new Map<string, Map<string, Map<string, string>>>();

  constructor({ start, allows }: VerificationDescription) {
    this.start = start;
    for (const { from, pairs, to } of allows) {
      const steps = entry(this.#steps, from, () => []);
      const after = entry(this.#after, from, () => new Map<string, Map<string, string>>());
      for (const pair of pairs) {
        steps.push({ pair, to });
        entry(after, pair[0], () => new Map<string, string>()).set(pair[1], to);
      }
    }
  }

  /** The pairs that may be sent at a stage. */
  steps(stage: string): readonly Step[] {
    return this.#steps.get(stage) ?? [];
  }

  /** The stage after a pair; null where it is not allowed. */
  after(stage: string, [zero, one]: Pair): string | null {
    return this.#after.get(stage)?.get(zero)?.get(one) ?? null;
  }

  /** The length of the longest valid sequence; null where there is none that is longest. */
  longest(): number | null {
    const from: (stage: string) => number | null = once(
      (stage) => {
        const rests = this.steps(stage).map(({ to }) => from(to));
        return rests.reduce<number | null>(
          (most, rest) => (most === null || rest === null ? null : Math.max(most, rest + 1)),
          0,
        );
      },
      () => null,
    );
    return from(this.start);
  }

  /** Messages that may reach a mechanism in a state in which it has no law for them; each with the stage it is sent at. */
  unanswered(mechanism: FiniteMechanism): Unanswered[] {
    const found = [0, 1].flatMap((bit) => {
      const places = reachable(
        [{ stage: this.start, state: mechanism.start }],
        ({ stage, state }) =>
          this.steps(stage).flatMap(({ pair, to }) =>
            mechanism.law(state, pair[bit]!).map((outcome) => ({ stage: to, state: outcome.to })),
          ),
        ({ stage, state }) => JSON.stringify([stage, state]),
      );
      return places.flatMap(({ stage, state }) =>
        this.steps(stage)
          .map(({ pair }) => pair[bit]!)
          .filter((message) => mechanism.law(state, message).length === 0)
          .map((message) => ({ stage, state, message })),
      );
    });
    return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
  }
}
