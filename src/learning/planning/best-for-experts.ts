import { Decimal, ZERO, roundedDown } from '../../numeric/decimal.ts';
import { midpoint } from '../../numeric/enclosure.ts';
import { exactAccounting } from '../accounting/accounting.ts';
import { approximateDelta } from '../accounting/approximate-accounting.ts';
import type { Nearby } from '../accounting/approximate-moments.ts';
import {
  shareOf,
  squaredBatches,
  transitions,
  type ExpertsProblem,
  type MultiplicativeWeights,
  type WithoutY,
} from '../core/setting.ts';
import {
  gridIndexBelow,
  gridOfBatches,
  gridValue,
  halfAndTwice,
  lastAllowed,
  lastBelow,
  lastBelowNear,
  leastOnLogScale,
  leastWhole,
  type Change,
  type Chosen,
  type Found,
  type Limit,
} from './search.ts';

/** The class of mechanisms as which every resampling is treated. */
type Kind = 'randomized-response' | 'bounded-range';

/** Where c is searched. */
const RATES = [1e-7, 30] as const;
const SECTIONS = 12;

/** x is sampled anew in every batch from here on, which may be best where no smaller c is good. */
const ALWAYS = 100;

/** eta is searched down to this share of what would be best without privacy, at first from one share to the next. */
const SMALLEST_SHARE = 1e-9;
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
  readonly #etas = new Map<number, number>();
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
    const eta = this.#largest(batch, rate, this.#etas.get(rate) ?? this.#last);
    if (eta !== null) {
      this.#etas.set(rate, eta);
      this.#last = eta;
    }
    return eta;
  }

  #largest(batch: number, rate: number, near: number | null): number | null {
    const excess = (eta: number): number => this.#excess(batch, rate, eta);
    const free = this.free(batch);
    const there =
      near !== null && near < NEAR * free
        ? lastBelowNear(excess, { near, factor: NEAR, limit: free }, PRECISION)
        : null;
    if (there !== null) return there;
    if (excess(free) <= 0) return free;
    for (let to = free; to > SMALLEST_SHARE * free; to *= SHARE) {
      const root = lastBelow(excess, to * SHARE, to, PRECISION);
      if (root !== null) return root;
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

  /** The best c for a batch, where any may have a regret below `regretBound`: without privacy it is twice ln(d) over eta. */
  best(batch: number, regretBound: number): Found {
    const [from, to] = RATES;
    const lowerRegret = this.#cut(batch, (2 * this.#log) / this.free(batch));
    if (lowerRegret >= regretBound) return { at: from, value: lowerRegret };
    const lazy = leastOnLogScale((rate) => this.#hedge(batch, rate), from, to, SECTIONS);
    const always = this.#hedge(batch, ALWAYS);
    const { at, value } = always < lazy.value ? { at: ALWAYS, value: always } : lazy;
    return { at, value: this.#cut(batch, value) };
  }
}

/** Digits of c that is found. */
const DIGITS = 4;

const MULTIPLICATIVE: MultiplicativeWeights = { type: 'multiplicative-weights' };

/** A batch, and c. */
interface Place {
  readonly batch: number;
  readonly switchRate: Decimal;
}

/** The best batch and c. */
function bestPlace(landscape: ExpertsLandscape, rounds: number): Place {
  let bestRegret = Infinity;
  const regret = (batch: number): number => {
    const { value } = landscape.best(batch, bestRegret);
    bestRegret = Math.min(bestRegret, value);
    return value;
  };
  const { at: batch } = leastWhole(regret, gridOfBatches(rounds, 16, 1.25));
  return { batch, switchRate: roundedDown(landscape.best(batch, Infinity).at, DIGITS) };
}

/** Whether exact accounting of this kind certainly allows the eta with a number on the grid. */
export const allowedAt =
  ({ rounds, epsilon, delta }: ExpertsProblem, kind: Kind, place: Pick<WithoutY, 'batch' | 'switchRate'>) =>
  (index: number): boolean => {
    const eta = gridValue(index);
    const guarantee = { kind, epsilon: eta.times(2) } as const;
    const curve = exactAccounting({ rounds, ...place, eta }, MULTIPLICATIVE, guarantee, 'upper');
    return delta.gte(curve.delta(epsilon).upper);
  };

/** An eta of four digits, not beyond what is best for the regret, that is certainly private enough while the next is not. */
function certified(
  problem: ExpertsProblem,
  kind: Kind,
  place: Place,
  landscape: ExpertsLandscape,
): { readonly eta: Decimal; readonly limit: Limit } | null {
  const { batch, switchRate } = place;
  const free = landscape.free(batch);
  const start = landscape.eta(batch, switchRate.toNumber()) ?? free * SMALLEST_SHARE;
  const [last, firstIndex] = [gridIndexBelow(free), gridIndexBelow(free * SMALLEST_SHARE)];
  const index = lastAllowed(allowedAt(problem, kind, place), gridIndexBelow(start), firstIndex, last);
  if (index === null) return null;
  const limit: Limit =
    index === last
      ? { by: 'regret', parameter: 'eta' }
      : { by: 'privacy', parameter: 'eta', next: gridValue(index + 1) };
  return { eta: gridValue(index), limit };
}

/** About the safe regret with twice and half the batch, and with another c. */
function alternatives(landscape: ExpertsLandscape, rounds: number, { batch, switchRate }: Place): Change[] {
  const rate = switchRate.toNumber();
  return [
    ...halfAndTwice(batch, rounds).map((value) => ({
      parameter: 'batch' as const,
      value,
      regret: landscape.regret(value, rate),
    })),
    ...(batch === rounds ? [] : [rate / 4, 4 * rate]).map((value) => ({
      parameter: 'switchRate' as const,
      value,
      regret: landscape.regret(batch, value),
    })),
  ];
}

/**
 * Parameters of L2P without y with multiplicative weights of little safe regret (see safeRegretOfExperts) that are (epsilon,
 * delta)-differentially private by exact accounting of this kind. With y the regret was larger, or the same, in each of 30 settings
 * that were searched.
 *
 * For each batch size (all up to 16, then growing by a quarter, and the least ones of up to 16 batches; then whole numbers
 * around the best) and c (golden sections), the largest private eta up to the best one without privacy, in
 * doubles. At the batch and c found eta is then solved for with exact accounting. Where nothing is private there, one
 * batch for all rounds, which is so with any eta. Always the same for the same question.
 */
export function bestForExperts(problem: ExpertsProblem, kind: Kind): Chosen<MultiplicativeWeights> {
  const { rounds, delta } = problem;
  const landscape = new ExpertsLandscape(problem, kind);
  const searched = bestPlace(landscape, rounds);
  const choice = searched.batch === rounds ? null : certified(problem, kind, searched, landscape);
  const place = choice === null ? { batch: rounds, switchRate: ZERO } : searched;
  const { eta, limit } = choice ?? {
    eta: gridValue(gridIndexBelow(landscape.free(rounds))),
    limit: { by: 'one-batch' } as const,
  };
  return {
    named: {
      id: `without-y-${kind}`,
      setting: { rounds, eta, ...place },
      measure: MULTIPLICATIVE,
      printedBatch: new Decimal(place.batch),
      delta1: shareOf(delta, 2, rounds),
      delta0: ZERO,
    },
    limit,
    others: alternatives(landscape, rounds, place),
  };
}
