import { Decimal, toLower } from '../numeric/decimal.ts';
import { midpoint } from '../numeric/enclosure.ts';
import { exactAccounting } from './accounting.ts';
import { approximateDelta, rangeMoment, responseMoment } from './approximate-moments.ts';
import type { Alternative, Chosen } from './chosen.ts';
import type { MultiplicativeWeights } from './measure.ts';
import { shareOf, type ExpertsProblem } from './named-setting.ts';
import { squaredBatches } from './regret.ts';
import { roundedDown } from './rounded.ts';
import { gridOfWholes, largestAllowed, lastBelow, leastOnLogScale, leastWhole, type Found } from './search.ts';
import { transitions, type L2pSetting } from './setting.ts';

type Kind = 'randomized-response' | 'bounded-range';

/** Digits of the parameters found, and how close to the largest private value, relatively. */
const DIGITS = 4;
const PRECISION = 1e-4;

/** Fake switches are only made where they lower the safe regret by more than this share. */
const WORTHWHILE = 0.01;

const SMALLEST_P = 1e-6;
const LARGEST_P = 0.9;

/** eta is searched down to this share of what would be best without privacy. */
const SMALLEST_SHARE = 1e-9;

const MULTIPLICATIVE: MultiplicativeWeights = { type: 'multiplicative-weights' };

/** The safe regret and the largest eta that is private enough, in doubles, by the moment bound. */
class Landscape {
  readonly #rounds: number;
  readonly #log: number;
  readonly #epsilon: number;
  readonly #delta: number;
  readonly #moment: typeof rangeMoment;

  constructor({ rounds, experts, epsilon, delta }: ExpertsProblem, kind: Kind) {
    this.#rounds = rounds;
    this.#log = Math.log(experts);
    this.#epsilon = epsilon.toNumber();
    this.#delta = delta.toNumber();
    this.#moment = kind === 'bounded-range' ? rangeMoment : responseMoment;
  }

  #squares(batch: number): number {
    return midpoint(squaredBatches({ rounds: this.#rounds, batch }));
  }

  /** The eta with the least safe regret, were there no privacy. */
  free(batch: number): number {
    return Math.sqrt((8 * this.#log) / this.#squares(batch));
  }

  #isPrivate(batch: number, fakeSwitch: number, eta: number): boolean {
    const steps = transitions({ rounds: this.#rounds, batch });
    const run = {
      transitions: steps,
      fakeSwitch,
      logMost: -batch * eta,
      logLeast: -3 * batch * eta,
      change: 2 * eta,
      moment: this.#moment(2 * eta),
    };
    return steps === 0 || approximateDelta(run, this.#epsilon) <= this.#delta;
  }

  /** The best eta that is private enough; null where none is. */
  eta(batch: number, fakeSwitch: number): number | null {
    const free = this.free(batch);
    return largestAllowed((eta) => this.#isPrivate(batch, fakeSwitch, eta), free * SMALLEST_SHARE, free, 26);
  }

  regret(batch: number, fakeSwitch: number): number {
    const eta = this.eta(batch, fakeSwitch);
    return eta === null ? Infinity : this.#log / eta + (eta * this.#squares(batch)) / 8;
  }

  /** The best p for a batch. */
  withFakes(batch: number): Found {
    return leastOnLogScale((p) => this.regret(batch, p), SMALLEST_P, LARGEST_P, 18);
  }
}

interface Place {
  readonly batch: number;
  readonly fakeSwitch: Decimal;
  readonly regret: number;
}

/** The best batch and p; no fake switches where they are not worthwhile, at the best batch with or without them. */
function bestPlace(landscape: Landscape, rounds: number): Place {
  const grid = gridOfWholes(rounds, 16, 1.25);
  const faking = leastWhole((batch) => landscape.withFakes(batch).value, grid);
  const without = [leastWhole((batch) => landscape.regret(batch, 0), grid).at, faking.at]
    .map((batch): Place => ({ batch, fakeSwitch: new Decimal(0), regret: landscape.regret(batch, 0) }))
    .reduce((best, place) => (place.regret < best.regret ? place : best));
  if (without.regret <= faking.value * (1 + WORTHWHILE)) return without;
  const fakeSwitch = roundedDown(landscape.withFakes(faking.at).at, DIGITS);
  return { batch: faking.at, fakeSwitch, regret: faking.value };
}

/** The largest eta to four digits that is certainly private enough and not beyond what is best for the regret. */
function certified(
  { rounds, epsilon, delta }: ExpertsProblem,
  kind: Kind,
  { batch, fakeSwitch }: Place,
  landscape: Landscape,
): { readonly eta: Decimal; readonly limit: Chosen['limit'] } | null {
  const most = Math.log(toLower(delta));
  const excess = (x: number): number => {
    const eta = roundedDown(x, DIGITS);
    const setting: L2pSetting = { rounds, batch, eta, fakeSwitch };
    const curve = exactAccounting(setting, MULTIPLICATIVE, { kind, epsilon: eta.times(2) }, 'upper');
    return Math.log(curve.delta(epsilon).upper) - most;
  };
  const free = landscape.free(batch);
  if (excess(free) <= 0) return { eta: roundedDown(free, DIGITS), limit: 'regret' };
  const start = landscape.eta(batch, fakeSwitch.toNumber()) ?? free * SMALLEST_SHARE;
  const found =
    lastBelow(excess, start / 1.5, start * 1.2, PRECISION) ?? lastBelow(excess, start / 1e3, start, PRECISION);
  return found === null ? null : { eta: roundedDown(found, DIGITS), limit: 'privacy' };
}

/** About the safe regret with twice and half the batch, and with some fake switches. */
function alternatives(landscape: Landscape, rounds: number, { batch, fakeSwitch }: Place): Alternative[] {
  const p = fakeSwitch.toNumber();
  const batches = [Math.floor(batch / 2), Math.min(rounds, 2 * batch)].filter((other) => other >= 1 && other !== batch);
  const fakes = p === 0 ? [0.001, 0.01] : [0, p / 4, Math.min(LARGEST_P, 4 * p)];
  return [
    ...batches.map((value) => ({ parameter: 'batch' as const, value, regret: landscape.regret(value, p) })),
    ...fakes.map((value) => ({ parameter: 'fakeSwitch' as const, value, regret: landscape.regret(batch, value) })),
  ];
}

/**
 * The parameters of L2P with multiplicative weights that have the least safe regret (see safeRegretOfExperts) among
 * those that are (epsilon, delta)-differentially private by exact accounting of this kind.
 *
 * For each batch size (all up to 16, then growing by a quarter, then whole numbers around the best) and p (none, and
 * golden sections) the largest private eta up to the best one without privacy, by the moment bound in doubles. At the
 * batch and p found eta is then solved for with exact accounting. Always the same for the same question.
 */
export function bestForExperts(problem: ExpertsProblem, kind: Kind): Chosen<MultiplicativeWeights> {
  const { rounds, delta } = problem;
  const landscape = new Landscape(problem, kind);
  const searched = bestPlace(landscape, rounds);
  // One batch for all rounds is private with any eta.
  const single: Place = { batch: rounds, fakeSwitch: new Decimal(0), regret: landscape.regret(rounds, 0) };
  const found = certified(problem, kind, searched, landscape);
  const place = found === null ? single : searched;
  const { batch, fakeSwitch } = place;
  const { eta, limit } = found ?? { eta: roundedDown(landscape.free(rounds), DIGITS), limit: 'regret' as const };
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
