import { describe, expect, it } from 'vitest';
import type { RunLaw } from '../../../src/privacy/mechanism.ts';
import { answer, atDelta, decimal, dp, gaussian, gdp, laplace, sampled, selection, zcdp } from '../../mechanisms.ts';

const poisson = (mean: number | string): RunLaw => ({ law: 'poisson', mean: decimal(mean) });
const shaped = (shape: number, gamma: string): RunLaw => ({
  law: 'negative-binomial',
  shape: decimal(shape),
  gamma: decimal(gamma),
});
const fixed = (count: number): RunLaw => ({ law: 'fixed', count: decimal(count) });

/** The row of a bound in the answer at a delta. */
const epsilonBy = (id: string, ...args: Parameters<typeof answer>): number => {
  const row = answer(...args).bounds.find((each) => each.id === id);
  if (row?.applies !== true) throw new Error(`${id} does not apply`);
  return row.epsilon.upper;
};

/*
 * From double-precision code of its own with closed forms of the Gaussian trade-off function, grids doubled until six digits stood;
 * Renyi values by Theorem 2 and 6 of Papernot and Steinke at the best orders.
 */
const GAUSSIAN: readonly [mu: string, RunLaw, profile: number][] = [
  ['0.25', poisson(20), 2.60429],
  ['0.25', shaped(1, '0.1'), 1.42905],
  ['0.25', shaped(0, '0.01'), 1.46646],
  ['0.25', shaped(0.5, '0.02'), 1.58545],
  ['0.25', fixed(20), 4.0748],
  ['0.5', poisson(20), 5.46534],
  ['0.5', shaped(1, '0.1'), 3.00978],
  ['0.5', fixed(20), 9.2777],
  ['1', poisson(20), 11.54217],
  ['1', shaped(1, '0.1'), 6.4244],
  ['1', fixed(20), 22.7356],
];

describe('the best of several runs of Gaussian noise', () => {
  it.each(GAUSSIAN)('mu %s, %o: is bounded by the sum of shifted profiles', (mu, law, value) => {
    const epsilon = epsilonBy('selection-profile', [selection([gdp(mu)], law)], atDelta('1e-5'), {
      bounds: ['selection-profile'],
    });
    expect(epsilon).toBeGreaterThan(value * (1 - 1e-5));
    expect(epsilon).toBeLessThan(value * 1.002);
  });

  it('has the Renyi divergences of Papernot and Steinke, or less', () => {
    const theorem2: readonly [string, RunLaw, number][] = [
      ['0.25', shaped(1, '0.1'), 2.153409],
      ['0.25', shaped(0, '0.01'), 1.910812],
      ['0.25', shaped(0.5, '0.02'), 2.200036],
      ['0.5', shaped(1, '0.1'), 4.315059],
      ['1', shaped(1, '0.1'), 8.513466],
    ];
    for (const [mu, law, value] of theorem2) {
      const epsilon = epsilonBy('rdp', [selection([gdp(mu)], law)], atDelta('1e-5'), { bounds: ['rdp'] });
      expect(Math.abs(epsilon / value - 1)).toBeLessThan(3e-4);
    }
    const theorem6: readonly [string, number][] = [
      ['0.25', 2.66279],
      ['0.5', 5.590063],
      ['1', 11.812578],
    ];
    for (const [mu, value] of theorem6) {
      const epsilon = epsilonBy('selection-rdp', [selection([gdp(mu)], poisson(20))], atDelta('1e-5'), {
        bounds: ['selection-rdp'],
      });
      expect(epsilon).toBeGreaterThan(value * (1 - 1e-6));
      expect(epsilon).toBeLessThan(value * 1.002);
    }
  });
});

describe('the best of several trainings by DP-SGD', () => {
  const training = { ...sampled(gaussian('1.1'), [256, 60000]), count: 3516 };
  it.each([
    [poisson(20), 3.02737],
    [shaped(1, '0.1'), 1.71101],
  ] as const)('%o: costs what the profile of one says', (law, value) => {
    const found = answer([selection([training], law)], atDelta('1e-5'), { bounds: ['selection-profile'] });
    expect(found.epsilon.upper).toBeGreaterThan(value * (1 - 1e-5));
    expect(found.epsilon.upper).toBeLessThan(value * 1.002);
  });
});

describe('the best of several pure runs', () => {
  it.each([
    ['0.1', shaped(1, '0.1'), 0.2635913],
    ['1', shaped(1, '0.1'), 2.5913441],
    ['1', shaped(0, '0.01'), 1.9768521],
    ['0.1', poisson(20), 1.0991675],
    ['1', poisson(20), 10.2423431],
  ] as const)('of (%s, 0)-DP, %o, are pure', (epsilon, law, value) => {
    expect(answer([selection([dp(epsilon)], law)], atDelta(0)).epsilon.upper).toBeCloseTo(value, 7);
  });

  it('are k times as costly where k is fixed, as no better bound holds', () => {
    expect(answer([selection([dp('0.3')], fixed(20))], atDelta(0)).epsilon.upper).toBeCloseTo(6, 12);
  });

  it('attain nearly what is claimed: split outcomes of randomized response, the likely ones worst', () => {
    const [gamma, likely, parts] = [0.1, 3 / 4, 4000];
    const f = (x: number): number => (1 / (1 - (1 - gamma) * x) - 1) / (1 / gamma - 1);
    const [own, other] = [f(likely), f(1 - likely)];
    // The best of all likely outcomes.
    const ratio = (f(likely) - f(likely * (1 - 1 / parts))) / (f(1 - likely) - f((1 - likely) * (1 - 1 / parts)));
    const claim = Math.exp(
      answer([selection([dp(Math.log(3).toFixed(12))], shaped(1, '0.1'))], atDelta(0)).epsilon.upper,
    );
    expect(own).toBeGreaterThan(other);
    expect(ratio).toBeLessThanOrEqual(claim * (1 + 1e-9));
    expect(ratio).toBeGreaterThan(claim * 0.998);
  });
});

describe('private selection', () => {
  const BASES = [gaussian(4), laplace(2), dp('0.2', '1e-7'), zcdp('0.02'), sampled(gaussian(1), '0.05')];

  it('never costs less than one run where there is at least one, and more runs never less', () => {
    for (const base of BASES) {
      const alone = answer([base], atDelta('1e-5'), { claimOnly: true }).epsilon.lower ?? 0;
      let before = alone;
      for (const mean of ['1.5', '4', '30']) {
        const law: RunLaw = { law: 'negative-binomial', shape: decimal(1), mean: decimal(mean) };
        const { upper } = answer([selection([base], law)], atDelta('1e-5'), { claimOnly: true }).epsilon;
        expect(upper).toBeGreaterThanOrEqual(before);
        before = upper;
      }
    }
  });

  // The likelier answer of randomized response, split into many that rank just below the other: an order of outcomes, at 60 digits.
  it.each([
    [30, -0.8, 1e6, 36],
    [30, -0.5, 1e6, 44.3496833298],
    [30, -0.9, 20, 32.9689665555],
    [20, -0.8, 1e6, 24],
    [10, -0.9, 20, 10.9999999999249],
  ])('of (%d, 0)-DP runs by shape %d and mean %d costs what an order of outcomes has', (each, shape, mean, least) => {
    const law: RunLaw = { law: 'negative-binomial', shape: decimal(shape), mean: decimal(mean) };
    const { upper } = answer([selection([dp(each)], law)], atDelta('0'), { claimOnly: true }).epsilon;
    expect(upper).toBeGreaterThanOrEqual(least);
    expect(upper).toBeLessThan(least * (1 + 1e-9));
  });

  it('of one run is that run', () => {
    for (const base of BASES) {
      const alone = answer([base], atDelta('1e-5'), { claimOnly: true }).epsilon.upper;
      const one = answer([selection([base], fixed(1))], atDelta('1e-5'), { claimOnly: true }).epsilon.upper;
      expect(one).toBeCloseTo(alone, 9);
    }
  });

  it('loses more where a run has more mechanisms, and beside another mechanism', () => {
    const one = selection([gaussian(4)], poisson(5));
    const two = selection([gaussian(4), laplace(4)], poisson(5));
    const [less, more, beside] = [[one], [two], [one, laplace(4)]].map(
      (entries) => answer(entries, atDelta('1e-5'), { bounds: ['selection-rdp'] }).epsilon.upper,
    );
    expect(more).toBeGreaterThan(less!);
    expect(beside).toBeGreaterThan(less!);
    // A selection of both includes their choice once; beside it there is one more, and no selection of it.
    expect(beside).toBeLessThan(more!);
  });
});
