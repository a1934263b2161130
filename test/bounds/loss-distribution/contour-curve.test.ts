import { describe, expect, it } from 'vitest';
import { contourCurve } from '../../../src/bounds/loss-distribution/contour-curve.ts';
import { lossDistributionCurve } from '../../../src/bounds/loss-distribution/loss-distribution.ts';
import { Decimal, ONE } from '../../../src/numeric/decimal.ts';
import { fromDouble } from '../../../src/numeric/double-double.ts';
import { enclosure, exactly, width } from '../../../src/numeric/enclosure.ts';
import { discreteGaussianTransform } from '../../../src/privacy/discrete.ts';
import type { Entry, Sampled } from '../../../src/privacy/mechanism.ts';
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

  it('asks for no epsilon where delta is larger than it is at 0', () => {
    const curve = fresh();
    const most: number = curve.logDelta(fromDouble(0)).upper;
    for (const more of [1e-4, 0.01, 0.1, 1]) {
      const target = most + more * Math.min(1, -most);
      if (target < 0) expect(curve.epsilon!(exactly(target))).toEqual(exactly(0));
    }
  });
});

describe('steps of noise on samples', () => {
  // delta at 0 is 0.0121134 and 4.43677e-5.
  it.each([
    ['2.53', '0.0537', 2, '0.014'],
    ['3.25', '0.000134', 7, '0.00021'],
  ])('of sigma %s and rate %s, %d times, need no epsilon for delta %s', (sigma, rate, count, delta) => {
    const steps: Entry<Sampled> = {
      mechanism: {
        type: 'sampled',
        of: { type: 'gaussian', sigma: new Decimal(sigma), sensitivity: ONE },
        scheme: 'poisson',
        rate: { numerator: new Decimal(rate), denominator: ONE },
        neighbours: 'add-remove',
      },
      count,
      kind: 'noninteractive',
      label: null,
    };
    const curve = lossDistributionCurve([steps], { ...patient, tolerance: 1e-7 });
    expect(curve.epsilon(new Decimal(delta))).toMatchObject({ lower: 0, upper: 0 });
  });
});
