import { describe, expect, it } from 'vitest';
import { minimumNear } from '../../../src/numeric/convex/minimum-near.ts';

const BOUNDS = { from: 1e-12, to: 1e15, tolerance: 1e-6 };

/** f, and how often it was asked. */
function counted(f: (x: number) => number): { readonly f: (x: number) => number; readonly count: () => number } {
  let count = 0;
  return { f: (x) => (count++, f(x)), count: () => count };
}

const valley =
  (lowest: number) =>
  (x: number): number =>
    x / lowest - Math.log(x / lowest);

describe('the minimum near a point', () => {
  it.each([1e-11, 1e-3, 1, 7, 1e14])('is found from anywhere: at %d', (lowest) => {
    for (const near of [1e-12, 1e-6, 1, 1e6, 1e15]) {
      expect(Math.log(minimumNear(valley(lowest), near, BOUNDS) / lowest)).toBeCloseTo(0, 5);
    }
  });

  it('is an end of the interval where the function falls towards it', () => {
    expect(minimumNear((x) => -x, 1, BOUNDS)).toBeCloseTo(1e15, -6);
    expect(minimumNear((x) => x, 1, BOUNDS) / 1e-12).toBeCloseTo(1, 5);
  });

  it('is found where the function is infinite from some point on, and looked for there', () => {
    const f = (x: number): number => (x > 1e-3 ? Infinity : valley(1e-5)(x));
    for (const near of [1, 1e12]) expect(minimumNear(f, near, BOUNDS) / 1e-5).toBeCloseTo(1, 4);
  });

  it('takes few looks where it is near', () => {
    const { f, count } = counted(valley(1));
    minimumNear(f, 1.1, { ...BOUNDS, tolerance: 1e-3 });
    expect(count()).toBeLessThan(14);
  });

  it('is found where a function has a corner', () => {
    const f = (x: number): number => Math.abs(Math.log(x / 3));
    expect(minimumNear(f, 100, BOUNDS)).toBeCloseTo(3, 4);
  });
});
