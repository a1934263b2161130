import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lossDistributionCurve } from '../../../src/bounds/loss-distribution/loss-distribution.ts';
import { Decimal, ONE } from '../../../src/numeric/decimal.ts';
import { fromDouble } from '../../../src/numeric/double-double.ts';
import { PATIENT, QUICK, SingleEpoch } from '../../../src/privacy/sampling/single-epoch.ts';

const UNKNOWN = 2 ** -52;
const epoch = (batches: number, sigma: number): SingleEpoch =>
  new SingleEpoch({ batches, muSquared: 1 / (sigma * sigma), muError: UNKNOWN }, PATIENT);
const deltaOf = (one: SingleEpoch, epsilon: number) => {
  const { lower, upper } = one.logDelta(fromDouble(epsilon));
  return { lower: Math.exp(lower), upper: Math.exp(upper) };
};

/** The curve of epochs of 10^4 batches. */
const curveOf = (sigma: string, count: number) =>
  lossDistributionCurve(
    [
      {
        mechanism: {
          type: 'sampled',
          of: { type: 'gaussian', sigma: new Decimal(sigma), sensitivity: ONE },
          scheme: 'random-allocation',
          rate: { numerator: ONE, denominator: new Decimal(10_000) },
          batches: new Decimal(10_000),
          neighbours: 'add-remove',
        },
        count,
        kind: 'noninteractive',
        label: null,
      },
    ],
    { exhausted: () => false, tolerance: 1e-7 },
  );

describe('an epoch of random allocation alone', () => {
  // The first four as printed for other methods, in 30 digits; the others by doubling the density of ln M on two grids, which are so far apart.
  it.each([
    [1000, 0.8, 0.5, 5.8185642824687e-7, 1e-13],
    [100, 0.5, 3, 0.0010470919922308, 1e-13],
    [100, 1, 0.5, 4.408908033863e-5, 3e-13],
    [10_000, 0.5, 3, 5.1157325392e-8, 2e-11],
    [10_000, 0.6, 0.53, 9.843198975692e-7, 2e-9],
    [5000, 0.45, 2.9, 1.062888715279e-5, 4e-10],
    [10_000, 0.4, 2, 3.066746052186e-4, 2e-10],
    [1000, 1, 1, 2.26975976032e-13, 1e-10],
    [3000, 0.55, 1.2, 1.127087372867e-5, 6e-10],
    [10_000, 0.7, 0.565, 3.000254501994e-9, 2e-9],
    [10_000, 1, 0.05, 2.89477098737e-7, 1e-9],
    [10_000, 5, 0.005, 4.38523332902e-6, 4e-11],
    [200, 0.8, 2, 3.233087533787e-8, 5e-11],
    [64, 0.6, 1.5, 2.978726119414e-3, 1e-11],
    [20_000, 0.65, 0.25, 1.479573238289e-7, 4e-9],
  ])('of %d batches and sigma %d has at epsilon %d the delta %d', (batches, sigma, epsilon, delta, off) => {
    const { lower, upper } = deltaOf(epoch(batches, sigma), epsilon);
    expect(lower).toBeLessThanOrEqual(delta * (1 + off));
    expect(upper).toBeGreaterThanOrEqual(delta * (1 - off));
    expect(upper - lower).toBeLessThan(5e-8 * delta);
  });

  // By quadrature of densities of ln M by doubling, on two grids that agree to 1e-11.
  it.each([
    [10_000, 0.5, 3.5, 1.21752130084317e-8],
    [10_000, 0.5, 4.5, 6.061458292912e-10],
    [10_000, 0.5, 6.5, 7.86738897286e-13],
    [10_000, 0.4, 3.5, 2.47284688287e-5],
    [10_000, 0.4, 5, 1.60984672687e-6],
    [10_000, 0.4, 7, 2.58473396136e-8],
    [10_000, 0.7, 3, 4.78248993605e-16],
  ])('of %d batches and sigma %d has far out, at epsilon %d, the delta %d', (batches, sigma, epsilon, delta) => {
    const law = { batches, muSquared: 1 / (sigma * sigma), muError: UNKNOWN };
    const { lower, upper } = deltaOf(new SingleEpoch(law, QUICK), epsilon);
    expect(lower).toBeLessThanOrEqual(delta * (1 + 1e-11));
    expect(upper).toBeGreaterThanOrEqual(delta * (1 - 1e-11));
    expect(upper - lower).toBeLessThan(1e-4 * delta);
  });

  it('costs less with more noise and with more batches, and has a convex curve in e^epsilon', () => {
    const law = fc.record({
      batches: fc.integer({ min: 100, max: 8000 }),
      sigma: fc.double({ min: 0.5, max: 1.5, noNaN: true }),
      epsilon: fc.double({ min: 0.1, max: 1.5, noNaN: true }),
    });
    const check = ({ batches, sigma, epsilon }: { batches: number; sigma: number; epsilon: number }): void => {
      const one = epoch(batches, sigma);
      const here = deltaOf(one, epsilon);
      fc.pre(here.lower > 0);
      for (const less of [epoch(batches, sigma * 1.05), epoch(Math.ceil(batches * 1.1), sigma)])
        expect(deltaOf(less, epsilon).lower).toBeLessThanOrEqual(here.upper);
      const [left, right] = [Math.exp(epsilon) * 0.97, Math.exp(epsilon) * 1.03].map((k) => Math.log(k)) as [
        number,
        number,
      ];
      const chord = (deltaOf(one, left).upper + deltaOf(one, right).upper) / 2;
      expect(here.lower).toBeLessThanOrEqual(chord * (1 + 1e-12));
    };
    fc.assert(fc.property(law, check), { numRuns: 25 });
  });

  it('has an epsilon that is narrow where heavy noise made it wide', () => {
    const { lower, upper } = curveOf('0.6', 1).epsilon(new Decimal('9.843198975692e-7'));
    expect(lower).toBeLessThanOrEqual(0.53 * (1 + 1e-8));
    expect(upper).toBeGreaterThanOrEqual(0.53 * (1 - 1e-8));
    expect(upper - lower!).toBeLessThan(1e-7);
  });
});

describe('a few epochs of which one batch decides', () => {
  // By quadrature of the density of ln M over the curve of one epoch, and by contours over the density, on two grids.
  it.each([
    ['0.5', 2, 2.2, '9.98915317166e-7'],
    ['0.7', 5, 0.902529, '1.00000315e-9'],
  ])('of sigma %s, %d times, have at epsilon %d the delta %s', (sigma, count, epsilon, delta) => {
    const { lower, upper } = curveOf(sigma, count).epsilon(new Decimal(delta));
    expect(lower).toBeLessThanOrEqual(epsilon * (1 + 1e-8));
    expect(upper).toBeGreaterThanOrEqual(epsilon * (1 - 1e-8));
    expect(upper - lower!).toBeLessThan(2e-6 * epsilon);
  });
});
