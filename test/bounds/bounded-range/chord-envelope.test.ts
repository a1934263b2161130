import { describe, expect, it } from 'vitest';
import { chordEnds, chordsOf } from '../../../src/bounds/bounded-range/adaptive-chords.ts';
import { raiseToChords } from '../../../src/bounds/bounded-range/chord-envelope.ts';
import { fc } from '../../reference/properties.ts';

/** Weights and places of hockey sticks: a mixture of them is convex and decreasing in e^x. */
const sticks = fc.array(
  fc.record({
    weight: fc.double({ min: 0.01, max: 1, noNaN: true }),
    place: fc.double({ min: -1.5, max: 1.5, noNaN: true }),
  }),
  { minLength: 1, maxLength: 5 },
);
const grids = fc.record({
  magnitude: fc.double({ min: -12, max: 2, noNaN: true }),
  cells: fc.integer({ min: 2, max: 40 }),
  parts: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2 ** 20 - 1 })),
});
type GridOf = typeof grids extends fc.Arbitrary<infer T> ? T : never;

const TRIED = 400;
const STATES = 6;

/** States around `middle`, raised from the values of a curve at the grid points. */
function raised({ magnitude, cells, parts }: GridOf, middle: number, valueAt: (x: number, e: number) => number) {
  const fraction = parts / 2 ** 20;
  const h = 10 ** magnitude / (cells + fraction);
  const chords = chordsOf({ cells, fraction }, h);
  const { e, stride, times } = chords;
  const reach = cells + 2;
  const state = Math.round((middle * e) / h);
  const known = Float64Array.from({ length: STATES + 2 * reach + 1 }, (_, n) => valueAt((state + n - reach) * h, e));
  const values = new Float64Array(STATES + 1);
  const chosen = new Int32Array(STATES + 1);
  const range = { origin: stride * reach, first: 0, last: times.length - 1 };
  raiseToChords(chords, chordEnds(chords, h, known), range, { values, chosen }, 0);
  /** The value at `place` steps from the first state, linear in e^x between grid points. */
  const between = (place: number): number => {
    const whole = Math.min(Math.max(Math.floor(place), -reach), STATES + reach - 1);
    const share = Math.expm1((place - whole) * h) / Math.expm1(h);
    return known[whole + reach]! + share * (known[whole + reach + 1]! - known[whole + reach]!);
  };
  const chord = (i: number, t: number): number => {
    const down = Math.expm1((t - (cells + fraction)) * h) / Math.expm1(-e);
    const up = (Math.exp((t - (cells + fraction)) * h) * Math.expm1(-t * h)) / Math.expm1(-e);
    return down * between(i - t) + up * between(i - t + cells + fraction);
  };
  return { values, chosen, chord, chords, h, x: (i: number): number => (state + i) * h };
}

describe('the highest chords of a curve', () => {
  it('are never below a chord of the curve, whatever e is and whether or not the grid divides it', () => {
    fc.assert(
      fc.property(grids, sticks, fc.double({ min: -1, max: 1, noNaN: true }), (grid, mixture, middle) => {
        const curve = (x: number, e: number): number =>
          mixture.reduce((sum, { weight, place }) => sum + weight * Math.max(0, -Math.expm1(x - place * e)), 0);
        const { values, chords, x } = raised(grid, middle, curve);
        const { e } = chords;
        values.forEach((value, i) => {
          for (let tried = 0; tried <= TRIED; tried++) {
            const t = (e * tried) / TRIED;
            const down = -Math.expm1(t - e) / -Math.expm1(-e);
            const up = (Math.exp(t - e) * -Math.expm1(-t)) / -Math.expm1(-e);
            const chord = down * curve(x(i) - t, e) + up * curve(x(i) - t + e, e);
            expect(value).toBeGreaterThanOrEqual(chord * (1 - 1e-13));
          }
        });
      }),
      { numRuns: 200, seed: 8 },
    );
  });

  it('are chords of the interpolation, and none of it is higher, even where the values are no convex curve', () => {
    fc.assert(
      fc.property(
        grids,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 12, maxLength: 90 }),
        fc.constantFrom(0, 1e-9, 1e-3, 1),
        (grid, numbers, noise) => {
          let n = 0;
          const { values, chosen, chord, chords } = raised(grid, 0, (x, e) => {
            n = (n + 1) % numbers.length;
            return (1 + noise * numbers[n]!) * Math.exp(-x / e);
          });
          const { times, stride, cells, fraction } = chords;
          const inCells = Array.from(times, (_, r) =>
            stride === 1 ? r : r % 2 === 0 ? r / 2 : (r - 1) / 2 + fraction,
          );
          values.forEach((value, i) => {
            let best = 0;
            for (let r = 0; r + 1 < times.length; r++) {
              for (let tried = 0; tried <= 40; tried++) {
                const t = Math.min(cells + fraction, inCells[r]! + (tried / 40) * (inCells[r + 1]! - inCells[r]!));
                best = Math.max(best, chord(i, t));
              }
            }
            expect(value).toBeGreaterThanOrEqual(best * (1 - 1e-13));
            expect(value).toBeLessThanOrEqual(best * (1 + 0.02 * noise + 0.02 / cells ** 2));
            expect(chosen[i]).toBeLessThan(times.length);
          });
        },
      ),
      { numRuns: 300, seed: 3 },
    );
  });
});
