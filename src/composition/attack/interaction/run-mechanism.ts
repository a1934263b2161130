import type { RandomSource } from '../../../numeric/random.ts';
import { Sampler } from '../../../numeric/sampler.ts';
import type { FiniteMechanism, Outcome } from './finite-mechanism.ts';

interface Draw {
  readonly outcomes: readonly Outcome[];
  readonly sampler: Sampler;
}

/** Draws what a finite mechanism does, with exactly its probabilities. */
export class MechanismRunner {
  readonly mechanism: FiniteMechanism;
  readonly #source: RandomSource;
  readonly #draws = new Map<string, Map<string, Draw>>();

  constructor(mechanism: FiniteMechanism, source: RandomSource) {
    this.mechanism = mechanism;
    this.#source = source;
  }

  #drawOf(state: string, message: string): Draw | null {
    const known = this.#draws.get(state)?.get(message);
    if (known !== undefined) return known;
    const outcomes = this.mechanism.law(state, message);
    if (outcomes.length === 0) return null;
    const draw = { outcomes, sampler: new Sampler(outcomes.map(({ probability }) => probability)) };
    this.#draws.set(state, (this.#draws.get(state) ?? new Map<string, Draw>()).set(message, draw));
    return draw;
  }

  /** Draws the outcome of a message in a state; null where it has no law for that. */
  step(state: string, message: string): Outcome | null {
    const draw = this.#drawOf(state, message);
    return draw === null ? null : draw.outcomes[draw.sampler.draw(this.#source)]!;
  }
}
