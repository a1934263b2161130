import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { chordEnds, chordsOf, highestChord } from '../../../src/bounds/bounded-range/adaptive-chords.ts';

/** Weights and places of hockey sticks: a mixture of them is convex and decreasing in e^x. */
const sticks = fc.array(
  fc.record({
    weight: fc.double({ min: 0.01, max: 1, noNaN: true }),
    place: fc.double({ min: -1.5, max: 1.5, noNaN: true }),
  }),
  { minLength: 1, maxLength: 5 },
);

const TRIED = 400;

describe('the highest chord', () => {
  it('is never below a chord of the curve, whatever e is and whether or not the grid divides it', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -12, max: 2, noNaN: true }),
        fc.integer({ min: 2, max: 40 }),
        fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2 ** 20 - 1 })),
        sticks,
        fc.double({ min: -1, max: 1, noNaN: true }),
        (magnitude, cells, parts, mixture, where) => {
          const fraction = parts / 2 ** 20;
          const h = 10 ** magnitude / (cells + fraction);
          const chords = chordsOf({ cells, fraction }, h);
          const { e } = chords;
          const curve = (x: number): number =>
            mixture.reduce((sum, { weight, place }) => sum + weight * Math.max(0, -Math.expm1(x - place * e)), 0);
          const reach = cells + 2;
          const state = Math.round((where * e) / h);
          const values = Float64Array.from({ length: 2 * reach + 1 }, (_, n) => curve((state + n - reach) * h));
          const ends = chordEnds(chords, h, values);
          const places = [chords.stride * reach, chords.stride * (reach + cells)] as const;
          const found = highestChord(chords, ends, ...places, Math.floor(cells / 2)).bound;

          const x = state * h;
          const scale = -Math.expm1(-e);
          for (let tried = 0; tried <= TRIED; tried++) {
            const t = (e * tried) / TRIED;
            const down = -Math.expm1(t - e) / scale;
            const up = (Math.exp(t - e) * -Math.expm1(-t)) / scale;
            const chord = down * curve(x - t) + up * curve(x - t + e);
            expect(found).toBeGreaterThanOrEqual(chord * (1 - 1e-13));
          }
        },
      ),
      { numRuns: 300, seed: 8 },
    );
  });
});
