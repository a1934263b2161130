import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  coreErrorShape,
  coreNoise,
  histogramErrorShape,
  histogramNoise,
} from '../../../src/composition/design/algorithms.ts';
import { gaussianNoise } from '../../../src/bounds/closed-form/gaussian-noise.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { exactly } from '../../../src/numeric/enclosure.ts';
import { gaussianLogDelta } from '../../../src/privacy/gaussian.ts';

const decimal = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: -40, max: 10 }))
  .map(([digits, exponent]) => new Decimal(`${String(digits)}e${exponent}`));

const ZERO = new Decimal(0);

describe('the noise of the continual monotone histogram', () => {
  it('never spends more than epsilon and delta, and hardly less', () => {
    fc.assert(
      fc.property(decimal, fc.integer({ min: 1, max: 1000 }), (epsilon, dimension) => {
        const delta = new Decimal('1e-6');
        const { counter, interval, check } = histogramNoise({
          epsilon,
          delta,
          dimension,
          intervalDelta: ZERO,
          checkDelta: null,
        });
        const spent = counter.epsilon.times(dimension).plus(interval.epsilon).plus(check.epsilon);
        expect(spent.lte(epsilon)).toBe(true);
        expect(spent.gte(epsilon.times('0.999999999999999999'))).toBe(true);
        expect(counter.delta.times(dimension).lte(delta)).toBe(true);
        // SVT with e/6 has noise 6/e and 12/e and is e/3-DP; a check with noise 3/e is e/3-DP.
        expect(interval.threshold.times(interval.epsilon).gte(2)).toBe(true);
        expect(interval.comparison.times(interval.epsilon).gte(4)).toBe(true);
        expect(check.scale.times(check.epsilon).gte(1)).toBe(true);
      }),
    );
  });

  it('is a hundredth larger where epsilon is a hundredth smaller', () => {
    const at = (epsilon: string) =>
      histogramNoise({
        epsilon: new Decimal(epsilon),
        delta: ZERO,
        dimension: 1,
        intervalDelta: ZERO,
        checkDelta: null,
      });
    expect(at('1').interval.threshold.toString()).toBe('6');
    expect(at('0.5').interval.comparison.toString()).toBe('24');
    expect(at('0.7').check.scale.toString()).toBe('4.2857142857142857143');
  });

  it('of Gaussian checks is the least that suffices', () => {
    expect(gaussianNoise(new Decimal(1), new Decimal('1e-5')).toNumber()).toBeCloseTo(3.730631634815942, 9);
    for (const [epsilon, delta] of [
      ['0.33333333333333333334', '1e-7'],
      ['5', '1e-12'],
      ['1e-100', '1e-100'],
      ['1e100', '0.5'],
    ] as const) {
      const sigma = gaussianNoise(new Decimal(epsilon), new Decimal(delta)).toNumber();
      const logDelta = (times: number): number =>
        gaussianLogDelta(exactly(1 / (sigma * times)), exactly(Number(epsilon))).upper;
      expect(logDelta(1.000001)).toBeLessThanOrEqual(Math.log(Number(delta)));
      expect(logDelta(0.99999)).toBeGreaterThan(Math.log(Number(delta)));
    }
  });
});

describe('the order of the error', () => {
  const size = { epsilon: 1, dimension: 4, largestQuery: 1000, beta: 0.05, horizon: 1e6 };

  it('TC-38: of the histogram is 523.65 with pure and 2287.2 with approximate counters', () => {
    expect(histogramErrorShape({ ...size, delta: 0 })).toBeCloseTo(523.65221319, 8);
    expect(histogramErrorShape({ ...size, delta: 1e-6 })).toBeCloseTo(2287.17714155, 8);
  });

  it('TC-37: of the core decomposition is 42.415 for 10,000 vertices of degree at most 100', () => {
    expect(coreErrorShape(1e4, 100)).toBeCloseTo(42.4151848838, 10);
  });
});

describe('TC-37: the noise of the core decomposition', () => {
  it('has scale 4 on thresholds and 8 on comparisons for epsilon 1, which gives each user one half', () => {
    const { epsilon, threshold, comparison } = coreNoise(new Decimal(1));
    expect([epsilon, threshold, comparison].map(String)).toEqual(['0.5', '4', '8']);
  });
});
