import { keepChance, weightsOf, type ExpertLosses } from './expert-weights.ts';
import type { LossSequence } from './losses.ts';
import { unit, type RandomSource } from '../../numeric/random.ts';
import { randomStreams } from './random-streams.ts';
import type { L2pSetting } from '../core/setting.ts';

/** Runs of L2P on a loss sequence. */
export interface SimulationTask {
  readonly setting: L2pSetting;
  readonly losses: LossSequence;
  /** The name of the losses. */
  readonly name: string;
  /** At least 2. */
  readonly runs: number;
  /** A whole number from 0 to 2^53 - 1. */
  readonly seed: number;
}

/** A mean over runs with its 95% interval by the normal approximation. */
export interface Estimate {
  readonly mean: number;
  readonly lower: number;
  readonly upper: number;
}

/** Estimates from the runs, and what is known of them without running. */
export interface Simulation {
  readonly runs: number;
  /** The total of x minus that of the best expert. */
  readonly regret: Estimate;
  /** The exact mean of that. */
  readonly expectedRegret: number;
  /** The exact mean where x is sampled afresh in every round, without batches: the regret of the measure itself. */
  readonly unbatchedRegret: number;
  readonly bestLoss: number;
  readonly switches: {
    /** The losses asked for one: S_s = 0. */
    readonly real: Estimate;
    /** S'_s = 0 or A_s = 0. */
    readonly fake: Estimate;
    /** x was sampled anew. */
    readonly ofX: Estimate;
    /** y was sampled anew. */
    readonly ofY: Estimate;
  };
  /** The exact mean number of rounds in which x is sampled anew. */
  readonly expectedOfX: number;
}

/** One run on its way. */
interface Run {
  readonly random: RandomSource;
  x: number;
  y: number;
  loss: number;
  real: number;
  fake: number;
  ofX: number;
  ofY: number;
}

/** Samples by inversion from weights that sum to 1; the sums are made once for all runs. */
class Inversion {
  readonly #sums: Float64Array;

  constructor(weights: Float64Array) {
    let sum = 0;
    this.#sums = weights.map((weight) => (sum += weight));
  }

  draw(random: RandomSource): number {
    const target = unit(random) * this.#sums.at(-1)!;
    let [low, high] = [0, this.#sums.length - 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.#sums[middle]! > target) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const NORMAL_QUANTILE = 1.959963984540054;

function estimate(values: readonly number[]): Estimate {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const reach = NORMAL_QUANTILE * Math.sqrt(variance / values.length);
  return { mean, lower: mean - reach, upper: mean + reach };
}

const dot = (weights: Float64Array, values: ArrayLike<number>): number =>
  weights.reduce((sum, weight, expert) => sum + weight * values[expert]!, 0);

/** The mean of a function of the loss under weights. */
const meanOf = (weights: Float64Array, losses: Float64Array, f: (loss: number) => number): number =>
  weights.reduce((sum, weight, expert) => sum + weight * f(losses[expert]!), 0);

/** Batches of losses, added up, with the single rounds. */
function* batchesOf(losses: LossSequence, batch: number): Generator<{ sum: Float64Array; rounds: ExpertLosses[] }> {
  let rounds: ExpertLosses[] = [];
  const summed = (): Float64Array => {
    const sum = new Float64Array(losses.experts);
    for (const round of rounds) round.forEach((loss, expert) => (sum[expert]! += loss));
    return sum;
  };
  for (const round of losses.play()) {
    rounds.push(round);
    if (rounds.length < batch) continue;
    yield { sum: summed(), rounds };
    rounds = [];
  }
  if (rounds.length > 0) yield { sum: summed(), rounds };
}

/**
 * L2P with multiplicative weights, run several times on the same losses; and the exact means of its regret and of its
 * switches: x has the law of the weights before each batch whatever y is, and y that of the weights when it was sampled.
 *
 * Source: Asi, Koren, Liu, Talwar (2024), Algorithm 1.
 *
 * @param progress - called with the share of the rounds that are done
 */
export function simulate(
  { setting, losses, runs, seed }: SimulationTask,
  progress?: (share: number) => void,
): Simulation {
  const { batch } = setting;
  const [eta, p] = [setting.eta.toNumber(), setting.fakeSwitch.toNumber()];
  const totals = new Float64Array(losses.experts);
  let weights = weightsOf(eta, totals);
  let ofY = weights;
  let [expected, unbatched, expectedOfX, done] = [0, 0, 0, 0];
  let before: Float64Array | null = null;
  let sampler = new Inversion(weights);
  const streams = randomStreams(seed);
  streams.next();
  const all = Array.from({ length: runs }, (): Run => {
    const random = streams.next().value;
    return { random, x: sampler.draw(random), y: sampler.draw(random), loss: 0, real: 0, fake: 0, ofX: 0, ofY: 0 };
  });

  for (const { sum, rounds } of batchesOf(losses, batch)) {
    if (before !== null) {
      const last = before;
      // Before the switch x has the law of `weights`, still those before the last batch.
      const keptX = meanOf(weights, last, (loss) => Math.exp(-eta * loss));
      const keptY = meanOf(ofY, last, (loss) => Math.exp(eta * loss));
      expectedOfX += 1 - (1 - p) * Math.exp(-2 * batch * eta) * keptX * keptY;
      weights = weightsOf(eta, totals);
      const now = weights;
      ofY = ofY.map((weight, expert) => p * now[expert]! + (1 - p) * weight);
      sampler = new Inversion(weights);
      for (const run of all) {
        const real = unit(run.random) >= keepChance(eta, batch, last[run.x]!, last[run.y]!);
        const fakeX = unit(run.random) < p;
        const fakeY = unit(run.random) < p;
        if (real) run.real++;
        if (fakeX || fakeY) run.fake++;
        if (real || fakeX) {
          run.ofX++;
          run.x = sampler.draw(run.random);
        }
        if (fakeY) {
          run.ofY++;
          run.y = sampler.draw(run.random);
        }
      }
    }
    expected += dot(weights, sum);
    for (const run of all) run.loss += sum[run.x]!;
    for (const round of rounds) {
      unbatched += dot(batch === 1 ? weights : weightsOf(eta, totals), round);
      round.forEach((loss, expert) => (totals[expert]! += loss));
    }
    before = sum;
    done += rounds.length;
    progress?.(done / losses.rounds);
  }

  const bestLoss = totals.reduce((least, total) => Math.min(least, total), Infinity);
  const of = (count: (run: Run) => number): Estimate => estimate(all.map(count));
  return {
    runs,
    regret: of(({ loss }) => loss - bestLoss),
    expectedRegret: expected - bestLoss,
    unbatchedRegret: unbatched - bestLoss,
    bestLoss,
    switches: {
      real: of(({ real }) => real),
      fake: of(({ fake }) => fake),
      ofX: of((run) => run.ofX),
      ofY: of((run) => run.ofY),
    },
    expectedOfX,
  };
}
