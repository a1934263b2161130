import { unit, type RandomSource } from '../../numeric/random.ts';
import { fakeSwitchOf, isWithoutY, type L2pSetting } from '../core/setting.ts';
import { estimate, type Estimate } from './estimate.ts';
import { keepChanceOf, type KeepChance } from './expert-weights.ts';
import { Inversion } from './inversion.ts';
import { randomStreams } from './random-streams.ts';

/** Estimates from the runs, and what is known of them without running. */
export interface Simulation {
  readonly runs: number;
  /** The rounds that were played. */
  readonly rounds: number;
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

/** A weight may fall by e to this power, and stay a double of all its digits beside all that were larger. */
const GENTLE = 100;

function dot(weights: Float64Array, values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]! * values[i]!;
  return sum;
}

function total(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** The mean of e^(rate loss) under weights. */
function meanExponential(weights: Float64Array, losses: Float64Array, rate: number): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]! * Math.exp(rate * losses[i]!);
  return sum;
}

/** e^(-eta total) for each expert, normalised, into `weights`. */
function weigh(weights: Float64Array, eta: number, totals: Float64Array): void {
  let least = Infinity;
  for (const each of totals) least = Math.min(least, each);
  for (let i = 0; i < weights.length; i++) weights[i] = Math.exp(-eta * (totals[i]! - least));
  const sum = total(weights);
  for (let i = 0; i < weights.length; i++) weights[i]! /= sum;
}

/**
 * L2P with multiplicative weights, run several times side by side on losses that are told round by round; and the exact
 * means of its regret and of its switches: x has the law of the weights before each batch whatever y is, and y that of the
 * weights when it was sampled. Nothing is kept of a round but its share in sums, so memory does not grow with the rounds.
 *
 * Source: Asi, Koren, Liu, Talwar (2024), Algorithm 1.
 */
export class Simulator {
  readonly #eta: number;
  readonly #p: number;
  readonly #batch: number;
  /** e^-c without y; null with y. */
  readonly #keptWithoutY: number | null;
  readonly #keepChance: KeepChance;
  readonly #runs: readonly Run[];
  readonly #sampler: Inversion;
  /** Sums over all rounds so far, and over those of this batch. */
  readonly #totals: Float64Array;
  readonly #sum: Float64Array;
  /** The law of x in this batch, of y in this batch, and of a sample taken afresh before this round (not normalised). */
  readonly #weights: Float64Array;
  readonly #ofY: Float64Array;
  readonly #fresh: Float64Array;
  /** Whether no batch can take a weight so far down that doubles lose it. */
  readonly #isGentle: boolean;
  #rounds = 0;
  #expected = 0;
  #unbatched = 0;
  #expectedOfX = 0;

  /** `setting.rounds` is not looked at. */
  constructor(setting: L2pSetting, experts: number, { runs, seed }: { readonly runs: number; readonly seed: number }) {
    this.#batch = setting.batch;
    [this.#eta, this.#p] = [setting.eta.toNumber(), fakeSwitchOf(setting).toNumber()];
    this.#isGentle = this.#batch * this.#eta < GENTLE;
    this.#keptWithoutY = isWithoutY(setting) ? Math.exp(-setting.switchRate.toNumber()) : null;
    this.#keepChance = keepChanceOf(setting);
    const vector = (): Float64Array => new Float64Array(experts);
    [this.#totals, this.#sum, this.#weights] = [vector(), vector(), vector()];
    weigh(this.#weights, this.#eta, this.#totals);
    [this.#ofY, this.#fresh] = [this.#weights.slice(), this.#weights.slice()];
    const sampler = new Inversion(experts);
    sampler.set(this.#weights);
    this.#sampler = sampler;
    const streams = randomStreams(seed);
    streams.next();
    this.#runs = Array.from({ length: runs }, (): Run => {
      const random = streams.next().value;
      return { random, x: sampler.draw(random), y: sampler.draw(random), loss: 0, real: 0, fake: 0, ofX: 0, ofY: 0 };
    });
  }

  get experts(): number {
    return this.#totals.length;
  }

  /** The losses of the next round, one in [0, 1] for each expert; they are not kept. */
  take(losses: ArrayLike<number>): void {
    const [totals, sum, fresh, batch] = [this.#totals, this.#sum, this.#fresh, this.#batch];
    if (this.#rounds > 0 && this.#rounds % batch === 0) this.#turn();
    this.#unbatched += dot(fresh, losses) / total(fresh);
    const full = Math.exp(-this.#eta);
    const changes = this.#rounds % batch < batch - 1 && this.#isGentle;
    for (let i = 0; i < totals.length; i++) {
      const loss = losses[i]!;
      if (loss === 0) continue;
      totals[i]! += loss;
      sum[i]! += loss;
      if (changes) fresh[i]! *= loss === 1 ? full : Math.exp(-this.#eta * loss);
    }
    if (!this.#isGentle) weigh(fresh, this.#eta, totals);
    this.#rounds++;
    if (this.#rounds % batch === 0) this.#charge();
  }

  /** Charges x with the losses of the batch that ends. */
  #charge(): void {
    this.#expected += dot(this.#weights, this.#sum);
    for (const run of this.#runs) run.loss += this.#sum[run.x]!;
  }

  /** The switch between two batches; the sums are still those of the first one. */
  #turn(): void {
    const [eta, p, sum, weights, ofY] = [this.#eta, this.#p, this.#sum, this.#weights, this.#ofY];
    const keptX = meanExponential(weights, sum, -eta);
    const keptY = this.#keptWithoutY ?? Math.exp(-2 * this.#batch * eta) * meanExponential(ofY, sum, eta);
    this.#expectedOfX += 1 - (1 - p) * keptX * keptY;
    weigh(weights, eta, this.#totals);
    for (let i = 0; i < ofY.length; i++) ofY[i] = p * weights[i]! + (1 - p) * ofY[i]!;
    this.#sampler.set(weights);
    for (const run of this.#runs) this.#step(run);
    this.#fresh.set(weights);
    sum.fill(0);
  }

  #step(run: Run): void {
    const [p, sum, { random }] = [this.#p, this.#sum, run];
    const real = unit(random) >= this.#keepChance(sum[run.x]!, sum[run.y]!);
    const fakeX = unit(random) < p;
    const fakeY = unit(random) < p;
    if (real) run.real++;
    if (fakeX || fakeY) run.fake++;
    if (real || fakeX) {
      run.ofX++;
      run.x = this.#sampler.draw(random);
    }
    if (fakeY) {
      run.ofY++;
      run.y = this.#sampler.draw(random);
    }
  }

  /** What was found; no round may follow. */
  finish(): Simulation {
    if (this.#rounds % this.#batch !== 0) this.#charge();
    let bestLoss = Infinity;
    for (const each of this.#totals) bestLoss = Math.min(bestLoss, each);
    const of = (count: (run: Run) => number): Estimate => estimate(this.#runs.map(count));
    return {
      runs: this.#runs.length,
      rounds: this.#rounds,
      regret: of(({ loss }) => loss - bestLoss),
      expectedRegret: this.#expected - bestLoss,
      unbatchedRegret: this.#unbatched - bestLoss,
      bestLoss,
      switches: {
        real: of(({ real }) => real),
        fake: of(({ fake }) => fake),
        ofX: of((run) => run.ofX),
        ofY: of((run) => run.ofY),
      },
      expectedOfX: this.#expectedOfX,
    };
  }
}
