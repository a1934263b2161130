import { Decimal } from '../../numeric/decimal.ts';
import { exponentialCoin, rationalCoin, type ExactExponent } from '../../numeric/exact-coin.ts';
import { below, type RandomSource } from '../../numeric/random.ts';
import { Rational } from '../../numeric/rational.ts';
import { fakeSwitchOf, isWithoutY, type L2pSetting } from '../core/setting.ts';
import { UNIT } from './loss-units.ts';

/** What is run. */
export interface RunTerms {
  readonly setting: L2pSetting;
  readonly experts: number;
  /** So often x and y are sampled anew at most, whatever the losses are; null for any number. */
  readonly cap: number | null;
}

/** How far a run is. Experts are numbered from 0, losses are in units. */
export interface Progress {
  /** The round to be played next, from 1; T + 1 when the run is over. */
  round: number;
  x: number;
  /** Null without y. */
  y: number | null;
  /** What x and y have lost in their batch so far. */
  lossOfX: number;
  lossOfY: number;
  /** How often x and y were sampled anew. */
  resampled: number;
  /** What each expert has lost so far. */
  readonly totals: Float64Array;
}

const NONE = new Decimal(0);

/**
 * L2P for experts, as it is run: its coins and samples have exactly the chances that accounting counts on.
 *
 * x is kept through a batch in which it lost L with probability e^(-c - eta L), or with y and its loss L' with (1 - p)
 * e^(-2 B eta - eta (L - L')), and sampled from the weights e^(-eta total) otherwise. After `cap` samples none is drawn any more.
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
  readonly #notFake: Rational;

  constructor(terms: RunTerms, progress: Progress, source: RandomSource) {
    const { setting } = terms;
    [this.#terms, this.#progress, this.#source] = [terms, progress, source];
    this.#eta = Rational.ofDecimal(setting.eta);
    this.#etaPerUnit = setting.eta.toNumber() / UNIT;
    this.#switchRate = Rational.ofDecimal(setting.switchRate ?? NONE);
    this.#notFake = Rational.ofDecimal(new Decimal(1).minus(fakeSwitchOf(setting)));
  }

  /** A run before its first round: x, and y, are uniform. */
  static begin(terms: RunTerms, source: RandomSource): Progress {
    const { experts, setting } = terms;
    return {
      round: 1,
      x: below(experts, source),
      y: isWithoutY(setting) ? null : below(experts, source),
      lossOfX: 0,
      lossOfY: 0,
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
    const { totals, x, y } = progress;
    const { rounds, batch } = this.#terms.setting;
    for (let i = 0; i < totals.length; i++) totals[i]! += losses[i]!;
    progress.lossOfX += losses[x]!;
    if (y !== null) progress.lossOfY += losses[y]!;
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
    const { lossOfX, lossOfY } = this.#progress;
    if (!isWithoutY(setting)) {
      return exponentialCoin(this.#ofLoss(2 * setting.batch * UNIT + lossOfX - lossOfY), this.#source);
    }
    const { approximate, exact } = this.#ofLoss(lossOfX);
    const both = {
      approximate: setting.switchRate.toNumber() + approximate,
      exact: () => this.#switchRate.plus(exact()),
    };
    return exponentialCoin(both, this.#source);
  }

  #noFake(): boolean {
    return rationalCoin(this.#notFake, this.#source);
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

  /** A new expert, unless there were as many as may be. */
  #anew(old: number): number {
    const { cap } = this.#terms;
    if (cap !== null && this.#progress.resampled >= cap) return old;
    this.#progress.resampled++;
    return this.#sample();
  }

  #goOn(): void {
    const progress = this.#progress;
    const mayStay = this.#mayStay();
    const keepsX = progress.y === null ? mayStay : this.#noFake() && mayStay;
    const keepsY = progress.y === null || this.#noFake();
    if (!keepsX) progress.x = this.#anew(progress.x);
    if (!keepsY) progress.y = this.#anew(progress.y ?? 0);
    [progress.lossOfX, progress.lossOfY] = [0, 0];
  }
}
