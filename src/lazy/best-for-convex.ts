import { Decimal, toLower } from '../numeric/decimal.ts';
import { midpoint } from '../numeric/enclosure.ts';
import { exactAccounting } from './accounting.ts';
import { approximateDelta, gaussianMoment } from './approximate-moments.ts';
import type { Chosen } from './chosen.ts';
import type { RegularisedWeights } from './measure.ts';
import { shareOf, type ConvexProblem } from './named-setting.ts';
import { squaredBatches } from './regret.ts';
import { gaussianSquared } from './resampling-guarantee.ts';
import { roundedDown, roundedUp } from './rounded.ts';
import { gridOfWholes, largestAllowed, lastBelow, leastOnLogScale, leastWhole, type Found } from './search.ts';
import { transitions, type L2pSetting } from './setting.ts';
import { delta0For } from './theorem-3-12.ts';

/** Digits of the parameters found, and how close to the largest private value, relatively. */
const DIGITS = 4;
const PRECISION = 1e-4;

/** Limits of the search: of lambda D / (L sqrt T), of beta L D, and of the surplus 2 eta / (beta L D) - 1. */
const LAMBDAS = [1e-3, 1e6] as const;
const SMALLEST_BETA = 1e-12;
const LARGEST_BETA = 1e4;
const SURPLUSES = [1e-4, 1e3] as const;

const SECTIONS = 11;
const STEPS = 18;

/** In units of L and D: beta L D, lambda D / L, and the regret over L D. */
class Landscape {
  readonly #problem: ConvexProblem;
  readonly #epsilon: number;
  readonly #delta: number;

  constructor(problem: ConvexProblem) {
    this.#problem = problem;
    this.#epsilon = problem.epsilon.toNumber();
    this.#delta = problem.delta.toNumber();
  }

  #isPrivate(batch: number, lambda: number, surplus: number, beta: number): boolean {
    const steps = transitions({ rounds: this.#problem.rounds, batch });
    const run = {
      transitions: steps,
      fakeSwitch: 0,
      logMost: -batch * beta * surplus,
      logLeast: -batch * beta * (2 + surplus),
      change: 2 * beta,
      moment: gaussianMoment((2 * beta) / lambda),
    };
    return steps === 0 || approximateDelta(run, this.#epsilon) <= this.#delta;
  }

  /** The largest beta that is private enough; null where none is. */
  beta(batch: number, lambda: number, surplus: number): number | null {
    const isPrivate = (beta: number): boolean => this.#isPrivate(batch, lambda, surplus, beta);
    return largestAllowed(isPrivate, SMALLEST_BETA, LARGEST_BETA, STEPS);
  }

  regret(batch: number, lambda: number, surplus: number): number {
    const beta = this.beta(batch, lambda, surplus);
    if (beta === null) return Infinity;
    const { rounds, dimension } = this.#problem;
    const entropy = (dimension * (1 + Math.log(Math.max(1, (beta * rounds) / dimension)))) / beta;
    const drift = midpoint(squaredBatches({ rounds, batch })) / (4 * lambda);
    return lambda + Math.min(rounds, entropy) + drift;
  }

  /** The best surplus for a batch and lambda. */
  withSurplus(batch: number, lambda: number): Found {
    return leastOnLogScale((surplus) => this.regret(batch, lambda, surplus), ...SURPLUSES, SECTIONS);
  }

  /** The best lambda for a batch. */
  withLambda(batch: number): Found {
    const scale = Math.sqrt(this.#problem.rounds);
    const [from, to] = [LAMBDAS[0] * scale, LAMBDAS[1] * scale];
    return leastOnLogScale((lambda) => this.withSurplus(batch, lambda).value, from, to, SECTIONS);
  }
}

interface Scaled {
  readonly batch: number;
  readonly lambda: number;
  readonly surplus: number;
  readonly beta: number;
}

/** The parameters in the units of the problem; eta is what no keep probability can exceed 1 with, and the surplus. */
function measured({ lipschitz, diameter, rounds }: ConvexProblem, { batch, lambda, surplus, beta }: Scaled) {
  const reach = lipschitz.times(diameter);
  const measure: RegularisedWeights = {
    type: 'regularised-multiplicative-weights',
    beta: roundedDown(beta / reach.toNumber(), DIGITS),
    lambda: roundedUp((lambda * lipschitz.toNumber()) / diameter.toNumber(), DIGITS),
    lipschitz,
    diameter,
  };
  const eta = roundedUp((measure.beta.times(reach).toNumber() * (1 + surplus)) / 2, DIGITS);
  const setting: L2pSetting = { rounds, batch, eta, fakeSwitch: new Decimal(0) };
  return { measure, setting };
}

/** The largest beta to four digits that is certainly private enough. */
function certified(problem: ConvexProblem, start: Scaled): Scaled | null {
  const { epsilon, delta } = problem;
  const most = Math.log(toLower(delta));
  const excess = (beta: number): number => {
    const { measure, setting } = measured(problem, { ...start, beta });
    const guarantee = { kind: 'gaussian', muSquared: gaussianSquared(measure) } as const;
    return Math.log(exactAccounting(setting, measure, guarantee, 'upper').delta(epsilon).upper) - most;
  };
  const beta =
    lastBelow(excess, start.beta / 1.5, start.beta * 1.2, PRECISION) ??
    lastBelow(excess, start.beta / 1e3, start.beta, PRECISION);
  return beta === null ? null : { ...start, beta };
}

/**
 * The parameters of L2P with regularised weights that have the least safe regret (see safeRegretOfConvex) among those
 * that are (epsilon, delta)-differentially private by exact accounting.
 *
 * No switch is fake: the factor e^(-2 B eta), with eta above beta L D / 2, makes as many as are needed. For each batch
 * size (all up to 4, then growing by three fifths, then whole numbers around the best), golden sections over lambda and
 * over that surplus of eta; for each of them the largest private beta, by the moment bound in doubles. beta is then solved
 * for with exact accounting. Always the same for the same question.
 */
export function bestForConvex(problem: ConvexProblem): Chosen<RegularisedWeights> {
  const { rounds, delta } = problem;
  const landscape = new Landscape(problem);
  const bestAt = (batch: number): Scaled => {
    const { at: lambda } = landscape.withLambda(batch);
    const { at: surplus } = landscape.withSurplus(batch, lambda);
    return { batch, lambda, surplus, beta: landscape.beta(batch, lambda, surplus) ?? SMALLEST_BETA };
  };
  const searched = bestAt(leastWhole((n) => landscape.withLambda(n).value, gridOfWholes(rounds, 4, 1.6)).at);
  // One batch for all rounds is private with any beta.
  const found = certified(problem, searched) ?? bestAt(rounds);
  const { batch, beta } = found;
  const { measure, setting } = measured(problem, found);
  const delta1 = shareOf(delta, 4, rounds);
  const batches = [Math.floor(batch / 2), Math.min(rounds, 2 * batch)].filter((n) => n >= 1 && n !== batch);
  const reach = problem.lipschitz.times(problem.diameter).toNumber();
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
    limit: beta >= LARGEST_BETA ? 'regret' : 'privacy',
    others: batches.map((value) => ({ parameter: 'batch', value, regret: landscape.withLambda(value).value * reach })),
  };
}
