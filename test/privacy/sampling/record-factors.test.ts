import { expect, it } from 'vitest';
import { Rational } from '../../../src/numeric/rational.ts';
import { recordFactors } from '../../../src/privacy/sampling/record-factors.ts';
import { fc } from '../../reference/properties.ts';
import { logMixture } from '../../../src/privacy/sampling/ratio.ts';

const logSum = (terms: readonly number[]): number => {
  const top = Math.max(...terms);
  return top + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - top), 0));
};

/** ln of sum_m Bin(m; k, q) e^(m mu u - m^2 mu^2 / 2), term by term. */
function logOfSum(k: number, q: number, mu: number, u: number): number {
  let choose = 0;
  const terms = Array.from({ length: k + 1 }, (_, m) => {
    if (m > 0) choose += Math.log((k - m + 1) / m);
    return choose + m * Math.log(q) + (k - m) * Math.log1p(-q) + m * mu * u - (m * m * mu * mu) / 2;
  });
  return logSum(terms);
}

it('the factors of several records multiply to the likelihood ratio', () => {
  const records = fc.integer({ min: 2, max: 14 });
  const parts = fc.integer({ min: 1, max: 999 });
  fc.assert(
    fc.property(records, parts, fc.double({ min: 0.02, max: 4, noNaN: true }), (k, part, mu) => {
      const { factors, shift, logWeights } = recordFactors({ rate: Rational.of(part, 1000) }, mu, k)!;
      expect(factors).toHaveLength(k);
      expect(Math.abs(logSum(logWeights))).toBeLessThan(1e-13);
      for (const u of [-9, -2, -0.3, 0, 0.1, 1, 3, 9, 9 + k * mu]) {
        const product = factors.reduce((sum, rates) => sum + logMixture(rates, mu * u + shift), 0);
        const sum = logOfSum(k, part / 1000, mu, u);
        expect(Math.abs(product - sum)).toBeLessThan(1e-12 * (1 + k * k * mu * (Math.abs(u) + mu)));
      }
    }),
    { numRuns: 60 },
  );
});

it('the factors of records of different rates multiply to their likelihood ratio', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(parts, fc.double({ min: 0.02, max: 4, noNaN: true }), (all, mu) => {
      const own = all.map((part) => Rational.of(part, 1000)).sort((a, b) => b.compare(a));
      const { factors, shift } = recordFactors({ rate: own[0]!, own }, mu, own.length)!;
      const sets = Array.from({ length: 2 ** all.length }, (_, set) => all.map((_part, j) => (set >> j) % 2 === 1));
      for (const u of [-9, -2, 0, 0.1, 3, 9 + all.length * mu]) {
        const terms = sets.map((drawn) => {
          const m = drawn.filter(Boolean).length;
          const log = all.reduce((sum, part, j) => sum + Math.log((drawn[j] ? part : 1000 - part) / 1000), 0);
          return log + m * mu * u - (m * m * mu * mu) / 2;
        });
        const product = factors.reduce((sum, rates) => sum + logMixture(rates, mu * u + shift), 0);
        const size = 1 + all.length ** 2 * mu * (Math.abs(u) + mu);
        expect(Math.abs(product - logSum(terms))).toBeLessThan(1e-12 * size);
      }
    }),
    { numRuns: 30 },
  );
});

it('hundreds of records have few factors, whose product is the likelihood ratio where it matters', () => {
  for (const [part, mu, k] of [
    [1, 0.5, 100],
    [3, 0.1, 256],
    [1, 0.02, 1000],
    [2, 2, 64],
  ] as const) {
    const { factors, shift, isReduced } = recordFactors({ rate: Rational.of(part, 1000) }, mu, k)!;
    expect(isReduced).toBe(true);
    expect(factors.length).toBeLessThanOrEqual(k);
    for (const u of [-9, -2, -0.3, 0, 0.1, 1, 3, 9, 18]) {
      const product = factors.reduce((sum, factor) => sum + factor.power * logMixture(factor, mu * u + shift), 0);
      const sum = logOfSum(k, part / 1000, mu, u);
      expect(Math.abs(product - sum)).toBeLessThan(1e-12 * (1 + k * mu * (Math.abs(u) + mu)));
    }
  }
});

it('so many records, drawn so often, that no few factors do are none', () => {
  expect(recordFactors({ rate: Rational.of(1, 2) }, 1, 1000)).toBeNull();
});

it('noise may be large or small beside the sensitivity', () => {
  for (const [mu, k] of [
    [1e-4, 12],
    [8, 3],
  ] as const) {
    const { factors, shift } = recordFactors({ rate: Rational.of(1, 50) }, mu, k)!;
    for (const u of [-3, 2]) {
      const product = factors.reduce((sum, rates) => sum + logMixture(rates, mu * u + shift), 0);
      expect(product / logOfSum(k, 0.02, mu, u)).toBeCloseTo(1, mu < 1e-3 ? 5 : 9);
    }
  }
});
