import { describe, expect, it } from 'vitest';
import { contourCurve } from '../../../src/bounds/loss-distribution/contour-curve.ts';
import { fromDouble } from '../../../src/numeric/double-double.ts';
import { enclosure, exactly, width } from '../../../src/numeric/enclosure.ts';
import { discreteGaussianTransform } from '../../../src/privacy/discrete.ts';
import { laplaceTransform } from '../../../src/privacy/laplace.ts';

const patient = { exhausted: () => false };
const LOSSES = {
  'much Laplace noise': { groups: [{ transform: laplaceTransform(0.05), count: 900 }], muSquared: exactly(0) },
  'discrete noise': { groups: [{ transform: discreteGaussianTransform(4, 1), count: 9 }], muSquared: exactly(0) },
  'Laplace noise beside Gaussian': {
    groups: [{ transform: laplaceTransform(1), count: 3 }],
    muSquared: enclosure(0.25, 0.25),
  },
};
const EPSILONS = [0, 0.02, 0.4, 1, 1.7, 2.2, 3, 4.5];

describe.each(Object.entries(LOSSES))('the curve of %s', (_, parts) => {
  const loss = { ...parts, lattice: null, atoms: null };
  const fresh = () => contourCurve(loss, null, 1e-6, patient);

  it('has the same points whatever was asked before', () => {
    const shared = fresh();
    for (const epsilon of [...EPSILONS, ...EPSILONS].reverse()) {
      expect(shared.logDelta(fromDouble(epsilon))).toEqual(fresh().logDelta(fromDouble(epsilon)));
    }
    for (const log of [-0.5, -3, -14, -40]) {
      expect(shared.epsilon!(exactly(log))).toEqual(fresh().epsilon!(exactly(log)));
    }
  });

  it('is narrow at every point, and its inverse is where it says', () => {
    const curve = fresh();
    for (const log of [-0.5, -3, -14, -40]) {
      const found = curve.epsilon!(exactly(log));
      expect(width(found)).toBeLessThanOrEqual(1e-6 * found.upper);
      if (found.lower > 0) expect(curve.logDelta(fromDouble(found.lower)).upper).toBeGreaterThanOrEqual(log);
      expect(curve.logDelta(fromDouble(found.upper)).lower).toBeLessThanOrEqual(log);
    }
    for (const epsilon of EPSILONS) expect(width(curve.logDelta(fromDouble(epsilon)))).toBeLessThanOrEqual(1e-6);
  });
});
