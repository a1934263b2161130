import { describe, expect, it } from 'vitest';
import { prefixNoise, sharedNorms } from '../../../src/learning/alternatives/leaders.ts';

/** The nodes [from, to) of a binary tree whose leaves add up to the first t. */
function nodesOf(t: number): string[] {
  const nodes: string[] = [];
  for (let from = 0, size = 2 ** Math.floor(Math.log2(t)); from < t; size /= 2) {
    if (from + size > t) continue;
    nodes.push(`${from}-${from + size}`);
    from += size;
  }
  return nodes;
}

describe('noise on a binary tree', () => {
  it.each([1, 2, 3, 4, 5, 7, 8, 100, 127, 128, 129])('has the constants of a tree over %d vectors, counted', (n) => {
    const sums = Array.from({ length: n }, (_, i) => nodesOf(i + 1));
    const most = Math.max(...sums.map((nodes) => nodes.length));
    const released = [...new Set(sums.flat())].map((node) => node.split('-').map(Number) as [number, number]);
    const touched = Array.from(
      { length: n },
      (_, leaf) => released.filter(([from, to]) => from <= leaf && leaf < to).length,
    );
    const { lower, upper } = prefixNoise('tree', n);
    expect(lower).toBeLessThanOrEqual(Math.sqrt(most * Math.max(...touched)));
    expect(upper).toBeGreaterThanOrEqual(Math.sqrt(most * Math.max(...touched)));
    expect(upper - lower).toBeLessThan(1e-14 * upper);
  });

  it('counts digits exactly up to the most rounds', () => {
    expect(prefixNoise('tree', Number.MAX_SAFE_INTEGER).upper).toBeCloseTo(53, 12);
    expect(prefixNoise('tree', 2 ** 52).upper).toBeCloseTo(Math.sqrt(53 * 52), 12);
  });
});

/** binomial(2 k, k) / 4^k for k < n. */
function coefficients(n: number): number[] {
  const found = [1];
  for (let k = 1; k < n; k++) found.push((found[k - 1]! * (2 * k - 1)) / (2 * k));
  return found;
}

describe('noise by the square root of the matrix of sums', () => {
  it('is by a square root', () => {
    const f = coefficients(12);
    for (let t = 0; t < 12; t++) {
      expect(f.slice(0, t + 1).reduce((sum, value, k) => sum + value * f[t - k]!, 0)).toBeCloseTo(1, 12);
    }
  });

  it.each([1, 2, 3, 10, 1000, 100_000])('has at most so much for %d vectors, and little less', (n) => {
    const sum = coefficients(n).reduceRight((total, value) => total + value * value, 0);
    const { upper } = prefixNoise('square-root', n);
    expect(upper).toBeGreaterThanOrEqual(sum * (1 - 1e-12));
    expect(upper - sum).toBeLessThan(0.03);
  });
});

/** x with A x = b, by Gaussian elimination. */
function solved(matrix: readonly (readonly number[])[], b: readonly number[]): number[] {
  const n = b.length;
  const rows = matrix.map((row, i) => [...row, b[i]!]);
  for (let i = 0; i < n; i++) {
    const pivot = rows.slice(i).reduce((best, row) => (Math.abs(row[i]!) > Math.abs(best[i]!) ? row : best));
    rows.splice(rows.indexOf(pivot), 1);
    rows.splice(i, 0, pivot);
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      const factor = rows[j]![i]! / pivot[i]!;
      rows[j] = rows[j]!.map((value, k) => value - factor * pivot[k]!);
    }
  }
  return rows.map((row, i) => row[n]! / row[i]!);
}

/** The noises of sums to a base: a square root of as many rows as a digit counts, in each block of blocks. */
const byDigits = (n: number, radix: number): number[][] => {
  const f = coefficients(radix);
  const sums = Array.from({ length: n }, (_, at) => {
    const noises = new Map<string, number>();
    for (let size = radix ** 4, from = 0; size >= 1; size /= radix) {
      const digit = Math.floor((at + 1 - from) / size);
      for (let i = 0; i < digit; i++) noises.set(`${size}-${from + i * size}`, f[digit - 1 - i]!);
      from += digit * size;
    }
    return noises;
  });
  const all = [...new Set(sums.flatMap((noises) => [...noises.keys()]))];
  return sums.map((noises) => all.map((noise) => noises.get(noise) ?? 0));
};

/** Which independent unit noises make the noise of each sum. */
const NOISES = {
  tree: (n: number): number[][] => {
    const sums = Array.from({ length: n }, (_, i) => nodesOf(i + 1));
    const all = [...new Set(sums.flat())];
    return sums.map((nodes) => all.map((node) => Number(nodes.includes(node))));
  },
  'square-root': (n: number): number[][] => {
    const f = coefficients(n);
    return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (j <= i ? f[i - j]! : 0)));
  },
} as const;

/** sqrt(v' A^-1 v), A the covariance of all sums, of the shift v by which one of n vectors that is replaced shows most. */
function shownBy(rows: readonly (readonly number[])[]): { readonly loudest: number; readonly shown: number } {
  const covariance = rows.map((a) => rows.map((b) => a.reduce((sum, value, k) => sum + value * b[k]!, 0)));
  const shifts = rows.map((_, j) => rows.map((__, t) => Number(t >= j)));
  const shown = shifts.map((v) => solved(covariance, v).reduce((sum, value, t) => sum + value * v[t]!, 0));
  return { loudest: Math.max(...covariance.map((row, t) => row[t]!)), shown: Math.max(...shown) };
}

// Gaussian noise of covariance A hides a shift v as well as one number with noise of 1 hides sqrt(v' A^-1 v).
describe.each(['tree', 'square-root'] as const)('all noisy sums together, by %s', (kind) => {
  it.each([1, 2, 5, 8, 15])('hide one of %d vectors as one statistic with the noise of a sum over gamma does', (n) => {
    const { loudest, shown } = shownBy(NOISES[kind](n));
    expect(Math.sqrt(loudest * shown)).toBeLessThanOrEqual(prefixNoise(kind, n).upper * (1 + 1e-12));
  });
});

describe.each([2, 3, 4, 7])('all noisy sums together, to the base %d', (radix) => {
  it.each([1, 2, 3, 5, 6, 7, 8, 9, 13, 16, 26, 27])('hide one of %d vectors, with bounds on both norms', (n) => {
    const { loudest, shown } = shownBy(byDigits(n, radix));
    const { column, row } = sharedNorms(n, radix);
    expect(loudest).toBeLessThanOrEqual(row.upper * (1 + 1e-12));
    expect(shown).toBeLessThanOrEqual(column.upper * (1 + 1e-12));
    expect(row.upper).toBeLessThan(loudest * 1.1);
  });

  it('agree with trees and square roots', () => {
    expect(byDigits(15, 2).map((row) => row.reduce((a, b) => a + b))).toEqual(
      NOISES.tree(15).map((row) => row.reduce((a, b) => a + b)),
    );
    expect(byDigits(radix - 1, radix)).toEqual(NOISES['square-root'](radix - 1));
  });
});
