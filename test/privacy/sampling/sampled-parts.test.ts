import { describe, expect, it } from 'vitest';
import { contourCurve } from '../../../src/bounds/loss-distribution/contour-curve.ts';
import type { LogRatio } from '../../../src/numeric/contour/transform.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { exactly } from '../../../src/numeric/enclosure.ts';
import { logarithm } from '../../../src/numeric/enclosure-arithmetic.ts';
import type { Sampled } from '../../../src/privacy/mechanism.ts';
import { sampledLaw, type Direction, type SampledLaw } from '../../../src/privacy/sampling/sampled-law.ts';
import { sampledTransform } from '../../../src/privacy/sampling/sampled-transform.ts';
import { precise } from '../../reference/precise.ts';
import { MOMENTS } from './sampled-parts-golden.ts';

interface Sample {
  readonly of: 'gaussian' | 'laplace';
  readonly scheme: 'poisson' | 'without-replacement';
  readonly scale: string;
  readonly rate: string;
  readonly direction?: Direction;
}

function lawOf({ of, scheme, scale, rate, direction = 'remove' }: Sample): SampledLaw {
  const [numerator = '', denominator = '1'] = rate.split('/');
  const noise = { sensitivity: new Decimal(1) };
  const mechanism: Sampled = {
    type: 'sampled',
    of:
      of === 'gaussian'
        ? { type: of, sigma: new Decimal(scale), ...noise }
        : { type: of, scale: new Decimal(scale), ...noise },
    scheme,
    neighbours: scheme === 'poisson' ? 'add-remove' : 'replace-one',
    rate: { numerator: new Decimal(numerator), denominator: new Decimal(denominator) },
  };
  return sampledLaw(mechanism, direction)!;
}

describe.each(MOMENTS)('$of noise of $scale, $scheme at rate $rate ($direction), c = $c, t = $t', (row) => {
  const { logMoment, lineWith } = sampledTransform(lawOf(row), 0);
  const [c, t] = [Number(row.c), Number(row.t)];
  const { line } = lineWith!(c, [], t);
  const size = precise(row.re).pow(2).plus(precise(row.im).pow(2)).sqrt();

  it('has the moments that 20 digits say it has', () => {
    const { value, error } = logMoment(c);
    expect(precise(value).minus(row.logMoment).abs().toNumber()).toBeLessThanOrEqual(error);
    expect(error).toBeLessThan(1e-7 * Math.abs(value));
    const ratio: LogRatio = { modulus: NaN, angle: NaN, error: NaN };
    line.at(t, ratio);
    const length = precise(ratio.modulus).exp();
    const off = precise(ratio.angle)
      .cos()
      .times(length)
      .minus(row.re)
      .pow(2)
      .plus(precise(ratio.angle).sin().times(length).minus(row.im).pow(2))
      .sqrt();
    expect(off.div(size).toNumber()).toBeLessThanOrEqual(Math.expm1(ratio.error));
    expect(ratio.error).toBeLessThan(1e-9);
  });

  it('is no larger than is said of it and of all beyond', () => {
    for (const enough of [-Infinity, -1]) {
      for (const radius of [0, 0.01 * t, 0.9 * t]) {
        expect(size.ln().toNumber()).toBeLessThanOrEqual(line.logMost!(t, radius, enough) + 1e-15);
      }
    }
    for (const before of [1, 0.6, 0.1]) {
      expect(size.ln().toNumber()).toBeLessThanOrEqual(line.logMostFrom!(before * t, -Infinity) + 1e-15);
    }
  });
});

describe('a sampled loss with a density', () => {
  it('moves no faster than its deviation says, and has its slope at the mean', () => {
    for (const sample of [
      { of: 'gaussian', scheme: 'without-replacement', scale: '1', rate: '0.1' },
      { of: 'laplace', scheme: 'poisson', scale: '0.5', rate: '0.3' },
      { of: 'laplace', scheme: 'without-replacement', scale: '2', rate: '0.01' },
    ] as const) {
      const { logMoment, on } = sampledTransform(lawOf(sample), 0);
      for (const c of [-0.6, 0.5, 7]) {
        const { deviation, mean } = on(c);
        const h = 1e-3;
        const [less, here, more] = [c - h, c, c + h].map((x) => logMoment(x).value) as [number, number, number];
        expect(mean).toBeCloseTo((more - less) / (2 * h), 4);
        expect(deviation).toBeGreaterThan(Math.sqrt((more - 2 * here + less) / h ** 2) * (1 - 1e-4));
        expect(deviation).toBeLessThan(Math.sqrt((more - 2 * here + less) / h ** 2) * (1 + 1e-4));
      }
    }
  });

  it('is that of a plain mechanism where every record is taken', () => {
    const { logMoment } = sampledTransform(
      lawOf({ of: 'gaussian', scheme: 'without-replacement', scale: '2', rate: '1' }),
      0,
    );
    for (const c of [-0.3, 0.2, 5, 40]) {
      const { value, error } = logMoment(c);
      expect(Math.abs(value - (c * (c + 1)) / 8)).toBeLessThanOrEqual(error + 1e-15 * value);
    }
  });

  it('is there where the noise is small, and nothing is left of a density', () => {
    for (const scale of ['0.04', '0.03', '0.02']) {
      const { logMoment, on } = sampledTransform(
        lawOf({ of: 'gaussian', scheme: 'without-replacement', scale, rate: '0.5' }),
        0,
      );
      const { value, error } = logMoment(0.5);
      const most = (0.5 * 1.5) / 2 / Number(scale) ** 2;
      expect(value + error).toBeLessThanOrEqual(most);
      expect(value - error).toBeGreaterThanOrEqual(most + 1.5 * Math.log(0.5) - 1e-6);
      const line = on(0.5);
      expect(line.deviation).toBeGreaterThanOrEqual(0);
      expect(line.logMost!(100, 1, -1)).toBeLessThanOrEqual(0);
    }
  });

  it('says that it does not know moments of tilts that are too large', () => {
    const { logMoment, on } = sampledTransform(
      lawOf({ of: 'gaussian', scheme: 'without-replacement', scale: '1', rate: '0.1' }),
      0,
    );
    expect(logMoment(1e10).error).toBe(Infinity);
    expect(on(1e10).deviation).toBe(Infinity);
  });

  // A convolution of the losses on a grid that is ever finer, split so that masses under both distributions stay.
  it.each([
    ['gaussian', 'without-replacement', '1.1', '256/60000', 14063, 1e-5, 3.068629],
    ['laplace', 'poisson', '1', '0.01', 10000, 1e-6, 4.508492],
    ['laplace', 'without-replacement', '1', '0.01', 10000, 1e-6, 5.50349],
  ] as const)(
    '%s, %s, noise %s, rate %s, composes to the known epsilon',
    (of, scheme, scale, rate, count, delta, known) => {
      const transform = sampledTransform(lawOf({ of, scheme, scale, rate }), 0);
      const loss = { groups: [{ transform, count }], muSquared: exactly(0), lattice: null, atoms: null };
      const { lower, upper } = contourCurve(loss, null, 1e-8, { exhausted: () => false }).epsilon!(
        logarithm(exactly(delta)),
      );
      expect(upper - lower).toBeLessThanOrEqual(1e-8 * upper);
      expect(Math.abs(lower - known)).toBeLessThan(2e-6);
    },
  );
});
