import { midpoint } from '../../numeric/enclosure.ts';
import { approximateDelta, type NearLambda } from '../accounting/approximate-accounting.ts';
import type { ExpertsProblem } from '../core/named-setting.ts';
import { transitions } from '../core/setting.ts';
import { squaredBatches } from '../core/batches.ts';
import { lastBelow, leastOnLogScale, type Found } from './search.ts';

/** The class of mechanisms as which every resampling is treated. */
export type Kind = 'randomized-response' | 'bounded-range';

/** Whether x is compared with y, and the chance that is free is p, that of a fake switch; or there is no y, and it is c. */
export type Transform = 'with-y' | 'without-y';

/** Where p, and c, are searched. */
const CHANCES: Readonly<Record<Transform, readonly [from: number, to: number]>> = {
  'with-y': [1e-6, 0.9],
  'without-y': [1e-7, 30],
};
const SECTIONS = 12;

/** eta is searched down to this share of what would be best without privacy, at first from one share to the next. */
export const SMALLEST_SHARE = 1e-9;
const SHARE = 0.5;

/** How close the search comes to the largest private eta, relatively, and how far below the target delta it stays. */
const PRECISION = 1e-4;
const CAUTION = 1e-6;

/** The safe regret and the largest eta that is private enough, in doubles. */
export class ExpertsLandscape {
  readonly #problem: ExpertsProblem;
  readonly #kind: Kind;
  readonly #transform: Transform;
  readonly #log: number;
  readonly #epsilon: number;
  readonly #most: number;
  readonly #near: NearLambda = { at: 1 };

  constructor(problem: ExpertsProblem, kind: Kind, transform: Transform) {
    this.#problem = problem;
    this.#kind = kind;
    this.#transform = transform;
    this.#log = Math.log(problem.experts);
    this.#epsilon = problem.epsilon.toNumber();
    this.#most = problem.delta.toNumber() * (1 - CAUTION);
  }

  #squares(batch: number): number {
    return midpoint(squaredBatches({ rounds: this.#problem.rounds, batch }));
  }

  /** The eta with the least safe regret, were there no privacy. */
  free(batch: number): number {
    return Math.sqrt((8 * this.#log) / this.#squares(batch));
  }

  /** ln of how far delta is above what is asked for. */
  #excess(batch: number, chance: number, eta: number): number {
    const run = {
      transitions: transitions({ rounds: this.#problem.rounds, batch }),
      step: { kind: this.#kind, epsilon: 2 * eta },
      ...(this.#transform === 'with-y'
        ? { fakeSwitch: chance, logMost: -batch * eta, logLeast: -3 * batch * eta, change: 2 * eta }
        : { fakeSwitch: 0, logMost: -chance, logLeast: -chance - batch * eta, change: eta }),
    };
    return Math.log(approximateDelta(run, this.#epsilon, this.#near) / this.#most);
  }

  /** The largest eta found that is private enough, up to the best one without privacy; null where none is. */
  eta(batch: number, chance: number): number | null {
    const excess = (eta: number): number => this.#excess(batch, chance, eta);
    const free = this.free(batch);
    if (excess(free) <= 0) return free;
    for (let to = free; to > SMALLEST_SHARE * free; to *= SHARE) {
      const found = lastBelow(excess, to * SHARE, to, PRECISION);
      if (found !== null) return found;
    }
    return null;
  }

  #hedge(batch: number, chance: number): number {
    const eta = this.eta(batch, chance);
    return eta === null ? Infinity : this.#log / eta + (eta * this.#squares(batch)) / 8;
  }

  #cut(batch: number, regret: number): number {
    const { rounds, experts } = this.#problem;
    return regret === Infinity ? Infinity : Math.min(regret, rounds - batch / experts);
  }

  regret(batch: number, chance: number): number {
    return this.#cut(batch, this.#hedge(batch, chance));
  }

  /** The best p or c for a batch, where any may have a regret below `known`: without privacy it is twice ln(d) over eta. */
  best(batch: number, known: number): Found {
    const [from, to] = CHANCES[this.#transform];
    const least = this.#cut(batch, (2 * this.#log) / this.free(batch));
    if (least >= known) return { at: from, value: least };
    const { at, value } = leastOnLogScale((chance) => this.#hedge(batch, chance), from, to, SECTIONS);
    return { at, value: this.#cut(batch, value) };
  }
}
