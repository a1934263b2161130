import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { convolveByTransform } from '../../../src/numeric/lattice/fft.ts';
import { precise, sumOf } from '../../reference/precise.ts';

/** sum_j a_j b_(m-j) in decimals. */
const entry = (a: Float64Array, b: Float64Array, m: number) =>
  sumOf(Array.from(a, (x, j) => precise(x).times(precise(b[m - j] ?? 0))));

const sequence = fc
  .tuple(
    fc.integer({ min: 1, max: 70 }),
    fc.double({ min: -30, max: 0, noNaN: true }),
    fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  )
  .map(([length, exponent, seed]) => {
    let state = seed;
    return Float64Array.from({ length }, (_, i) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state / 2 ** 32 - 0.1) * 10 ** ((exponent * i) / length);
    });
  });

describe('convolution by transforms', () => {
  it('errs by at most its stated norm, for sequences of very different sizes', () => {
    fc.assert(
      fc.property(sequence, sequence, fc.double({ min: -12, max: 12, noNaN: true }), (a, b, exponent) => {
        const scaledB = b.map((x) => x * 10 ** exponent);
        const { values, normError } = convolveByTransform(a, scaledB);
        expect(values.length).toBe(a.length + b.length - 1);
        const squares = sumOf(
          Array.from(values, (x, m) =>
            precise(x)
              .minus(entry(a, scaledB, m))
              .pow(2),
          ),
        );
        expect(squares.sqrt().lte(precise(normError))).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
  it('errs by at most its stated norm for a million points, and by far less than that', () => {
    const size = 2 ** 19;
    const a = Float64Array.from({ length: size }, (_, i) => Math.exp(-(((i - size / 2) / (size / 14)) ** 2)));
    const total = a.reduce((sum, x) => sum + x, 0);
    const law = a.map((x) => x / total);
    const { values, normError } = convolveByTransform(law, law);
    expect(normError).toBeLessThan(1e-12);
    for (const m of [0, 1000, size / 2, size - 1, size, size + 12345, 2 * size - 2]) {
      let direct = 0;
      for (let j = Math.max(0, m - size + 1); j <= Math.min(m, size - 1); j++) direct += law[j]! * law[m - j]!;
      expect(Math.abs(values[m]! - direct)).toBeLessThanOrEqual(normError);
    }
  });
});
