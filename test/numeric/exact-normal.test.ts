import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { exactNormal, moreDigits } from '../../src/numeric/exact-coin.ts';
import { Xoshiro, type RandomSource } from '../../src/numeric/random.ts';

const COUNT = 200_000;

/** Phi by a series of positive terms. */
function below(x: number): number {
  let [term, sum] = [x, x];
  for (let k = 3; Math.abs(term) > 1e-18; k += 2) sum += term = (term * x * x) / k;
  return 0.5 + (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}

/** The statistic of Pearson's test. */
const chiSquare = (counts: readonly number[], chances: readonly number[]): number =>
  counts.reduce((sum, found, i) => sum + (found - COUNT * chances[i]!) ** 2 / (COUNT * chances[i]!), 0);

/** What chi-square with so many degrees of freedom exceeds with a chance of about 1e-6 (Wilson and Hilferty 1931). */
const limit = (freedom: number): number => freedom * (1 - 2 / (9 * freedom) + 4.75 * Math.sqrt(2 / (9 * freedom))) ** 3;

describe('an exact normal', () => {
  const source = new Xoshiro(17);
  const drawn = Array.from({ length: COUNT }, () => exactNormal(source));
  const values = drawn.map(({ cell, digits }) => Number(cell) * 2 ** -digits);

  it('has the law of a standard normal, tails included', () => {
    const ends = Array.from({ length: 161 }, (_, i) => (i - 80) / 20);
    const chances = [...ends, Infinity].map((end, i) => {
      const [from, to] = [i === 0 ? 0 : below(ends[i - 1]!), end === Infinity ? 1 : below(end)];
      return to - from;
    });
    const counts = chances.map(() => 0);
    for (const value of values) counts[Math.min(161, Math.max(0, Math.floor(value * 20) + 81))]!++;
    expect(chiSquare(counts, chances)).toBeLessThan(limit(161));
    const beyond = values.filter((value) => Math.abs(value) > 4).length;
    expect(Math.abs(beyond - COUNT * 2 * below(-4))).toBeLessThan(5 * Math.sqrt(COUNT * 2 * below(-4)));
  });

  it('has uniform last digits, whatever the first ones are', () => {
    const bins = Array.from({ length: 32 }, () => 0);
    for (const [i, { cell }] of drawn.entries()) {
      const [first, last] = [values[i]! < -0.5 ? 0 : values[i]! < 0 ? 1 : values[i]! < 0.5 ? 2 : 3, Number(cell & 7n)];
      bins[8 * first + last]!++;
    }
    const inner = below(0) - below(-0.5);
    const chances = [0.5 - inner, inner, inner, 0.5 - inner].flatMap((chance) => Array(8).fill(chance / 8) as number[]);
    expect(chiSquare(bins, chances)).toBeLessThan(limit(31));
  });

  it('is told by so many digits as decided it, and goes on with others', () => {
    // k = 0, x begins with the words 2^31 and 5, and the coin of e^(-x^2 / 2) needs more of x and of its own number, twice.
    const Precise = Decimal.clone({ precision: 80 });
    const x = new Precise(2 ** 31)
      .times(2 ** 32)
      .plus(5)
      .div(new Precise(2).pow(64));
    const near = x.pow(2).div(2).negated().exp().times(new Precise(2).pow(53)).floor();
    const [high, low] = [
      near
        .div(2 ** 32)
        .floor()
        .toNumber(),
      near.mod(2 ** 32).toNumber(),
    ];
    for (const sign of [0, 2 ** 31]) {
      const words = [2 ** 32 - 1, 0, 2 ** 31, 5, (high * 2 ** 11) >>> 0, low, 7, 9, 0, 0, 3, 4, sign];
      const given: RandomSource = { word: () => words.shift()! };
      const { cell, digits } = exactNormal(given);
      const magnitude = [5n, 7n, 9n, 3n, 4n].reduce((so, word) => (so << 32n) | word, 2n ** 31n);
      expect({ cell, digits, words }).toEqual({ cell: sign === 0 ? ~magnitude : magnitude, digits: 192, words: [] });
      const more = moreDigits({ cell, digits }, 64, new Xoshiro(1));
      expect([more.digits, more.cell >> 64n]).toEqual([256, cell]);
    }
  });
});
