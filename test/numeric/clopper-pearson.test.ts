import { describe, expect, it } from 'vitest';
import { clopperPearson } from '../../src/numeric/binomial.ts';
import { Xoshiro } from '../../src/numeric/random.ts';
import { Rational } from '../../src/numeric/rational.ts';
import { RationalCoin } from '../../src/numeric/exact-coin.ts';

/** P[X >= s] for X binomial (n, p), exactly. */
function tail(s: number, n: number, p: Rational): Rational {
  const q = Rational.ONE.minus(p);
  let choose = Rational.ONE;
  let sum = Rational.ZERO;
  for (let i = 0; i <= n; i++) {
    if (i > 0) choose = choose.times(Rational.of(n - i + 1, i));
    if (i >= s) sum = sum.plus(choose.times(p.power(i)).times(q.power(n - i)));
  }
  return sum;
}

/** A double as an exact fraction. */
const exactly = (x: number): Rational => Rational.of(BigInt(Math.round(x * 2 ** 60)), 2n ** 60n);

describe('the Clopper-Pearson interval', () => {
  it.each([
    [2683, 10000, 0.99, 0.2569499119981109, 0.27987179832239767],
    [0, 10, 0.95, 0, 0.3084971078187607],
    [10, 10, 0.95, 0.6915028921812392, 1],
    [1, 1, 0.99, 0.0050000000000000044, 1],
    [3, 7, 0.9, 0.12875639280424267, 0.7746784159675522],
    [27, 10000, 0.99, 0.0015498774720194856, 0.004346099592287289],
    [500000, 1000000, 0.99, 0.4987115878088738, 0.5012884121911262],
    [1, 1000000, 0.999, 5.001250415572358e-10, 9.998632510311352e-6],
  ])(
    'of %i successes in %i at %d is that of the quantiles of beta laws',
    (successes, trials, confidence, low, high) => {
      const { lower, upper } = clopperPearson(successes, trials, confidence);
      expect(Math.abs(lower - low)).toBeLessThanOrEqual(1e-9 * low);
      expect(Math.abs(upper - high)).toBeLessThanOrEqual(1e-9 * high);
    },
  );

  it('leaves at most half of the risk beyond each end, and hardly less', () => {
    for (const [successes, trials, confidence] of [
      [3, 7, 0.9],
      [1, 30, 0.99],
      [29, 30, 0.99],
      [12, 25, 0.95],
    ] as const) {
      const { lower, upper } = clopperPearson(successes, trials, confidence);
      const half = Rational.of(BigInt(Math.round((1 - confidence) * 1e6)), 2_000_000n);
      const nearly = half.times(Rational.of(999_999, 1_000_000));
      const above = tail(successes, trials, exactly(lower));
      const below = Rational.ONE.minus(tail(successes + 1, trials, exactly(upper)));
      for (const chance of [above, below]) {
        expect(chance.compare(half)).toBeLessThanOrEqual(0);
        expect(chance.compare(nearly)).toBeGreaterThan(0);
      }
    }
  });

  it('reaches 0 without a success, and 1 without a failure', () => {
    expect(clopperPearson(0, 1_000_000, 0.99).lower).toBe(0);
    expect(clopperPearson(1_000_000, 1_000_000, 0.99).upper).toBe(1);
    expect(clopperPearson(0, 1_000_000, 0.99).upper).toBeLessThan(5.4e-6);
  });

  it('contains the truth at least as often as it says', () => {
    const coin = new RationalCoin(Rational.of(3, 10));
    const source = new Xoshiro(2);
    let inside = 0;
    for (let trial = 0; trial < 1000; trial++) {
      let successes = 0;
      for (let i = 0; i < 50; i++) if (coin.toss(source)) successes++;
      const { lower, upper } = clopperPearson(successes, 50, 0.9);
      if (lower <= 0.3 && upper >= 0.3) inside++;
    }
    expect(clopperPearson(inside, 1000, 0.999).upper).toBeGreaterThan(0.9);
  });
});
