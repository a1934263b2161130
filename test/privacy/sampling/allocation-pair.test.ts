import { describe, expect, it } from 'vitest';
import { discretisedMethod } from '../../../src/bounds/loss-distribution/discretised-method.ts';
import { tiltedCurve } from '../../../src/bounds/loss-distribution/tilted-curve.ts';
import { fromDouble } from '../../../src/numeric/double-double.ts';
import { shareOf } from '../../reference/share.ts';
import { allocationLaws, allocationPair } from '../../../src/privacy/sampling/allocation-pair.ts';

/** Batches, sigma, epochs, epsilon, delta where a record is removed, and added: see random-allocation-golden. */
const KNOWN = [
  [10, 1, 5, 2, 1.0932441012789e-2, 5.808965046853e-3],
  [100, 0.8, 10, 1, 2.180020207806e-2, 1.534202037292e-2],
  [50, 2, 40, 1, 4.977036691288e-3, 4.902191031043e-3],
  [1000, 0.6, 3, 1.5, 2.65234283995e-5, 6.22770331843e-23],
] as const;

describe('an epoch replaced in convex order', () => {
  it.each(KNOWN.slice(0, shareOf(KNOWN.length, 2)))(
    'encloses %d batches of sigma %d, %d times, at epsilon %d',
    (batches, sigma, count, epsilon, ...deltas) => {
      const law = { batches, muSquared: 1 / (sigma * sigma), muError: 2 ** -53 };
      const laws = allocationLaws(law);
      (['remove', 'add'] as const).forEach((direction, i) => {
        const { pair, failure } = allocationPair(law, laws, direction);
        const curve = tiltedCurve(discretisedMethod([{ pair, count }], null, 1e-2), 1e-2, { exhausted: () => false });
        const { lower, upper } = curve.logDelta(fromDouble(epsilon));
        expect(Math.exp(lower)).toBeLessThan(deltas[i]!);
        expect(Math.exp(upper) + count * failure).toBeGreaterThan(deltas[i]!);
        // Far below that the cells of one tilt are coarse.
        if (deltas[i]! > 1e-12) expect(upper - lower).toBeLessThan(0.1);
        expect(failure).toBeLessThan(1e-30);
      });
    },
  );

  it('keeps probability and mean, and has more or less variance', () => {
    const law = { batches: 37, muSquared: 0.7, muError: 0 };
    const { larger, smaller } = allocationLaws(law);
    const variance = Math.expm1(0.7) / 37;
    for (const { masses, moments, first, step } of [larger, smaller]) {
      let [mass, mean, square] = [0, 0, 0];
      masses.forEach((p, i) => {
        if (p === 0) return;
        const x = (moments ? moments[i]! / p : Math.exp((first + i) * step)) / 37;
        [mass, mean, square] = [mass + p, mean + p * x, square + p * x * x];
      });
      expect(mass).toBeCloseTo(1, 11);
      expect(mean).toBeCloseTo(1, 11);
      const excess = (square - 1) / variance - 1;
      expect(moments ? -excess : excess).toBeGreaterThan(1e-6);
      expect(Math.abs(excess)).toBeLessThan(1e-2);
    }
  });
});
