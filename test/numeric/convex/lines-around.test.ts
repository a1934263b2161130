import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chordsAbove, chordsBelow, type ConvexLaw } from '../../../src/numeric/convex/lines-around.ts';
import { enclosure, exactly } from '../../../src/numeric/enclosure.ts';

interface Atom {
  readonly place: number;
  readonly mass: number;
}

/** E[(X - k)+] of a law of few places. */
const curveOf =
  (atoms: readonly Atom[]) =>
  (k: number): number =>
    atoms.reduce((sum, { place, mass }) => sum + mass * Math.max(0, place - k), 0);
const drawn = ({ places, masses, beyond }: ConvexLaw) => {
  const curve = curveOf(Array.from(places, (place, j) => ({ place, mass: masses[j]! })));
  return (k: number): number => curve(k) + beyond;
};

const law = fc
  .array(
    fc.record({
      place: fc.double({ min: 0.05, max: 8, noNaN: true }),
      mass: fc.double({ min: 1e-6, max: 1, noNaN: true }),
    }),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((atoms) => {
    const whole = atoms.reduce((sum, { mass }) => sum + mass, 0);
    return atoms.map(({ place, mass }) => ({ place, mass: mass / whole }));
  });
const grid = fc.uniqueArray(fc.double({ min: 0.02, max: 9, noNaN: true }), { minLength: 2, maxLength: 40 });
const places = fc.array(fc.double({ min: 0, max: 12, noNaN: true }), { minLength: 1, maxLength: 20 });
const off = fc.double({ min: 0, max: 1e-3, noNaN: true });

describe('convex curves through enclosed points', () => {
  const between = (atoms: readonly Atom[], ks: readonly number[], width: number) => {
    const curve = curveOf(atoms);
    const points = [...ks]
      .sort((a, b) => a - b)
      .map((k) => ({ k, value: enclosure(curve(k) * (1 - width), curve(k) * (1 + width)) }));
    const first = exactly(curve(0));
    return { curve, above: drawn(chordsAbove(first, points)), below: drawn(chordsBelow(first, 1, points)) };
  };

  it('lie above and below the curve everywhere, however few and wide the points are', () => {
    const check = (atoms: readonly Atom[], ks: readonly number[], width: number, looked: readonly number[]): void => {
      const { curve, above, below } = between(atoms, ks, width);
      for (const k of looked) {
        const rounding = 1e-11 * (1 + curve(0));
        expect(above(k)).toBeGreaterThanOrEqual(curve(k) - rounding);
        expect(below(k)).toBeLessThanOrEqual(curve(k) + rounding);
      }
    };
    fc.assert(fc.property(law, grid, off, places, check), { numRuns: 500 });
  });

  it('have masses that are not negative', () => {
    const check = (atoms: readonly Atom[], ks: readonly number[], width: number): void => {
      const curve = curveOf(atoms);
      const points = [...ks]
        .sort((a, b) => a - b)
        .map((k) => ({ k, value: enclosure(curve(k) * (1 - width), curve(k) * (1 + width)) }));
      const first = exactly(curve(0));
      for (const { masses } of [chordsAbove(first, points), chordsBelow(first, 1, points)])
        expect(Math.min(0, ...masses)).toBe(0);
    };
    fc.assert(fc.property(law, grid, off, check), { numRuns: 300 });
  });

  it('come near a smooth curve by the square of the distance of points', () => {
    // E[(X - k)+] of an exponential variable of mean 1.
    const apart = (step: number): number => {
      const points = Array.from({ length: Math.round(12 / step) }, (_, j) => {
        const k = (j + 1) * step;
        return { k, value: exactly(Math.exp(-k)) };
      });
      const [above, below] = [drawn(chordsAbove(exactly(1), points)), drawn(chordsBelow(exactly(1), 1, points))];
      return Math.max(...[0.51, 1.13, 2.07, 3.3].map((k) => (above(k) - below(k)) / Math.exp(-k)));
    };
    expect(apart(0.1)).toBeLessThan(0.006);
    expect(apart(0.01)).toBeLessThan(0.006 / 90);
  });
});
