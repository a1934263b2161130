import { exponentialCoin } from '../../numeric/exact-coin.ts';
import { below, type RandomSource } from '../../numeric/random.ts';
import { Rational } from '../../numeric/rational.ts';
import { learnerOf, type Runnable, type WithoutY } from '../core/setting.ts';
import { UNIT } from './losses.ts';
import { noNoise, NoisySums, type Noise } from './noisy-sums.ts';

/** What is run. */
export interface RunTerms {
  readonly setting: Runnable;
  readonly experts: number;
  /** So often L2P samples x anew at most, whatever the losses are; null for any number. */
  readonly cap: number | null;
}

/** How far a run is. Experts are numbered from 0, losses are in units. */
export interface Progress {
  /** The round to be played next, from 1; T + 1 when the run is over. */
  round: number;
  x: number;
  /** What x has lost in the batch so far. */
  lossOfX: number;
  /** How often x was sampled anew. */
  resampled: number;
  /** What each expert has lost so far. */
  readonly totals: Float64Array;
  /** That of a perturbed leader. */
  readonly noise?: Noise;
}

/** Who is played in the batch that begins. */
type Choice = (progress: Progress) => void;

/**
 * L2P for experts without y, as it is run: its coins and samples have exactly the chances that accounting counts on.
 *
 * x is kept through a batch in which it lost L with probability e^(-c - eta L), and sampled from the weights e^(-eta total)
 * otherwise. After `cap` samples none is drawn any more.
 *
 * Source: Asi, Koren, Liu, Talwar (2024), Algorithm 1; without y derived.
 */
function lazyChoice({ eta, switchRate }: WithoutY, cap: number | null, source: RandomSource): Choice {
  const [exactEta, exactRate] = [Rational.ofDecimal(eta), Rational.ofDecimal(switchRate)];
  const etaPerUnit = eta.toNumber() / UNIT;
  /** eta times a loss in units. */
  const ofLoss = (units: number) => ({
    approximate: units * etaPerUnit,
    exact: () => exactEta.times(Rational.of(units, UNIT)),
  });
  /** Whether the losses of the batch let x stay. */
  const mayStay = (lossOfX: number): boolean => {
    const { approximate, exact } = ofLoss(lossOfX);
    const both = { approximate: switchRate.toNumber() + approximate, exact: () => exactRate.plus(exact()) };
    return exponentialCoin(both, source);
  };
  /** An expert from the weights: drawn uniformly, and taken with the chance e^(-eta excess) over the least total. */
  const sample = (totals: Float64Array): number => {
    let least = Infinity;
    for (const total of totals) if (total < least) least = total;
    for (;;) {
      const expert = below(totals.length, source);
      if (exponentialCoin(ofLoss(totals[expert]! - least), source)) return expert;
    }
  };
  return (progress) => {
    if (!mayStay(progress.lossOfX) && (cap === null || progress.resampled < cap)) {
      progress.resampled++;
      progress.x = sample(progress.totals);
    }
  };
}

/** How batches but the first one are begun. */
function choiceOf({ setting, cap }: RunTerms, { noise = noNoise() }: Progress, source: RandomSource): Choice {
  if ('eta' in setting) return lazyChoice(setting, cap, source);
  if (setting.deviation === null) return () => undefined;
  const sums = new NoisySums(setting, noise, source);
  return (progress) => {
    progress.x = sums.leader((progress.round - 1) / setting.batch, progress.totals);
  };
}

/** A learner as it is run: L2P, a perturbed leader, or a guess that is kept. The first x is uniform. */
export class Learner {
  readonly #rounds: number;
  readonly #batch: number;
  readonly #progress: Progress;
  readonly #choose: Choice;

  constructor(terms: RunTerms, progress: Progress, source: RandomSource) {
    [this.#rounds, this.#batch] = [terms.setting.rounds, terms.setting.batch];
    [this.#progress, this.#choose] = [progress, choiceOf(terms, progress, source)];
  }

  /** A run before its first round: x is uniform. */
  static begin({ setting, experts }: RunTerms, source: RandomSource): Progress {
    return {
      round: 1,
      x: below(experts, source),
      lossOfX: 0,
      resampled: 0,
      totals: new Float64Array(experts),
      ...(learnerOf(setting) === 'perturbed-leader' && { noise: noNoise() }),
    };
  }

  /** The expert of the round that is next; null when the run is over. */
  get action(): number | null {
    const { round, x } = this.#progress;
    return round > this.#rounds ? null : x;
  }

  /** The losses of the round that was next, each from 0 to 1 in units: whole numbers up to 2^20, one for each expert. */
  take(losses: Float64Array): void {
    const progress = this.#progress;
    const { totals, x } = progress;
    for (let i = 0; i < totals.length; i++) totals[i]! += losses[i]!;
    progress.lossOfX += losses[x]!;
    const isBatchDone = progress.round % this.#batch === 0;
    progress.round++;
    if (!isBatchDone || progress.round > this.#rounds) return;
    this.#choose(progress);
    progress.lossOfX = 0;
  }
}
