import { describe, expect, it } from 'vitest';
import { exactly } from '../../src/numeric/enclosure.ts';
import { combinationsOf, composeAtoms, powerOfAtoms, type LossAtoms } from '../../src/numeric/loss-atoms.ts';
import { fc } from '../reference/properties.ts';

const atoms = (losses: number[], masses: number[]): LossAtoms => ({
  losses: Float64Array.from(losses),
  weights: Float64Array.from(masses),
  tilt: 0,
  logScale: exactly(0),
  lossError: 0,
  relativeError: 0,
  leak: 0,
});

/** Total weight of each loss, losses that are 1e-9 apart taken as one. */
function histogram({ losses, weights }: LossAtoms): [number, number][] {
  const all: [number, number][] = [];
  losses.forEach((loss, i) => {
    const last = all.at(-1);
    if (last && Math.abs(last[0] - loss) < 1e-9) last[1] += weights[i]!;
    else all.push([loss, weights[i]!]);
  });
  return all;
}

describe('independent losses of one law', () => {
  it('have each combination once', () => {
    expect(combinationsOf(3, 4)).toBe(15);
    expect(combinationsOf(2, 1000)).toBe(1001);
    expect(powerOfAtoms(atoms([2, 1, -1.37], [0.2, 0.3, 0.5]), 4).losses).toHaveLength(15);
  });

  it('are one where their sums are equal but for rounding', () => {
    const count = 300;
    const masses = [0.5, 0.2, 0.3];
    let expected = [1];
    for (let n = 0; n < count; n++) {
      const longer = Array.from({ length: expected.length + 2 }, () => 0);
      expected.forEach((mass, i) => {
        masses.forEach((share, j) => (longer[i + j]! += mass * share));
      });
      expected = longer;
    }
    const { losses, weights, lossError, relativeError } = powerOfAtoms(atoms([0.1, 0, -0.1], masses), count);
    const all = Array.from(losses, (loss, i) => ({ loss, weight: weights[i]! }));
    expect(losses.length).toBeLessThan(3 * expected.length);
    expected.forEach((mass, i) => {
      const loss = (count - i) * 0.1;
      const own = all.filter((other) => Math.abs(other.loss - loss) <= lossError + 1e-13);
      const sum = own.reduce((total, { weight }) => total + weight, 0);
      expect(Math.abs(sum - mass)).toBeLessThanOrEqual((relativeError + 1e-12) * mass);
    });
    expect(lossError).toBeLessThan(1e-12);
  });

  it('are as composed one after the other', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 6 }),
        (shares, count) => {
          const total = shares.reduce((sum, share) => sum + share, 0);
          const one = atoms(
            shares.map((_, i) => 3 - i * 1.37),
            shares.map((share) => share / total),
          );
          const power = powerOfAtoms(one, count);
          let chain = one;
          for (let i = 1; i < count; i++) chain = composeAtoms(chain, one);
          const [a, b] = [histogram(power), histogram(chain)];
          expect(a).toHaveLength(b.length);
          a.forEach(([loss, weight], i) => {
            expect(Math.abs(loss - b[i]![0])).toBeLessThanOrEqual(power.lossError + chain.lossError);
            expect(Math.abs(weight / b[i]![1] - 1)).toBeLessThanOrEqual(power.relativeError + chain.relativeError);
          });
          expect(power.relativeError).toBeLessThan(1e-12);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('leave out what has no weight', () => {
    const power = powerOfAtoms(atoms([1, 0, -1], [0.5, 0, 0.5]), 2);
    expect([...power.losses]).toEqual([2, 0, -2]);
    expect(power.weights[1]).toBeCloseTo(0.5, 14);
  });
});
