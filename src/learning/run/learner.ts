import { Arithmetic, type Interval } from '../../bounds/precise/interval.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { exponentialCoin, exactNormal, FIRST_DIGITS, moreDigits } from '../../numeric/exact-coin.ts';
import { below, type RandomSource } from '../../numeric/random.ts';
import { Rational } from '../../numeric/rational.ts';
import { digitsOf } from '../alternatives/leaders.ts';
import { learnerOf, type Runnable, type WithoutY, type PerturbedLeader } from '../core/setting.ts';
import { UNIT } from './losses.ts';

/** Standard normals that are part of sums, as far as they are known. */
interface Noise {
  /** Of all of them so many binary digits after the point are known ({@link exactNormal}). */
  digits: number;
  /** Rows of them, one for each expert, in the order in which the batches that they hide came. */
  readonly rows: bigint[][];
}

/** No sum was asked for. */
export const noNoise = (): Noise => ({ digits: FIRST_DIGITS, rows: [] });

const DIGITS_PER_BIT = Math.log10(2);

/** Decimal digits beyond those of the normals. */
const SPARE_DIGITS = 40;

/** A row of noise in doubles, each off by at most 2^-53 (1 + its magnitude), and the largest magnitude. */
interface Doubles {
  readonly values: Float64Array;
  readonly largest: number;
}

/**
 * The expert whose sum of losses with Gaussian noise is least, exactly: real numbers are compared, of which as many digits are drawn
 * as that takes.
 *
 * Sum t is that of the first t batches. Its noise is, for each digit a of t to the base `radix`, the sum of f_(a - i) z_i over
 * i = 1..a, f_k = binomial(2 k, k) / 4^k, z_i the rows of the blocks that the digit counts, with the deviation `node`; and fresh noise
 * that brings all sums to the variance `deviation`^2. With t + 1 the rows of blocks that are parts of a larger one are used no more.
 *
 * So what is played is made of the Gaussian mechanism of `leaders.ts` itself, in real numbers. Doubles decide with a bound on their
 * error, and otherwise decimal intervals; digits that were not drawn are uniform, whatever was played before.
 */
export class NoisySums {
  readonly #setting: PerturbedLeader;
  readonly #noise: Noise;
  readonly #source: RandomSource;
  /** f_k, and the sum of the squares of those before, each off by at most a relative k 2^-51. */
  readonly #weights = [1];
  readonly #squares = [0, 1];
  readonly #doubles: Doubles[];

  constructor(setting: PerturbedLeader, noise: Noise, source: RandomSource) {
    [this.#setting, this.#noise, this.#source] = [setting, noise, source];
    this.#doubles = noise.rows.map((row) => this.#inDoubles(row));
  }

  /** Who leads after t batches, t >= 1; to be asked once after each batch. */
  leader(t: number, totals: Float64Array): number {
    const { rows } = this.#noise;
    const digits = digitsOf(t, this.#setting.radix);
    rows.length = digits.reduce((a, b) => a + b) - 1;
    this.#doubles.length = rows.length;
    this.#draw(totals.length);
    // The fresh noise is known to as many digits as the rows, while it is needed.
    this.#draw(totals.length);
    const near = this.#nearLeast(digits, totals);
    const expert = near.length === 1 ? near[0]! : this.#least(near, digits, totals);
    rows.pop();
    this.#doubles.pop();
    return expert;
  }

  #inDoubles(row: readonly bigint[]): Doubles {
    const rest = BigInt(this.#noise.digits - FIRST_DIGITS);
    const values = Float64Array.from(row, (cell) => Number(cell >> rest) * 2 ** -FIRST_DIGITS);
    return { values, largest: values.reduce((max, value) => Math.max(max, Math.abs(value)), 0) };
  }

  #draw(experts: number): void {
    const row: bigint[] = [];
    this.#noise.rows.push(row);
    while (row.length < experts) {
      const { cell, digits } = exactNormal(this.#source);
      if (digits > this.#noise.digits) this.#refine(digits - this.#noise.digits);
      const more = this.#noise.digits - digits;
      row.push(moreDigits({ cell, digits }, more, this.#source).cell);
    }
    this.#doubles.push(this.#inDoubles(row));
  }

  /** Draws more digits of every normal. */
  #refine(more: number): void {
    const { rows, digits } = this.#noise;
    for (const row of rows) row.forEach((cell, i) => (row[i] = moreDigits({ cell, digits }, more, this.#source).cell));
    this.#noise.digits += more;
  }

  /** The experts that may have the least sum, as far as doubles tell. */
  #nearLeast(digits: readonly number[], totals: Float64Array): readonly number[] {
    const [f, squares] = [this.#weights, this.#squares];
    for (let k = f.length; k < Math.max(...digits); k++) {
      f.push((f[k - 1]! * (2 * k - 1)) / (2 * k));
      squares.push(squares[k]! + f[k]! ** 2);
    }
    const [node, deviation] = [this.#setting.node.toNumber() * UNIT, this.#setting.deviation.toNumber() * UNIT];
    // All that follows is off by less than this, relatively to the sum of the magnitudes.
    const error = (4 * this.#doubles.length + 64) * 2 ** -52;
    const missing = deviation ** 2 - node ** 2 * digits.reduce((sum, digit) => sum + squares[digit]!, 0);
    const [lowerFresh, fresh, upperFresh] = [-1, 0, 1].map((sign) =>
      Math.sqrt(Math.max(0, missing + sign * error * deviation ** 2)),
    ) as [number, number, number];
    const base = totals.reduce((a, b) => Math.min(a, b), Infinity);
    const sums = totals.map((total) => total - base);
    const margins = sums.map((excess) => excess * error);
    let [row, margin] = [0, 0];
    const count = (scale: number, off: number): void => {
      const { values, largest } = this.#doubles[row++]!;
      margin += off * (largest + 1);
      for (let i = 0; i < sums.length; i++) sums[i]! += scale * values[i]!;
    };
    for (const digit of digits) for (let k = digit - 1; k >= 0; k--) count(node * f[k]!, node * f[k]! * error);
    count(fresh, fresh * error + upperFresh - lowerFresh);
    const bound = sums.reduce((so, sum, i) => Math.min(so, sum + margins[i]! + margin), Infinity);
    // What is not a number tells nothing.
    return Array.from(sums.keys()).filter((i) => !(sums[i]! - margins[i]! - margin > bound));
  }

  /** Which of some experts has the least sum. */
  #least(experts: readonly number[], digits: readonly number[], totals: Float64Array): number {
    for (let near = experts; ;) {
      const sums = this.#enclosed(near, digits, totals);
      const bound = sums.reduce((so, { upper }) => Decimal.min(so, upper), new Decimal(Infinity));
      near = near.filter((_, at) => sums[at]!.lower.lte(bound));
      if (near.length === 1) return near[0]!;
      this.#refine(FIRST_DIGITS);
    }
  }

  /** Sums of some experts between decimals, in losses. */
  #enclosed(experts: readonly number[], digits: readonly number[], totals: Float64Array): readonly Interval[] {
    const { node, deviation } = this.#setting;
    const { rows, digits: binaryDigits } = this.#noise;
    const a = new Arithmetic(Math.ceil(binaryDigits * DIGITS_PER_BIT) + SPARE_DIGITS);
    const f = [a.one];
    for (let k = 1; k < Math.max(...digits); k++) {
      f.push(a.divide(a.multiply(f[k - 1]!, a.of(2 * k - 1)), a.of(2 * k)));
    }
    const counts = digits.flatMap((digit) => f.slice(0, digit).reverse());
    const squares = a.sum(counts.map((count) => a.square(count)));
    const missing = a.subtract(a.square(a.of(deviation)), a.multiply(a.square(a.of(node)), squares));
    const scales = [...counts.map((count) => a.multiply(a.of(node), count)), a.squareRoot(missing)];
    const cells = a.of(new Decimal((1n << BigInt(binaryDigits)).toString()));
    const valueOf = (cell: bigint): Interval => {
      const ends = a.between(new Decimal(cell.toString()), new Decimal((cell + 1n).toString()));
      return a.divide(ends, cells);
    };
    return experts.map((i) =>
      a.sum([
        a.divide(a.of(totals[i]!), a.of(UNIT)),
        ...rows.map((row, r) => a.multiply(scales[r]!, valueOf(row[i]!))),
      ]),
    );
  }
}

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
    let smallest = Infinity;
    for (const total of totals) if (total < smallest) smallest = total;
    for (;;) {
      const expert = below(totals.length, source);
      if (exponentialCoin(ofLoss(totals[expert]! - smallest), source)) return expert;
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
