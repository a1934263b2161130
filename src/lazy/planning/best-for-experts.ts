import { Decimal } from '../../numeric/decimal.ts';
import { midpoint } from '../../numeric/enclosure.ts';
import { exactAccounting } from '../accounting/accounting.ts';
import { approximateDelta } from '../accounting/approximate-accounting.ts';
import type { Alternative, Chosen, Limit } from './chosen.ts';
import { gridIndexBelow, gridValue, lastAllowed } from './digit-grid.ts';
import type { MultiplicativeWeights } from '../core/measure.ts';
import { shareOf, type ExpertsProblem } from '../core/named-setting.ts';
import { squaredBatches } from './regret.ts';
import { roundedDown } from '../core/rounded.ts';
import { gridOfBatches, halfAndTwice, lastBelow, leastOnLogScale, leastWhole, type Found } from './search.ts';
import { transitions } from '../core/setting.ts';

type Kind = 'randomized-response' | 'bounded-range';

/** Digits of the fake-switch probability that is found. */
const DIGITS = 4;

/** Fake switches are only made where they lower the safe regret by more than this share. */
export const WORTHWHILE = 0.01;

const SMALLEST_P = 1e-6;
const LARGEST_P = 0.9;
const SECTIONS = 12;

/** eta is searched down to this share of what would be best without privacy, at first from one share to the next. */
const SMALLEST_SHARE = 1e-9;
const SHARE = 0.5;

/** How close the search comes to the largest private eta, relatively, and how far below the target delta it stays. */
const PRECISION = 1e-4;
const CAUTION = 1e-6;

const MULTIPLICATIVE: MultiplicativeWeights = { type: 'multiplicative-weights' };

/** The safe regret and the largest eta that is private enough, in doubles. */
class Landscape {
  readonly #problem: ExpertsProblem;
  readonly #kind: Kind;
  readonly #log: number;
  readonly #epsilon: number;
  readonly #most: number;

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
  #excess(batch: number, fakeSwitch: number, eta: number): number {
    const run = {
      transitions: transitions({ rounds: this.#problem.rounds, batch }),
      fakeSwitch,
      logMost: -batch * eta,
      logLeast: -3 * batch * eta,
      change: 2 * eta,
      step: { kind: this.#kind, epsilon: 2 * eta },
    };
    return Math.log(approximateDelta(run, this.#epsilon) / this.#most);
  }

  /** The largest eta found that is private enough, up to the best one without privacy; null where none is. */
  eta(batch: number, fakeSwitch: number): number | null {
    const excess = (eta: number): number => this.#excess(batch, fakeSwitch, eta);
    const free = this.free(batch);
    if (excess(free) <= 0) return free;
    for (let to = free; to > SMALLEST_SHARE * free; to *= SHARE) {
      const found = lastBelow(excess, to * SHARE, to, PRECISION);
      if (found !== null) return found;
    }
    return null;
  }

  #hedge(batch: number, fakeSwitch: number): number {
    const eta = this.eta(batch, fakeSwitch);
    return eta === null ? Infinity : this.#log / eta + (eta * this.#squares(batch)) / 8;
  }

  #cut(batch: number, regret: number): number {
    const { rounds, experts } = this.#problem;
    return regret === Infinity ? Infinity : Math.min(regret, rounds - batch / experts);
  }

  regret(batch: number, fakeSwitch: number): number {
    return this.#cut(batch, this.#hedge(batch, fakeSwitch));
  }

  /** The best p for a batch, where any may have a regret below `known`: without privacy it is twice ln(d) over eta. */
  withFakes(batch: number, known: number): Found {
    const least = this.#cut(batch, (2 * this.#log) / this.free(batch));
    if (least >= known) return { at: SMALLEST_P, value: least };
    const { at, value } = leastOnLogScale((p) => this.#hedge(batch, p), SMALLEST_P, LARGEST_P, SECTIONS);
    return { at, value: this.#cut(batch, value) };
  }
}

interface Place {
  readonly batch: number;
  readonly fakeSwitch: Decimal;
  readonly regret: number;
}

/** The best batch and p; no fake switches where they are not worthwhile, at the best batch with or without them. */
function bestPlace(landscape: Landscape, rounds: number): Place {
  const grid = gridOfBatches(rounds, 16, 1.25);
  const plain = leastWhole((batch) => landscape.regret(batch, 0), grid);
  const faking = leastWhole((batch) => landscape.withFakes(batch, plain.value).value, grid);
  const without = [plain.at, faking.at]
    .map((batch): Place => ({ batch, fakeSwitch: new Decimal(0), regret: landscape.regret(batch, 0) }))
    .reduce((best, place) => (place.regret < best.regret ? place : best));
  if (without.regret <= faking.value * (1 + WORTHWHILE)) return without;
  const fakeSwitch = roundedDown(landscape.withFakes(faking.at, Infinity).at, DIGITS);
  return { batch: faking.at, fakeSwitch, regret: faking.value };
}

/** An eta of four digits, not beyond what is best for the regret, that is certainly private enough while the next is not. */
function certified(
  { rounds, epsilon, delta }: ExpertsProblem,
  kind: Kind,
  { batch, fakeSwitch }: Place,
  landscape: Landscape,
): { readonly eta: Decimal; readonly limit: Limit } | null {
  const allowed = (index: number): boolean => {
    const eta = gridValue(index);
    const guarantee = { kind, epsilon: eta.times(2) } as const;
    const curve = exactAccounting({ rounds, batch, eta, fakeSwitch }, MULTIPLICATIVE, guarantee, 'upper');
    return delta.gte(curve.delta(epsilon).upper);
  };
  const free = landscape.free(batch);
  const start = landscape.eta(batch, fakeSwitch.toNumber()) ?? free * SMALLEST_SHARE;
  const [last, least] = [gridIndexBelow(free), gridIndexBelow(free * SMALLEST_SHARE)];
  const found = lastAllowed(allowed, gridIndexBelow(start), least, last);
  if (found === null) return null;
  const limit: Limit =
    found === last
      ? { by: 'regret', parameter: 'eta' }
      : { by: 'privacy', parameter: 'eta', next: gridValue(found + 1) };
  return { eta: gridValue(found), limit };
}

/** About the safe regret with twice and half the batch, and with some fake switches. */
function alternatives(landscape: Landscape, rounds: number, { batch, fakeSwitch }: Place): Alternative[] {
  const p = fakeSwitch.toNumber();
  const fakes = p === 0 ? [0.001, 0.01] : [0, p / 4, Math.min(LARGEST_P, 4 * p)];
  return [
    ...halfAndTwice(batch, rounds).map((value) => ({
      parameter: 'batch' as const,
      value,
      regret: landscape.regret(value, p),
    })),
    ...(batch === rounds ? [] : fakes).map((value) => ({
      parameter: 'fakeSwitch' as const,
      value,
      regret: landscape.regret(batch, value),
    })),
  ];
}

/**
 * Parameters of L2P with multiplicative weights of little safe regret (see safeRegretOfExperts) that are (epsilon,
 * delta)-differentially private by exact accounting of this kind.
 *
 * For each batch size (all up to 16, then growing by a quarter, and the least ones of up to 16 batches; then whole numbers
 * around the best) and p (none, and golden sections) the largest private eta up to the best one without privacy, in
 * doubles. At the batch and p found eta is then solved for with exact accounting. Where nothing is private there, one
 * batch for all rounds, which is so with any eta. Always the same for the same question.
 */
export function bestForExperts(problem: ExpertsProblem, kind: Kind): Chosen<MultiplicativeWeights> {
  const { rounds, delta } = problem;
  const landscape = new Landscape(problem, kind);
  const searched = bestPlace(landscape, rounds);
  const single: Place = { batch: rounds, fakeSwitch: new Decimal(0), regret: landscape.regret(rounds, 0) };
  const found = searched.batch === rounds ? null : certified(problem, kind, searched, landscape);
  const place = found === null ? single : searched;
  const { batch, fakeSwitch } = place;
  const { eta, limit } = found ?? {
    eta: gridValue(gridIndexBelow(landscape.free(rounds))),
    limit: { by: 'one-batch' } as const,
  };
  return {
    named: {
      id: `best-${kind}`,
      setting: { rounds, batch, eta, fakeSwitch },
      measure: MULTIPLICATIVE,
      printedBatch: new Decimal(batch),
      delta1: shareOf(delta, 2, rounds),
      delta0: new Decimal(0),
    },
    limit,
    others: alternatives(landscape, rounds, place),
  };
}
