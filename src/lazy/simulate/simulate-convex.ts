import { bit, unit, type RandomSource } from '../../numeric/random.ts';
import type { RegularisedWeights } from '../core/measure.ts';
import { fakeSwitchOf, type WithY } from '../core/setting.ts';
import { BallWeights, dot, norm, type BallShape } from './ball-weights.ts';
import { estimate, type Estimate } from './estimate.ts';
import type { LossKind } from './losses.ts';
import { randomStreams } from './random-streams.ts';
import type { Simulation } from './simulator.ts';

/** Runs of L2P with regularised weights on generated linear losses on a ball around the origin. */
export interface ConvexSimulationTask {
  readonly setting: WithY;
  readonly measure: RegularisedWeights;
  readonly dimension: number;
  readonly kind: LossKind;
  /** At least 2. */
  readonly runs: number;
  /** A whole number from 0 to 2^53 - 1. */
  readonly seed: number;
}

/** Estimates from the runs. */
export type ConvexSimulation = Pick<Simulation, 'runs' | 'regret' | 'bestLoss' | 'switches'>;

/** One run on its way. */
interface Run {
  readonly random: RandomSource;
  x: Float64Array;
  y: Float64Array;
  loss: number;
  real: number;
  fake: number;
  ofX: number;
  ofY: number;
}

/** The gradients of linear losses, summed over each batch. zero: none; coins: L (±1, ..., ±1) / sqrt(k) in every round, with fair coins; blocks: one of these for each batch. */
function* gradientsOf({
  setting,
  measure,
  dimension,
  kind,
  seed,
}: ConvexSimulationTask): Generator<Float64Array, void> {
  const random = randomStreams(seed).next().value;
  const size = measure.lipschitz.toNumber() / Math.sqrt(dimension);
  const { rounds, batch } = setting;
  const sum = new Float64Array(dimension);
  for (let start = 0; start < rounds; start += batch) {
    const length = Math.min(batch, rounds - start);
    sum.fill(0);
    if (kind === 'coins') {
      for (let t = 0; t < length; t++) for (let i = 0; i < dimension; i++) sum[i]! += bit(random) === 1 ? size : -size;
    } else if (kind === 'blocks') {
      for (let i = 0; i < dimension; i++) sum[i] = (bit(random) === 1 ? size : -size) * length;
    }
    yield sum;
  }
}

/**
 * L2P with the regularised weights of linear losses on the ball of diameter D around the origin, run several times side by side
 * on the same losses, every sample exact up to the rounding of doubles ({@link BallWeights}).
 *
 * Source: Asi, Koren, Liu, Talwar (2024), Algorithm 1 with the measure of Lemma 3.11.
 *
 * @param progress - called with the share of the rounds that are done
 */
export function simulateConvex(task: ConvexSimulationTask, progress?: (share: number) => void): ConvexSimulation {
  const { setting, measure, dimension, runs, seed } = task;
  const { batch, rounds } = setting;
  const [eta, p] = [setting.eta.toNumber(), fakeSwitchOf(setting).toNumber()];
  const shape: BallShape = {
    beta: measure.beta.toNumber(),
    lambda: measure.lambda.toNumber(),
    radius: measure.diameter.toNumber() / 2,
    dimension,
  };
  const total = new Float64Array(dimension);
  let weights: BallWeights | null = new BallWeights(shape, total);
  const draw = (random: RandomSource): Float64Array => (weights ??= new BallWeights(shape, total)).draw(random);
  const streams = randomStreams(seed);
  streams.next();
  const all = Array.from({ length: runs }, (): Run => {
    const random = streams.next().value;
    return { random, x: draw(random), y: draw(random), loss: 0, real: 0, fake: 0, ofX: 0, ofY: 0 };
  });
  const last = new Float64Array(dimension);
  let done = 0;
  for (const sum of gradientsOf(task)) {
    if (done > 0) {
      weights = null;
      for (const run of all) {
        const { random } = run;
        const exponent = 2 * batch * eta + shape.beta * (dot(last, run.x) - dot(last, run.y));
        const real = unit(random) >= Math.min(1, Math.exp(-exponent));
        const fakeX = unit(random) < p;
        const fakeY = unit(random) < p;
        if (real) run.real++;
        if (fakeX || fakeY) run.fake++;
        if (real || fakeX) {
          run.ofX++;
          run.x = draw(random);
        }
        if (fakeY) {
          run.ofY++;
          run.y = draw(random);
        }
      }
    }
    for (const run of all) run.loss += dot(sum, run.x);
    for (let i = 0; i < dimension; i++) total[i]! += sum[i]!;
    last.set(sum);
    done = Math.min(rounds, done + batch);
    progress?.(done / rounds);
  }
  const bestLoss = norm(total) === 0 ? 0 : -shape.radius * norm(total);
  const of = (count: (run: Run) => number): Estimate => estimate(all.map(count));
  return {
    runs,
    regret: of(({ loss }) => loss - bestLoss),
    bestLoss,
    switches: {
      real: of(({ real }) => real),
      fake: of(({ fake }) => fake),
      ofX: of((run) => run.ofX),
      ofY: of((run) => run.ofY),
    },
  };
}
