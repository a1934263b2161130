import { describe, expect, it } from 'vitest';
import { enclosure, exactly } from '../../src/numeric/enclosure.ts';
import { approximateQuantile, normalQuantile } from '../../src/numeric/normal.ts';
import { nextDown, nextUp } from '../../src/numeric/rounding.ts';
import { normalTailOf } from '../reference/normal-tail.ts';
import { fc } from '../reference/properties.ts';

const quantile = (p: number) => normalQuantile(exactly(p), enclosure(nextDown(1 - p), nextUp(1 - p)));

describe('the normal quantile', () => {
  it('has the probability on both sides of its ends, which are near', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.double({ min: 1e-3, max: 0.999, noNaN: true }),
          fc.integer({ min: -30, max: -1 }).map((exponent) => 10 ** exponent),
        ),
        (p) => {
          const { lower, upper }: { lower: number; upper: number } = quantile(p);
          expect(normalTailOf(-lower).lte(p)).toBe(true);
          expect(normalTailOf(-upper).gte(p)).toBe(true);
          expect(upper - lower).toBeLessThan(1e-12);
          expect(Math.abs(approximateQuantile(p) - lower)).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is known at 1 in a million', () => {
    expect(quantile(1e-6).lower).toBeCloseTo(-4.753424308822899, 12);
  });
});
