import { describe, expect, it } from 'vitest';
import { convexMinimum, type Node } from '../../../src/numeric/convex/minimum.ts';
import { enclosure, exactly } from '../../../src/numeric/enclosure.ts';
import { fc } from '../../reference/properties.ts';

const minimumOf = (f: (x: number) => number, noise: number, tolerance: number, to = 1e6) => {
  let evaluations = 0;
  const evaluate = (x: number): Node => {
    evaluations++;
    return { x: exactly(x), value: enclosure(f(x) * (1 - noise), f(x) * (1 + noise)) };
  };
  const found = convexMinimum({
    evaluate,
    atZero: exactly(f(0)),
    atEnd: enclosure(f(to), Infinity),
    to,
    slopes: enclosure(-1e12, 1e12),
    first: [0.5, 2].map(evaluate),
    tolerance,
  });
  return { ...found, evaluations };
};

const NOISES = fc.constantFrom(0, 1e-13, 1e-9, 1e-5);

describe('the minimum of a convex function', () => {
  it('is enclosed where it is smooth, as near as the values are known', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-5, max: 1e5, noNaN: true }), NOISES, (at, noise) => {
        const f = (x: number): number => 1 + (x / at - 1) ** 2;
        const { lower, upper, evaluations } = minimumOf(f, noise, 1e-10);
        expect(lower).toBeLessThanOrEqual(1);
        expect(upper).toBeGreaterThanOrEqual(1 - noise);
        expect(upper - lower).toBeLessThan(1e-9 + 50 * noise);
        expect(evaluations).toBeLessThan(100);
      }),
      { numRuns: 1000 },
    );
  });

  it('is enclosed at a corner', () => {
    const slope = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 1e-5, max: 1e5, noNaN: true }), slope, slope, (at, down, up) => {
        const f = (x: number): number => 1 + Math.max(down * (1 - x / at), up * (x / at - 1));
        const { lower, upper, evaluations } = minimumOf(f, 1e-12, 1e-10);
        expect(lower).toBeLessThanOrEqual(1);
        expect(upper).toBeGreaterThanOrEqual(1);
        expect(upper - lower).toBeLessThan(2e-9);
        expect(evaluations).toBeLessThan(60);
      }),
      { numRuns: 1000 },
    );
  });

  it('is at an end where the function only rises', () => {
    const { lower, upper } = minimumOf((x) => 1 + x, 0, 1e-12);
    expect(lower).toBeCloseTo(1, 12);
    expect(upper).toBe(1);
  });
});
