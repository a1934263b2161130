import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/numeric/decimal.ts';
import { failureProbability } from '../../src/privacy/failure.ts';
import { fc } from '../reference/properties.ts';

const part = (delta: string, count = 1) => ({ delta: new Decimal(delta), count });
/** 1 - (1-d)^n between its first two and three terms of the binomial series; n d small. */
const betweenSeries = (d: Decimal, n: Decimal): [Decimal, Decimal] => {
  const first = d.times(n);
  const second = first.times(d.times(n.minus(1))).div(2);
  return [first.minus(second), first.minus(second).plus(second.times(d.times(n.minus(2))).div(3))];
};

describe('the probability that something fails', () => {
  it('is exact for short decimals', () => {
    const { lower, upper } = failureProbability([part('0.1'), part('0.2', 2), part('0', 5)]);
    expect(lower.toString()).toBe('0.424');
    expect(upper.toString()).toBe('0.424');
    expect(failureProbability([part('1e-7')]).lower.toString()).toBe('1e-7');
  });
  it('is the same of equal ones, listed apart or counted', () => {
    const apart = [part('0.1'), part('1e-9', 40), part('0.10'), part('1e-9', 2), part('0.1')];
    expect(failureProbability(apart)).toEqual(failureProbability([part('0.1', 3), part('1e-9', 42)]));
    const most = Number.MAX_SAFE_INTEGER;
    const { lower, upper } = failureProbability([part('1e-30', most), part('1e-30', most)]);
    expect(lower.toNumber()).toBeCloseTo(2e-30 * most, 20);
    expect(upper.gte(lower)).toBe(true);
    expect(lower.gt(new Decimal(most).times('1.9e-30'))).toBe(true);
  });
  it('is between the partial sums of its series, whatever the count', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 300 }),
        fc.integer({ min: 100, max: Number.MAX_SAFE_INTEGER }),
        (exponent, count) => {
          const { lower, upper } = failureProbability([part(`1e-${exponent}`, count)]);
          const [least, most] = betweenSeries(new Decimal(10).pow(-exponent), new Decimal(count));
          expect(lower.lte(most)).toBe(true);
          expect(upper.gte(least)).toBe(true);
          expect(upper.minus(lower).lte(upper.times('1e-90'))).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
  it('is certain only if something fails with certainty', () => {
    expect(failureProbability([part('1'), part('0.1')]).lower.toString()).toBe('1');
    const { lower, upper } = failureProbability([part('0.999', 1000)]);
    expect(lower.lt(1)).toBe(true);
    expect(upper.lte(1)).toBe(true);
  });
  it('never is more certain than one mechanism more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 10_000 }), (d, count) => {
        const delta = `${d}e-6`;
        const [fewer, more] = [failureProbability([part(delta, count)]), failureProbability([part(delta, count + 1)])];
        expect(fewer.lower.lte(more.upper)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
