import { describe, expect, it } from 'vitest';
import {
  gridOfWholes,
  largestAllowed,
  lastBelow,
  leastOnLogScale,
  leastWhole,
} from '../../../src/learning/planning/search.ts';

describe('searches', () => {
  it('find the last place where a function that grows is not above 0', () => {
    for (const root of [1.0001, 2, 7.5, 99]) {
      for (const f of [
        (x: number) => Math.log(x / root),
        (x: number) => x ** 5 - root ** 5,
        (x: number) => (x > root ? Infinity : -1),
      ]) {
        const found = lastBelow(f, 1, 100, 1e-4)!;
        expect(f(found)).toBeLessThanOrEqual(0);
        expect(found / root).toBeGreaterThan(1 - 2e-4);
      }
    }
    expect(lastBelow((x) => x - 0.5, 1, 100, 1e-4)).toBeNull();
    expect(lastBelow((x) => x - 200, 1, 100, 1e-4)).toBe(100);
    expect(lastBelow((x) => (x < 3 ? -Infinity : 1), 1, 100, 1e-4)).toBeCloseTo(3, 3);
  });

  it('find the largest that is allowed', () => {
    expect(largestAllowed((x) => x <= 3, 1, 100, 30)).toBeCloseTo(3, 6);
    expect(largestAllowed((x) => x <= 3, 1, 2, 30)).toBe(2);
    expect(largestAllowed(() => false, 1, 2, 30)).toBeNull();
  });

  it('find the least of a function that falls, then rises', () => {
    expect(leastOnLogScale((x) => x + 9 / x, 0.01, 1000, 40).at).toBeCloseTo(3, 3);
    const grid = gridOfWholes(5000, 4, 1.6);
    expect(grid.slice(0, 6)).toEqual([1, 2, 3, 4, 6, 10]);
    expect(grid.at(-1)).toBe(5000);
    for (const best of [1, 2, 17, 1234, 5000]) {
      expect(leastWhole((n) => (n - best) ** 2, grid)).toEqual({ at: best, value: 0 });
    }
    expect(gridOfWholes(1, 4, 1.6)).toEqual([1]);
  });
});
