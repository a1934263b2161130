import type { DoubleDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, midpoint, widthOverUpper, type Enclosure } from '../../numeric/enclosure.ts';
import { add, exponential, expm1, multiply, negate, subtract, times } from '../../numeric/enclosure-arithmetic.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { logNormalTail, normalTail, normalTailNear } from '../../numeric/normal.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { aboutNormalLoss, solveEpsilon } from '../finite-loss-curve.ts';
import type { Allocation } from './allocation-table.ts';
import {
  alongLine,
  CutNoise,
  DEPTH,
  FROM,
  momentAt,
  mostBeyond,
  REACH,
  saddlePoint,
  type Exponent,
  type Line,
  type Part,
} from './cut-noise.ts';
import { OneFarBatch } from './one-far-batch.ts';
import { outsideOf } from './truncated-noise.ts';

/** Cuts are multiples of this. */
const GRID = 2 ** -6;
/** A jump is from such a share of e^epsilon - 1 on. */
const JUMP = 1 / 4;
/** A line for jumps is no further from the axis than this over e^epsilon: there two of them would count. */
const OF_JUMPS = 12;
/** Tables serve losses this near to each other, over mu, and over the deviation of the loss. */
const SERVED = 1 / 8;
/** And never further apart than this. */
const MOST_SERVED = 1 / 2;
/** A line has at most so many nodes times turns, times 2 pi: what takes some tenths of a second, and some seconds. */
export const QUICK = 2e8;
export const PATIENT = 3e9;
/** Below 1 losses are as far as so many deviations. */
const LOWEST = 12;
/** Where one batch far out tells delta to this share of it, no long table is made. */
const NARROW = 1e-5;
/** For a larger k, and for more batches, nothing is computed. */
const MOST_K = 1e100;
const MOST_BATCHES = 1e6;
const KEPT = 8;

/** Of noise up to a cut: the integrals along lines, and what bounds parts that are too small to be computed. */
interface Table {
  readonly cut: number;
  readonly lines: readonly Line[];
  readonly small: readonly Exponent[];
}

/**
 * The curve of a removal in one epoch of random allocation: delta = E_Q[(M - K)+], K = e^epsilon, M the mean over t batches of
 * Y_i = e^(mu x_i - mu^2 / 2).
 *
 * Let the noise of one batch be cut where Y / t is at least K. Where some x is above the cut M - K is positive, and its mean there is known in
 * closed form: with F the probability of x below the cut and m that part of E[Y],
 *
 *     1 - F^(t - 1) m - K (1 - F^t).
 *
 * Where none is, M has all exponential moments, and with phi and psi the parts of E[e^(s Y / t)] below a place and from there to the cut
 *
 *     E[(M - K)+] = 1 / (2 pi i) times the integral of Phi(s) e^(-sK) / s^2 over Re s = s0 > 0,
 *
 * Phi = phi^t without a jump, (phi + psi)^t - phi^t with one: each with a line of its own, as one batch alone or all together make M large.
 *
 * Source: derived.
 */
export class SingleEpoch {
  readonly #law: Allocation;
  readonly #noise: CutNoise;
  readonly #mu: number;
  /** About that of the loss where no batch is far out. */
  readonly deviation: number;
  readonly #served: number;
  readonly #work: number;
  #far: OneFarBatch | null = null;
  readonly #tables = new LruCache<{ readonly table: Table | null }>(KEPT);

  /**
   * @param work - {@link QUICK}, or {@link PATIENT} where that is not enough
   * @param apart - so many times further apart than where delta is to be narrow over itself are the losses that a table serves
   */
  constructor(law: Allocation, work: number, apart = 1) {
    const { batches: t, muSquared } = law;
    [this.#law, this.#noise, this.#work] = [law, new CutNoise(law), work];
    this.#mu = Math.sqrt(muSquared);
    this.deviation = Math.sqrt(Math.log1p(Math.expm1(muSquared) / t));
    this.#served =
      2 ** Math.floor(Math.log2(Math.min(MOST_SERVED, apart * Math.min(SERVED * this.#mu, this.deviation))));
  }

  /** Encloses ln delta at an epsilon >= 0: between -Infinity and 0 where nothing is known. */
  logDelta(epsilon: DoubleDouble): Enclosure {
    const delta = this.deltaAt(Math.exp(epsilon.high) * (1 + epsilon.low));
    if (delta === null) return enclosure(-Infinity, 0);
    const { lower, upper } = delta;
    const rounded = (log: number): number => 8 * U * (1 + Math.abs(log));
    const [least, most] = [lower > 0 ? Math.log(lower) : -Infinity, Math.log(upper)];
    return enclosure(least - rounded(least), Math.min(0, most + rounded(most)));
  }

  /** Encloses E[(M - k)+], k > 0 within four roundings; null where it takes too long. */
  deltaAt(k: number): Enclosure | null {
    const quick = this.#around(k, (at) => this.byContour(at));
    if (quick) return quick;
    const far = this.#around(k, (at) => this.byOneFarBatch(at));
    if (this.#work === QUICK || (far && widthOverUpper(far) < NARROW)) return far;
    return this.#around(k, (at) => this.byContour(at, this.#work)) ?? far;
  }

  #around(k: number, deltaOf: (k: number) => Enclosure | null): Enclosure | null {
    const { displaced } = this;
    const [least, most] = [deltaOf(k * (1 + displaced)), deltaOf(k * (1 - displaced))];
    return least && most && enclosure(least.lower * (1 - 2 * displaced), most.upper * (1 + 2 * displaced));
  }

  /** An error of mu moves every ln Y by at most this, as one of k moves ln M. */
  get displaced(): number {
    const { muSquared, muError } = this.#law;
    const reach = REACH + 2 + this.#mu;
    return (this.#mu * (muError / 2 + 2 * U) * reach + muSquared * U + 16 * U) * 1.01;
  }

  /** The same as if mu and k were as rounded, by contours only; see {@link CutNoise.lineOf} for the work. */
  byContour(k: number, work = QUICK): Enclosure | null {
    if (!this.#isWithin(k)) return null;
    const table = k < 1 ? this.#low() : this.#tableAt(Math.log(k), work);
    return table && this.#withLost(this.#delta(table, k));
  }

  /** The same, where one batch far out decides. */
  byOneFarBatch(k: number): Enclosure | null {
    if (!this.#isWithin(k)) return null;
    this.#far ??= new OneFarBatch(this.#law, this.#work);
    if (!(k > this.#far.least)) return null;
    return this.#withLost(add(this.#far.deltaAt(k), this.#aboveCut(this.#noise.placeOf(k), k)));
  }

  /** With the noise that is out of range; null where it is no number. */
  #withLost({ lower, upper }: Enclosure): Enclosure | null {
    const lost = outsideOf(this.#law, FROM, REACH) * 1.01;
    return Number.isNaN(lower + upper) ? null : enclosure(lower - lost, upper + lost);
  }

  /** Encloses the smallest epsilon >= 0 with ln delta at most the target; where nothing is known near it, from 0 to Infinity. */
  epsilon(target: Enclosure): Enclosure {
    const about = this.#about(midpoint(target));
    if (this.deltaAt(Math.exp(about)) === null) return enclosure(0, Infinity);
    return solveEpsilon({ maximum: null, logDelta: (epsilon) => this.logDelta(epsilon), about: () => about }, target);
  }

  /** About the epsilon of ln delta, as of one batch alone that is above the cut, or of a normal loss of all together. */
  #about(logDelta: number): number {
    const target = Math.exp(logDelta);
    let [low, high] = [0, 1];
    const isBelow = (epsilon: number): boolean => {
      const k = Math.exp(epsilon);
      return !(this.#aboveCut(this.#noise.placeOf(k), k).upper > target);
    };
    while (!isBelow(high)) [low, high] = [high, 2 * high];
    while (high - low > 1e-3 * high) {
      const middle = (low + high) / 2;
      if (isBelow(middle)) high = middle;
      else low = middle;
    }
    return Math.max(high, aboutNormalLoss(0, this.deviation)(logDelta));
  }

  #tableAt(epsilon: number, work: number): Table | null {
    const served = Math.ceil((epsilon * (1 + 1e-12)) / this.#served + 1e-9) * this.#served;
    return this.#tables.get(`${served} ${work}`, () => ({ table: this.#tableFor(Math.exp(served), work) })).table;
  }

  #cutAt(k: number): number {
    return Math.min(REACH, GRID * Math.ceil(this.#noise.placeOf(k) / GRID + 1e-6));
  }

  #isWithin(k: number): boolean {
    return k < MOST_K && this.#law.batches <= MOST_BATCHES;
  }

  #delta({ cut, lines, small }: Table, k: number): Enclosure {
    const most = small.reduce((sum, exponent) => sum + Math.exp(mostBeyond(exponent, k)) * (1 + 1e-9), 0);
    return lines.map((line) => alongLine(line, k)).reduce(add, add(this.#aboveCut(cut, k), enclosure(0, most)));
  }

  /** The mean of M - K where the noise of some batch is above the cut; where that is at the end of the range nothing is. */
  #aboveCut(cut: number, k: number): Enclosure {
    if (cut === REACH) return exactly(0);
    const { batches: t } = this.#law;
    const [tail, logNone] = [normalTail(cut), logNormalTail(-cut)];
    const shifted = normalTailNear(cut - this.#mu);
    const others = exponential(times(t - 1, logNone));
    const some = negate(expm1(times(t - 1, logNone)));
    const one = exactly(k);
    return add(multiply(some, subtract(exactly(1), one)), multiply(others, subtract(shifted, multiply(one, tail))));
  }

  /** A table for all k up to 1. */
  #low(): Table | null {
    return this.#tables.get('low', () => {
      const cut = this.#cutAt(1);
      const part = { place: cut };
      const s0 = saddlePoint(this.#noise.noiseOf(part), 1) / 2;
      const line = this.#noise.lineOf(part, s0, { least: Math.exp(-LOWEST * this.deviation), most: 1 }, QUICK);
      return { table: line && { cut, lines: [line], small: [] } };
    }).table;
  }

  /** A table for e^epsilon up to k, and as far down as it serves; null where it would be too long. */
  #tableFor(k: number, work: number): Table | null {
    const cut = this.#cutAt(k);
    const jump = GRID * Math.floor(this.#noise.placeOf(JUMP * (k - 1)) / GRID);
    const parts: Part[] = jump > 0 && jump < cut ? [{ place: jump }, { place: jump, end: cut }] : [{ place: cut }];
    const least = k * Math.exp(-this.#served);
    const sized = parts.map((part) => {
      const noise = this.#noise.noiseOf(part);
      const exponent = momentAt(
        noise,
        Math.min(saddlePoint(noise, k), part.end === undefined ? Infinity : OF_JUMPS / k),
      );
      return { part, exponent, size: mostBeyond(exponent, least) };
    });
    const enough = sized.reduce((most, { size }) => Math.max(most, size), -Infinity) - DEPTH;
    if (!Number.isFinite(enough)) return null;
    const isLarge = ({ size }: { readonly size: number }): boolean => !(size < enough);
    const lines: Line[] = [];
    for (const { part, exponent } of sized.filter(isLarge)) {
      const line = this.#noise.lineOf(part, exponent.r, { least, most: k }, work);
      if (line === null) return null;
      lines.push(line);
    }
    const small = sized.filter((one) => !isLarge(one)).map(({ exponent }) => exponent);
    return { cut, lines, small };
  }
}
