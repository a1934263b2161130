import { describe, expect, it } from 'vitest';
import { largestNormal } from '../../../src/learning/alternatives/leaders.ts';

// Means of the largest of d standard normals; up to 5 in closed form (Godwin 1949), then by quadrature to ten digits.
const MEANS = [
  [2, 1 / Math.sqrt(Math.PI)],
  [3, 1.5 / Math.sqrt(Math.PI)],
  [4, 1.0293753730039641],
  [5, 1.1629644736405196],
  [10, 1.5387527308],
  [100, 2.5075936386],
  [1000, 3.2414357691],
] as const;

describe('the largest of d standard normals', () => {
  it.each(MEANS)('of %d has at most this mean, and not much less', (d, mean) => {
    expect(largestNormal(d)).toBeGreaterThanOrEqual(mean - 1e-9);
    expect(largestNormal(d)).toBeLessThanOrEqual(mean + 1 / 128);
  });

  it('is below sqrt(2 ln d) and grows, up to the most experts', () => {
    let before = 0;
    for (const d of [2, 7, 50, 1e4, 1e9, Number.MAX_SAFE_INTEGER]) {
      const found = largestNormal(d);
      expect(found).toBeLessThan(Math.sqrt(2 * Math.log(d)));
      expect(found).toBeGreaterThan(before);
      before = found;
    }
  });
});
