import { midpoint } from '../../numeric/enclosure.ts';
import { approximateDelta } from '../accounting/approximate-accounting.ts';
import type { Nearby } from '../accounting/approximate-moments.ts';
import type { ExpertsProblem } from '../core/named-setting.ts';
import { transitions } from '../core/setting.ts';
import { squaredBatches } from '../core/batches.ts';
import { lastBelow, lastBelowNear, leastOnLogScale, type Found } from './search.ts';

/** The class of mechanisms as which every resampling is treated. */
export type Kind = 'randomized-response' | 'bounded-range';

/** Where c is searched. */
const RATES = [1e-7, 30] as const;
const SECTIONS = 12;

/** x is sampled anew in every batch from here on, which may be best where no smaller c is good. */
const ALWAYS = 100;

/** eta is searched down to this share of what would be best without privacy, at first from one share to the next. */
export const SMALLEST_SHARE = 1e-9;
const SHARE = 0.5;

/** What is private enough with the same c and another batch, or with another one, is so within this factor, mostly. */
const NEAR = 1.3;

/** How close the search comes to the largest private eta, relatively, and how far below the target delta it stays. */
const PRECISION = 1e-4;
const CAUTION = 1e-6;

/** The safe regret of L2P without y and the largest eta that is private enough, in doubles. */
export class ExpertsLandscape {
  readonly #problem: ExpertsProblem;
  readonly #kind: Kind;
  readonly #log: number;
  readonly #epsilon: number;
  readonly #most: number;
  readonly #near: Nearby = { lambda: 1, tilt: 1 };
  /** The eta that was found last, and for each c. */
  readonly #found = new Map<number, number>();
  #last: number | null = null;

  constructor(problem: ExpertsProblem, kind: Kind) {
    this.#problem = problem;
    this.#kind = kind;
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
  #excess(batch: number, rate: number, eta: number): number {
    const run = {
      transitions: transitions({ rounds: this.#problem.rounds, batch }),
      step: { kind: this.#kind, epsilon: 2 * eta },
      fakeSwitch: 0,
      logMost: -rate,
      logLeast: -rate - batch * eta,
      change: eta,
    };
    return Math.log(approximateDelta(run, this.#epsilon, this.#near) / this.#most);
  }

  /** The largest eta found that is private enough, up to the best one without privacy; null where none is. */
  eta(batch: number, rate: number): number | null {
    const found = this.#largest(batch, rate, this.#found.get(rate) ?? this.#last);
    if (found !== null) {
      this.#found.set(rate, found);
      this.#last = found;
    }
    return found;
  }

  #largest(batch: number, rate: number, near: number | null): number | null {
    const excess = (eta: number): number => this.#excess(batch, rate, eta);
    const free = this.free(batch);
    const there =
      near !== null && near < NEAR * free ? lastBelowNear(excess, { near, factor: NEAR, most: free }, PRECISION) : null;
    if (there !== null) return there;
    if (excess(free) <= 0) return free;
    for (let to = free; to > SMALLEST_SHARE * free; to *= SHARE) {
      const found = lastBelow(excess, to * SHARE, to, PRECISION);
      if (found !== null) return found;
    }
    return null;
  }

  #hedge(batch: number, rate: number): number {
    const eta = this.eta(batch, rate);
    return eta === null ? Infinity : this.#log / eta + (eta * this.#squares(batch)) / 8;
  }

  #cut(batch: number, regret: number): number {
    const { rounds, experts } = this.#problem;
    return regret === Infinity ? Infinity : Math.min(regret, rounds - batch / experts);
  }

  regret(batch: number, rate: number): number {
    return this.#cut(batch, this.#hedge(batch, rate));
  }

  /** The best c for a batch, where any may have a regret below `known`: without privacy it is twice ln(d) over eta. */
  best(batch: number, known: number): Found {
    const [from, to] = RATES;
    const least = this.#cut(batch, (2 * this.#log) / this.free(batch));
    if (least >= known) return { at: from, value: least };
    const lazy = leastOnLogScale((rate) => this.#hedge(batch, rate), from, to, SECTIONS);
    const always = this.#hedge(batch, ALWAYS);
    const { at, value } = always < lazy.value ? { at: ALWAYS, value: always } : lazy;
    return { at, value: this.#cut(batch, value) };
  }
}
