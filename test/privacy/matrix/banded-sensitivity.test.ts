import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import { bandedSquaredSensitivity, largestSquaredColumnNorm } from '../../../src/privacy/tree-and-band-sensitivity.ts';
import { fc } from '../../reference/properties.ts';
import { shareOf } from '../../reference/share.ts';

const decimals = (values: readonly (number | string)[]): Decimal[] => values.map((value) => new Decimal(value));

/** |sum over the steps of P of sign * column|^2, by the matrix itself, largest over all sets P and signs. */
function worst(values: readonly number[], steps: number, participations: number, separation: number): number {
  const column = (step: number): number[] =>
    Array.from({ length: steps }, (_, row) => (row < step ? 0 : (values[row - step] ?? 0)));
  const from = (step: number, left: number, sum: readonly number[]): number => {
    let most = sum.reduce((all, x) => all + x * x, 0);
    if (left === 0) return most;
    for (let next = step; next < steps; next++) {
      const c = column(next);
      for (const sign of [1, -1]) {
        const moved = sum.map((x, row) => x + sign * c[row]!);
        most = Math.max(most, from(next + separation, left - 1, moved));
      }
    }
    return most;
  };
  return from(0, participations, Array<number>(steps).fill(0));
}

const coefficient = fc.integer({ min: -9, max: 9 });
const pattern = {
  steps: fc.integer({ min: 1, max: 9 }),
  participations: fc.integer({ min: 1, max: 4 }),
};

describe('the sensitivity of a banded matrix mechanism', () => {
  it('is that of the worst steps and directions where participations are as far apart as there are bands', () => {
    fc.assert(
      fc.property(
        fc.record({
          ...pattern,
          values: fc.array(coefficient, { minLength: 1, maxLength: 4 }),
          more: fc.integer({ min: 0, max: 3 }),
        }),
        ({ values, steps, participations, more }) => {
          const separation = values.length + more;
          const square = bandedSquaredSensitivity(decimals(values), { steps, participations, separation });
          expect(square?.toString()).toBe(String(worst(values, steps, participations, separation)));
        },
      ),
      { numRuns: shareOf(1000, 60) },
    );
  });

  it('is so where they are nearer and coefficients never grow, and is not told for others', () => {
    fc.assert(
      fc.property(
        fc.record({
          ...pattern,
          values: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 5 }),
          separation: fc.integer({ min: 1, max: 4 }),
        }),
        ({ values, steps, participations, separation }) => {
          const falling = [...values].sort((a, b) => b - a);
          const square = bandedSquaredSensitivity(decimals(falling), { steps, participations, separation });
          expect(square?.toString()).toBe(String(worst(falling, steps, participations, separation)));
        },
      ),
      { numRuns: shareOf(1000, 60) },
    );
    const near = { steps: 10, participations: 2, separation: 1 };
    expect(bandedSquaredSensitivity(decimals([1, -1]), near)).toBeNull();
    expect(bandedSquaredSensitivity(decimals([1, 2]), near)).toBeNull();
    expect(bandedSquaredSensitivity(decimals([1, 2]), { ...near, participations: 1 })?.toString()).toBe('5');
  });

  it('is exact in decimals, and quick for long runs', () => {
    const coefficients = decimals(['1', '0.5', '0.375', '0.3125']);
    const norm = largestSquaredColumnNorm(coefficients, 1000);
    expect(norm.equals(Rational.ofDecimal(new Decimal('1.48828125')))).toBe(true);
    const apart = { steps: 1e12, participations: 1000, separation: 4 };
    expect(bandedSquaredSensitivity(coefficients, apart)?.equals(norm.times(Rational.of(1000)))).toBe(true);
    // Without bands to share, every row is the sum of all that came before: k (k + 1) (2 k + 1) / 6 for the prefix sums.
    const ones = decimals(Array<number>(100).fill(1));
    expect(bandedSquaredSensitivity(ones, { steps: 100, participations: 100, separation: 1 })?.toString()).toBe(
      '338350',
    );
    const long = bandedSquaredSensitivity(ones, { steps: 1e12, participations: 1e12, separation: 1 });
    expect(long?.toString()).toBe(String(328_350n + (10n ** 12n - 99n) * 10_000n));
  });

  it('cuts columns off where the run ends', () => {
    expect(largestSquaredColumnNorm(decimals([2, 1, 1]), 2).toString()).toBe('5');
    const twice = { steps: 4, participations: 2, separation: 3 };
    expect(bandedSquaredSensitivity(decimals([2, 1, 1]), twice)?.toString()).toBe('10');
  });
});
