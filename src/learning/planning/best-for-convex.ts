import { Decimal, ZERO, roundedDown, roundedUp } from '../../numeric/decimal.ts';
import { midpoint } from '../../numeric/enclosure.ts';
import { exactAccounting } from '../accounting/accounting.ts';
import { approximateDelta } from '../accounting/approximate-accounting.ts';
import { approximateGaussianDelta, type Nearby } from '../accounting/approximate-moments.ts';
import { gaussianSquared } from '../accounting/resampling.ts';
import {
  shareOf,
  squaredBatches,
  transitions,
  type ConvexProblem,
  type L2pSetting,
  type RegularisedWeights,
} from '../core/setting.ts';
import { delta0For } from '../theorems/parameters.ts';
import {
  gridIndexBelow,
  gridOfBatches,
  gridValue,
  halfAndTwice,
  largestAllowed,
  lastAllowed,
  lastBelow,
  leastOnLogScale,
  leastWhole,
  type Chosen,
  type Found,
  type Limit,
} from './search.ts';

/** Digits of beta, and of eta, of which the surplus may be a small part. */
const BETA_DIGITS = 4;
const ETA_DIGITS = 6;

/** Limits of the search: of beta L D, and of the surplus B (2 eta - beta L D), beyond which x is always sampled anew. */
const BETAS = [1e-12, 1e4] as const;
const SURPLUSES = [1e-5, 36] as const;
const ALWAYS = 36;

/** beta is searched again so far around where it is best if x is always sampled anew. */
const AROUND = 30;

/** Golden sections over ln beta and ln surplus: at every batch size, and at the best one. */
const COARSE = { beta: 7, surplus: 7 } as const;
const FINE = { beta: 12, surplus: 12 } as const;
const ALWAYS_SECTIONS = 40;

/** How close the search comes to the largest private step, relatively, and how far below the target delta it stays. */
const PRECISION = 3e-4;
const CAUTION = 1e-6;

/** A lambda of more than this many times what is best without privacy leaves a regret that says nothing. */
const LARGEST_SHARE = 1e9;

/** Steps are searched down to this share of what would be private if x were always sampled anew. */
const SMALLEST_SHARE = 1e-6;
const STRIDE = 3;

/** beta and lambda for one batch size, in units of L and D: beta L D and lambda D / L, the regret over L D. */
interface Scaled {
  readonly batch: number;
  readonly beta: number;
  /** B (2 eta - beta L D): x is kept with probability e^-surplus at most. */
  readonly surplus: number;
  readonly regret: number;
}

class Landscape {
  readonly #problem: ConvexProblem;
  readonly #epsilon: number;
  readonly #most: number;
  /** The largest mu^2 of one Gaussian that is private enough. */
  readonly #single: number;
  readonly #near: Nearby = { lambda: 1, tilt: 1 };

  constructor(problem: ConvexProblem) {
    this.#problem = problem;
    this.#epsilon = problem.epsilon.toNumber();
    this.#most = problem.delta.toNumber() * (1 - CAUTION);
    const within = (muSquared: number): boolean =>
      approximateGaussianDelta(Math.sqrt(muSquared), this.#epsilon) <= this.#most;
    this.#single = largestAllowed(within, 1e-30, 1e10, 80) ?? 0;
  }

  /** The largest mu^2 of a resampling that is private enough; null where none is. */
  #step(batch: number, surplus: number, beta: number): number | null {
    const steps = transitions({ rounds: this.#problem.rounds, batch });
    if (surplus >= ALWAYS) return this.#single / steps;
    const logLeast = -2 * batch * beta - surplus;
    const excess = (muSquared: number): number => {
      const step = { kind: 'gaussian', muSquared } as const;
      const run = { transitions: steps, fakeSwitch: 0, logMost: -surplus, logLeast, change: 2 * beta, step };
      return Math.log(approximateDelta(run, this.#epsilon, this.#near) / this.#most);
    };
    const expected = 1 - (steps - 1) * Math.expm1(logLeast);
    const smallestStep = (this.#single / steps) * SMALLEST_SHARE;
    let to = Math.min(this.#single, (this.#single / expected) * STRIDE);
    while (to < this.#single && excess(to) <= 0) to = Math.min(this.#single, to * STRIDE);
    for (; to > smallestStep; to /= STRIDE) {
      const root = lastBelow(excess, to / STRIDE, to, PRECISION);
      if (root !== null) return root;
    }
    return null;
  }

  /** The lambda with the least safe regret, were there no privacy. */
  free(batch: number): number {
    return Math.sqrt(midpoint(squaredBatches({ rounds: this.#problem.rounds, batch }))) / 2;
  }

  /** The lambda with the least safe regret of those that are private enough; Infinity where none is. */
  lambda(batch: number, surplus: number, beta: number): number {
    const step = this.#step(batch, surplus, beta);
    return step === null ? Infinity : Math.max(this.free(batch), (2 * beta) / step);
  }

  regret(batch: number, surplus: number, beta: number): number {
    const { rounds, dimension } = this.#problem;
    const lambda = this.lambda(batch, surplus, beta);
    const entropy = (dimension * (1 + Math.log(Math.max(1, (beta * rounds) / dimension)))) / beta;
    return lambda + entropy + midpoint(squaredBatches({ rounds, batch })) / (4 * lambda);
  }

  #withSurplus(batch: number, beta: number, { surplus: sections }: typeof COARSE | typeof FINE): Found {
    return leastOnLogScale((surplus) => this.regret(batch, surplus, beta), ...SURPLUSES, sections);
  }

  /** The best beta for a batch if x is always sampled anew; one batch for all rounds is private with any, and learns nothing. */
  always(batch: number): Scaled {
    const { rounds } = this.#problem;
    if (batch === rounds) return { batch, beta: 1, surplus: ALWAYS, regret: rounds };
    const { at, value } = leastOnLogScale((beta) => this.regret(batch, ALWAYS, beta), ...BETAS, ALWAYS_SECTIONS);
    return { batch, beta: at, surplus: ALWAYS, regret: value };
  }

  /** The best beta and surplus for a batch, where any may have a regret below `regretBound`. */
  at(batch: number, regretBound: number, sections: typeof COARSE | typeof FINE): Scaled {
    const always = this.always(batch);
    // lambda + sum b^2 / (4 lambda) alone is twice the best lambda.
    if (batch === this.#problem.rounds || 2 * this.free(batch) >= regretBound) return always;
    const { at: beta } = leastOnLogScale(
      (candidate) => this.#withSurplus(batch, candidate, sections).value,
      always.beta / AROUND,
      always.beta * AROUND,
      sections.beta,
    );
    const lazy = this.#withSurplus(batch, beta, sections);
    return lazy.value < always.regret ? { batch, beta, surplus: lazy.at, regret: lazy.value } : always;
  }
}

/** beta and eta in the units of the problem: no keep probability can exceed 1, and the surplus is at least what it should be. */
function measured({ lipschitz, diameter }: ConvexProblem, { batch, beta, surplus }: Scaled) {
  const reach = lipschitz.times(diameter);
  const rounded = roundedDown(beta / reach.toNumber(), BETA_DIGITS);
  const twice = rounded.times(reach).toNumber() + surplus / batch;
  return { beta: rounded, eta: roundedUp((twice / 2) * (1 + Number.EPSILON), ETA_DIGITS) };
}

interface Certified {
  readonly setting: L2pSetting;
  readonly measure: RegularisedWeights;
  readonly limit: Limit;
}

/** One batch for all rounds: x is sampled once, before any loss, so that every beta is private. */
function oneBatch({ rounds, lipschitz, diameter }: ConvexProblem): Certified {
  const beta = roundedDown(1 / lipschitz.times(diameter).toNumber(), BETA_DIGITS);
  const lambda = roundedUp((rounds * lipschitz.toNumber()) / (2 * diameter.toNumber()), BETA_DIGITS);
  const setting = { rounds, batch: rounds, eta: new Decimal('0.5'), fakeSwitch: ZERO };
  const measure = { type: 'regularised-multiplicative-weights', beta, lambda, lipschitz, diameter } as const;
  return { setting, measure, limit: { by: 'one-batch' } };
}

/** The least lambda of four digits, from what is best for the regret on, that is certainly private enough. */
function certified(problem: ConvexProblem, place: Scaled, landscape: Landscape): Certified | null {
  const { rounds, epsilon, delta, lipschitz, diameter } = problem;
  const { batch } = place;
  const { beta, eta } = measured(problem, place);
  const setting: L2pSetting = { rounds, batch, eta, fakeSwitch: ZERO };
  const measureOf = (lambda: Decimal): RegularisedWeights => ({
    type: 'regularised-multiplicative-weights',
    beta,
    lambda,
    lipschitz,
    diameter,
  });
  // Numbers are negated, so that what is allowed lies below.
  const allowed = (index: number): boolean => {
    const measure = measureOf(gridValue(-index));
    const guarantee = { kind: 'gaussian', muSquared: gaussianSquared(measure) } as const;
    return delta.gte(exactAccounting(setting, measure, guarantee, 'upper').delta(epsilon).upper);
  };
  const [reach, unit] = [lipschitz.times(diameter).toNumber(), lipschitz.div(diameter).toNumber()];
  const [scaledBeta, scaledEta] = [beta.toNumber() * reach, eta.toNumber()];
  const indexOf = (lambda: number): number => -(gridIndexBelow(lambda * unit) + 1);
  const free = landscape.free(batch);
  const about = landscape.lambda(batch, batch * (2 * scaledEta - scaledBeta), scaledBeta);
  const [firstIndex, first] = [indexOf(LARGEST_SHARE * free), indexOf(free)];
  const lastIndex = lastAllowed(allowed, Number.isFinite(about) ? indexOf(about) : first, firstIndex, first);
  if (lastIndex === null) return null;
  const limit: Limit =
    lastIndex === first
      ? { by: 'regret', parameter: 'lambda' }
      : { by: 'privacy', parameter: 'lambda', next: gridValue(-(lastIndex + 1)) };
  return { setting, measure: measureOf(gridValue(-lastIndex)), limit };
}

/**
 * Parameters of L2P with regularised weights of little safe regret (see safeRegretOfConvex) that are (epsilon,
 * delta)-differentially private by exact accounting.
 *
 * No switch is fake: what eta is above beta L D / 2 makes x be sampled anew as often as is needed, and unlike fake switches
 * leaves y alone. For each batch size (all up to 4, then growing by two thirds, and the least ones of up to 4 batches; then
 * whole numbers around the best) golden sections over beta and over that surplus of eta, and beta alone with an x that is
 * always sampled anew; for each of them the best private lambda, in doubles. delta falls as lambda grows, all else being
 * the same: lambda is then solved for with exact accounting. Always the same for the same question.
 */
export function bestForConvex(problem: ConvexProblem): Chosen<RegularisedWeights> {
  const { rounds, delta } = problem;
  const landscape = new Landscape(problem);
  const grid = gridOfBatches(rounds, 4, 1.65);
  const regretBound = Math.min(...grid.map((batch) => landscape.always(batch).regret));
  const at = (batch: number): Scaled => landscape.at(batch, regretBound, FINE);
  const searched = at(leastWhole((batch) => landscape.at(batch, regretBound, COARSE).regret, grid).at);
  const choice = (searched.regret < rounds ? certified(problem, searched, landscape) : null) ?? oneBatch(problem);
  const { setting, measure, limit } = choice;
  const { batch } = setting;
  const delta1 = shareOf(delta, 4, rounds);
  const reach = problem.lipschitz.times(problem.diameter).toNumber();
  const cut = (regret: number): number => (regret === Infinity ? Infinity : Math.min(regret, rounds));
  return {
    named: {
      id: 'best-gaussian',
      setting,
      measure,
      printedBatch: new Decimal(batch),
      delta1,
      delta0: delta0For(delta, {
        rounds,
        batch: new Decimal(batch),
        eta: setting.eta,
        fakeSwitch: new Decimal('0.5'),
        delta1,
      }),
    },
    limit,
    others: halfAndTwice(batch, rounds).map((value) => ({
      parameter: 'batch',
      value,
      regret: cut(at(value).regret) * reach,
    })),
  };
}
