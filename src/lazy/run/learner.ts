import { exponentialCoin, type ExactExponent } from '../../numeric/exact-coin.ts';
import { below, type RandomSource } from '../../numeric/random.ts';
import { Rational } from '../../numeric/rational.ts';
import type { WithoutY } from '../core/setting.ts';
import { UNIT } from './losses.ts';

/** What is run. */
export interface RunTerms {
  readonly setting: WithoutY;
  readonly experts: number;
  /** So often x is sampled anew at most, whatever the losses are; null for any number. */
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
}

/**
 * L2P for experts without y, as it is run: its coins and samples have exactly the chances that accounting counts on.
 *
 * x is kept through a batch in which it lost L with probability e^(-c - eta L), and sampled from the weights e^(-eta total)
 * otherwise. After `cap` samples none is drawn any more.
 *
 * Source: Asi, Koren, Liu, Talwar (2024), Algorithm 1; without y derived.
 */
export class Learner {
  readonly #terms: RunTerms;
  readonly #progress: Progress;
  readonly #source: RandomSource;
  readonly #eta: Rational;
  readonly #etaPerUnit: number;
  readonly #switchRate: Rational;

  constructor(terms: RunTerms, progress: Progress, source: RandomSource) {
    const { setting } = terms;
    [this.#terms, this.#progress, this.#source] = [terms, progress, source];
    this.#eta = Rational.ofDecimal(setting.eta);
    this.#etaPerUnit = setting.eta.toNumber() / UNIT;
    this.#switchRate = Rational.ofDecimal(setting.switchRate);
  }

  /** A run before its first round: x is uniform. */
  static begin({ experts }: RunTerms, source: RandomSource): Progress {
    return {
      round: 1,
      x: below(experts, source),
      lossOfX: 0,
      resampled: 0,
      totals: new Float64Array(experts),
    };
  }

  /** The expert of the round that is next; null when the run is over. */
  get action(): number | null {
    const { round, x } = this.#progress;
    return round > this.#terms.setting.rounds ? null : x;
  }

  /** The losses of the round that was next, each from 0 to 1 in units: whole numbers up to 2^20, one for each expert. */
  take(losses: Float64Array): void {
    const progress = this.#progress;
    const { totals, x } = progress;
    const { rounds, batch } = this.#terms.setting;
    for (let i = 0; i < totals.length; i++) totals[i]! += losses[i]!;
    progress.lossOfX += losses[x]!;
    const isBatchDone = progress.round % batch === 0;
    progress.round++;
    if (isBatchDone && progress.round <= rounds) this.#goOn();
  }

  /** eta times a loss in units. */
  #ofLoss(units: number): ExactExponent {
    return {
      approximate: units * this.#etaPerUnit,
      exact: () => this.#eta.times(Rational.of(units, UNIT)),
    };
  }

  /** Whether the losses of the batch let x stay. */
  #mayStay(): boolean {
    const { setting } = this.#terms;
    const { approximate, exact } = this.#ofLoss(this.#progress.lossOfX);
    const both = {
      approximate: setting.switchRate.toNumber() + approximate,
      exact: () => this.#switchRate.plus(exact()),
    };
    return exponentialCoin(both, this.#source);
  }

  /** An expert from the weights: drawn uniformly, and taken with the chance e^(-eta excess) over the least total. */
  #sample(): number {
    const { totals } = this.#progress;
    let least = Infinity;
    for (const total of totals) if (total < least) least = total;
    for (;;) {
      const expert = below(totals.length, this.#source);
      if (exponentialCoin(this.#ofLoss(totals[expert]! - least), this.#source)) return expert;
    }
  }

  /** The next batch begins: with a new expert where the losses ask for one, unless there were as many as may be. */
  #goOn(): void {
    const progress = this.#progress;
    const { cap } = this.#terms;
    if (!this.#mayStay() && (cap === null || progress.resampled < cap)) {
      progress.resampled++;
      progress.x = this.#sample();
    }
    progress.lossOfX = 0;
  }
}
