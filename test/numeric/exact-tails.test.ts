import { describe, expect, it } from 'vitest';
import { fc } from '../reference/properties.ts';
import {
  binomialAtLeast,
  binomialAtMost,
  binomialExactly,
  disjointSamples,
  equalBatches,
  hypergeometricAtLeast,
  hypergeometricAtMost,
  hypergeometricExactly,
} from '../../src/numeric/exact-tails.ts';
import { encloseRational, Rational } from '../../src/numeric/rational.ts';

/** At most this far above the truth, relatively. */
const WIDTH = 1e-11;

/** That an upper bound is one, and a narrow one. */
function expectAbove(bound: number, truth: number): void {
  expect(bound).toBeGreaterThanOrEqual(truth * (1 - 4e-16));
  expect(bound).toBeLessThanOrEqual(truth * (1 + WIDTH));
}

function choose(n: number, k: number): bigint {
  if (k < 0 || k > n) return 0n;
  let value = 1n;
  for (let i = 1; i <= k; i++) value = (value * BigInt(n - k + i)) / BigInt(i);
  return value;
}

const quotient = (above: bigint, below: bigint): number => encloseRational(Rational.of(above, below)).upper;
const total = (values: readonly bigint[]): bigint => values.reduce((sum, each) => sum + each, 0n);
const upTo = (n: number): number[] => Array.from({ length: n + 1 }, (_, i) => i);

describe('tails by sums of 40 digits', () => {
  it('are enclosed from above', () => {
    const law = { all: 60000, marked: 256, drawn: 256 };
    expectAbove(binomialAtLeast(60000, 0.005, 400), 2.0262457049551404e-8);
    expectAbove(binomialAtMost(60000, Rational.of(1, 200), 220), 7.180367773389814e-7);
    expectAbove(binomialExactly(60000, Rational.of(256, 60000), 256), 0.024979122958917695);
    expectAbove(hypergeometricAtLeast(law, 9), 1.8403389983310563e-6);
    expectAbove(hypergeometricAtMost({ all: 1000, marked: 100, drawn: 100 }, 2), 0.0013193116874176739);
    expectAbove(hypergeometricExactly(law, 0), 0.33389084521481405);
    expectAbove(equalBatches(4, 5), 0.010670869436580688);
    expectAbove(disjointSamples(4, 5, 20), 2.0306009912913325e-7);
    expectAbove(disjointSamples(3, 5, 20), 0.003148243776898082);
  });
});

const rates = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 30 }));

describe('tails of small laws, counted', () => {
  it('of binomial ones are above the sums, and 1 where they say nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), rates, fc.nat(40), (n, [above, more], s) => {
        const below = above + more;
        const weights = upTo(n).map((i) => choose(n, i) * BigInt(above) ** BigInt(i) * BigInt(more) ** BigInt(n - i));
        const all = BigInt(below) ** BigInt(n);
        const [atLeast, atMost] = [total(weights.slice(s)), total(weights.slice(0, s + 1))];
        const chance = Rational.of(above, below);
        const [high, low] = [binomialAtLeast(n, encloseRational(chance).upper, s), binomialAtMost(n, chance, s)];
        if (high < 1) expectAbove(high, quotient(atLeast, all));
        if (low < 1) expectAbove(low, quotient(atMost, all));
        if (s * below > n * above && s <= n) expect(high).toBeLessThan(1);
        if (s <= n) expectAbove(binomialExactly(n, chance, s), quotient(weights[s]!, all));
      }),
    );
  });

  it('of hypergeometric ones are above the sums', () => {
    const laws = fc
      .integer({ min: 1, max: 40 })
      .chain((all) => fc.record({ all: fc.constant(all), marked: fc.nat(all), drawn: fc.nat(all) }));
    fc.assert(
      fc.property(laws, fc.nat(41), (law, s) => {
        const { all, marked, drawn } = law;
        const weights = upTo(drawn).map((k) => choose(marked, k) * choose(all - marked, drawn - k));
        const whole = choose(all, drawn);
        const [high, low] = [hypergeometricAtLeast(law, s), hypergeometricAtMost(law, s)];
        if (high < 1) expectAbove(high, quotient(total(weights.slice(s)), whole));
        if (low < 1) expectAbove(low, quotient(total(weights.slice(0, s + 1)), whole));
        expectAbove(hypergeometricExactly(law, s), quotient(weights[s] ?? 0n, whole));
      }),
    );
  });

  it('of batches of one size are those of multinomials, and of samples without a common record those of products', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }), fc.nat(5), (t, b, more) => {
        const all = t * b;
        const ways = upTo(t - 1).reduce((product, j) => product * choose(all - j * b, b), 1n);
        expectAbove(equalBatches(t, b), quotient(ways, BigInt(t) ** BigInt(all)));
        const n = all + more;
        const apart = upTo(t - 1).reduce((product, j) => product * choose(n - j * b, b), 1n);
        if (n > b) expectAbove(disjointSamples(t, b, n), quotient(apart, choose(n, b) ** BigInt(t)));
      }),
    );
  });
});
