import { readFileSync } from 'node:fs';
import { fc } from '../../reference/properties.ts';
import { describe, expect, test } from 'vitest';
import { answer, atDelta, atEpsilon, boundedRange, valueOf } from '../../mechanisms.ts';
import { someOf } from '../../reference/share.ts';

interface Row {
  readonly k: number;
  readonly epsilon: string;
  readonly epsilonTotal: string;
  readonly lower: number;
  readonly upper: number;
}

const golden = JSON.parse(
  readFileSync(new URL('../../../fixtures/golden/adaptive.json', import.meta.url), 'utf8'),
) as readonly Row[];

const adaptiveDelta = (k: number, e: string, total: string, tolerance: number): { lower: number; upper: number } => {
  const options = { tolerance, bounds: ['br-adaptive'] as const };
  const { lower, upper } = valueOf(answer([boundedRange(e, { count: k })], atEpsilon(total), options), 'br-adaptive');
  return { lower: lower ?? NaN, upper };
};

/** V_k(x) by trying `grid` + 1 values of t at every step: an adversary, so never above the truth. */
function bruteForce(k: number, e: number, x: number, grid: number): number {
  if (k === 0) return Math.max(0, -Math.expm1(x));
  let best = 0;
  for (let s = 0; s <= grid; s++) {
    const t = (e * s) / grid;
    const q = -Math.expm1(t - e) / -Math.expm1(-e);
    best = Math.max(best, q * bruteForce(k - 1, e, x - t, grid) + (1 - q) * bruteForce(k - 1, e, x - t + e, grid));
  }
  return best;
}

/** V_2(x) by minimising over t with V_1 in closed form: V_1(x) = best t is (x + e) / 2 for |x| < e. */
function exactTwo(e: number, x: number): number {
  const one = (y: number): number => {
    if (y >= e) return 0;
    if (y <= -e) return -Math.expm1(y);
    const t = (y + e) / 2;
    const q = -Math.expm1(t - e) / -Math.expm1(-e);
    return q * -Math.expm1(y - t);
  };
  let best = 0;
  const at = (t: number): number => {
    const q = -Math.expm1(t - e) / -Math.expm1(-e);
    return q * one(x - t) + (1 - q) * one(x - t + e);
  };
  let centre = e / 2;
  for (let span = e / 2; span > 1e-12; span /= 8) {
    for (let i = -64; i <= 64; i++) {
      const t = Math.min(e, Math.max(0, centre + (span * i) / 64));
      if (at(t) > best) [best, centre] = [at(t), t];
    }
  }
  return best;
}

describe('the adaptive optimum of bounded range', () => {
  test.each(someOf(golden, 7))(
    'overlaps the reference bracket at k = $k, e = $epsilon, eps = $epsilonTotal, 1e-4 wide',
    ({ k, epsilon, epsilonTotal, lower, upper }) => {
      const value = adaptiveDelta(k, epsilon, epsilonTotal, 1e-4);
      expect(value.lower).toBeLessThanOrEqual(upper);
      expect(value.upper).toBeGreaterThanOrEqual(lower);
      expect(value.upper - value.lower).toBeLessThanOrEqual(1e-4 * value.upper);
    },
  );

  test('contains the exact value of two mechanisms', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 0, max: 19 }), (tenths, part) => {
        const [e, x] = [tenths / 10, (2 * tenths * part) / 200];
        const value = adaptiveDelta(2, String(e), String(x), 1e-4);
        const truth = exactTwo(e, x);
        expect(value.lower).toBeLessThanOrEqual(truth * (1 + 1e-10));
        expect(value.upper).toBeGreaterThanOrEqual(truth * (1 - 1e-10));
      }),
      { numRuns: 60, seed: 4 },
    );
  });

  test('is never below an adversary who tries many choices at every step', () => {
    for (const [k, e, x, grid] of [
      [3, 1, 0.5, 60],
      [3, 0.3, 0.2, 60],
      [4, 1, 1, 24],
      [4, 2, 3, 24],
    ] as const) {
      expect(adaptiveDelta(k, String(e), String(x), 1e-4).upper).toBeGreaterThanOrEqual(bruteForce(k, e, x, grid));
    }
  });

  test('certainly exceeds the nonadaptive optimum where the paper proves a gap', () => {
    const fixed = (k: number, e: string, total: string): number =>
      answer([boundedRange(e, { count: k })], atEpsilon(total), { adaptivity: 'nonadaptive' }).delta.upper;
    expect(adaptiveDelta(2, '1', '0.25', 1e-5).lower).toBeGreaterThan(fixed(2, '1', '0.25'));
    expect(adaptiveDelta(4, '1', '1', 1e-4).lower).toBeGreaterThan(fixed(4, '1', '1'));
    expect(adaptiveDelta(10, '1', '4', 1e-4).lower).toBeGreaterThan(fixed(10, '1', '4'));
  });

  test('meets the nonadaptive optimum for |eps| >= (k - 1) e', () => {
    const fixed = answer([boundedRange(1, { count: 4 })], atEpsilon('3.2'), { adaptivity: 'nonadaptive' }).delta;
    const value = adaptiveDelta(4, '1', '3.2', 1e-4);
    expect(value.lower).toBeLessThanOrEqual(fixed.upper);
    expect(value.upper).toBeGreaterThanOrEqual(fixed.lower!);
    expect(value.upper).toBeLessThanOrEqual(fixed.upper * (1 + 1e-4));
  });

  test('costs 100 exponential mechanisms of 0.1 a quarter of a per cent at delta 1e-6', () => {
    const result = answer([boundedRange('0.1', { count: 100 })], atDelta('1e-6'));
    expect(result.bound).toBe('br-adaptive');
    expect(result.epsilon.lower).toBeGreaterThan(2.2503);
    expect(result.epsilon.upper).toBeLessThan(2.2525);
    expect(result.tight).toBe(true);
  });

  test('claims at its upper epsilon what was asked', () => {
    const at = answer([boundedRange('0.3', { count: 20 })], atDelta('1e-5'));
    const back = answer([boundedRange('0.3', { count: 20 })], atEpsilon(at.epsilon.upper));
    expect(back.delta.lower!).toBeLessThanOrEqual(1e-5);
    expect(back.delta.upper).toBeLessThanOrEqual(1e-5 * 1.01);
  });

  test('is never below the nonadaptive optimum just below the largest loss, where rounding of positions matters', () => {
    for (const [k, e, total] of [
      [2, '0.3', '0.59999999999'],
      [2, '1', '1.9999999999'],
      [3, '0.7', '2.0999999999999'],
      [5, '0.3', '1.49999999999999'],
      [7, '0.9', '6.299999999999'],
    ] as const) {
      const fixed = answer([boundedRange(e, { count: k })], atEpsilon(total), { adaptivity: 'nonadaptive' }).delta;
      const value = adaptiveDelta(k, e, total, 1e-3);
      expect(value.upper).toBeGreaterThanOrEqual(fixed.lower!);
      expect(value.lower).toBeLessThanOrEqual(value.upper);
    }
  });

  test('costs exactly nothing where epsilon 0 is enough, adaptively and not', () => {
    for (const adaptivity of ['adaptive', 'nonadaptive'] as const) {
      const result = answer([boundedRange('0.4517991', { count: 2 })], atDelta('0.2'), { adaptivity });
      expect(result.epsilon).toMatchObject({ lower: 0, upper: 0 });
    }
  });

  test('never applies to an interactive or continual mechanism', () => {
    for (const kind of ['interactive', 'continual'] as const) {
      const result = answer([boundedRange('0.1', { count: 10, kind })], atDelta('1e-6'));
      expect(result.bounds.find(({ id }) => id === 'br-adaptive')?.applies).toBe(false);
    }
  });
});
