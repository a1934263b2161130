import { Arithmetic, type Interval } from '../../bounds/precise/interval.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { exactNormal, FIRST_DIGITS, moreDigits } from '../../numeric/exact-coin.ts';
import type { RandomSource } from '../../numeric/random.ts';
import { digitsOf } from '../alternatives/leaders.ts';
import type { PerturbedLeader } from '../core/setting.ts';
import { UNIT } from './losses.ts';

/** Standard normals that are part of sums, as far as they are known. */
export interface Noise {
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
    const found = near.length === 1 ? near[0]! : this.#least(near, digits, totals);
    rows.pop();
    this.#doubles.pop();
    return found;
  }

  #inDoubles(row: readonly bigint[]): Doubles {
    const rest = BigInt(this.#noise.digits - FIRST_DIGITS);
    const values = Float64Array.from(row, (cell) => Number(cell >> rest) * 2 ** -FIRST_DIGITS);
    return { values, largest: values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) };
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
    const [least, fresh, most] = [-1, 0, 1].map((sign) =>
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
    count(fresh, fresh * error + most - least);
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
    const { rows, digits: known } = this.#noise;
    const a = new Arithmetic(Math.ceil(known * DIGITS_PER_BIT) + SPARE_DIGITS);
    const f = [a.one];
    for (let k = 1; k < Math.max(...digits); k++) {
      f.push(a.divide(a.multiply(f[k - 1]!, a.of(2 * k - 1)), a.of(2 * k)));
    }
    const counts = digits.flatMap((digit) => f.slice(0, digit).reverse());
    const squares = a.sum(counts.map((count) => a.square(count)));
    const missing = a.subtract(a.square(a.of(deviation)), a.multiply(a.square(a.of(node)), squares));
    const scales = [...counts.map((count) => a.multiply(a.of(node), count)), a.squareRoot(missing)];
    const cells = a.of(new Decimal((1n << BigInt(known)).toString()));
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
