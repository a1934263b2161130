import { describe, expect, it } from 'vitest';
import { contourCurve } from '../../../src/bounds/loss-distribution/contour-curve.ts';
import { exactly } from '../../../src/numeric/enclosure.ts';
import { logarithm } from '../../../src/numeric/enclosure-arithmetic.ts';
import type { LineTransform, LogRatio } from '../../../src/numeric/contour/transform.ts';
import { sampledGaussianLosses, type SampledGaussian } from '../../../src/privacy/transform/sampled-gaussian.ts';
import { ONE, precise, Precise, sumOf } from '../../reference/precise.ts';
import { fc } from '../../reference/properties.ts';
import { EPSILONS, MOMENTS } from './sampled-gaussian-golden.ts';

const noiseOf = (mu: number, rate: number): SampledGaussian => ({ mu, rate, rest: 1 - rate });

const ratioAt = (line: LineTransform, t: number): LogRatio => {
  const ratio = { modulus: NaN, angle: NaN, error: NaN };
  line.at(t, ratio);
  return ratio;
};

/** The line of the tilt w, and whether angles turn the other way on it. */
function lineOf(noise: SampledGaussian, w: number): { line: LineTransform; sign: 1 | -1 } {
  const { remove, add } = sampledGaussianLosses(noise);
  return w > 0 ? { line: remove.on(w - 1), sign: 1 } : { line: add.on(-w), sign: -1 };
}

describe.each(MOMENTS)('E[g^($w + $t i)], mu $mu, rate $rate', ({ mu, rate, w, t, logMoment, re, im }) => {
  const noise = noiseOf(Number(mu), Number(rate));
  const { line, sign } = lineOf(noise, Number(w));
  const ratio = ratioAt(line, Number(t));
  const true_ = { re: precise(re), im: precise(im).times(sign) };
  const size = true_.re.pow(2).plus(true_.im.pow(2)).sqrt();

  it('is where 26 digits say it is', () => {
    const { value, error } = sampledGaussianLosses(noise).logMoment(Number(w));
    expect(precise(value).minus(logMoment).abs().toNumber()).toBeLessThanOrEqual(error);
    expect(error).toBeLessThan(1e-13 * (1 + Math.abs(value)));
    if (ratio.error === Infinity) {
      expect(size.toNumber()).toBeLessThanOrEqual(Math.exp(ratio.modulus));
      expect(ratio.modulus).toBeLessThan(-20);
      return;
    }
    const length = precise(ratio.modulus).exp();
    const off = precise(ratio.angle)
      .cos()
      .times(length)
      .minus(true_.re)
      .pow(2)
      .plus(precise(ratio.angle).sin().times(length).minus(true_.im).pow(2))
      .sqrt();
    expect(off.div(size).toNumber()).toBeLessThanOrEqual(Math.expm1(ratio.error));
    expect(ratio.error).toBeLessThan(1e-9 * Math.exp(-ratio.modulus));
  });

  it('is no larger than is said of it and of all beyond', () => {
    const log = size.ln().toNumber();
    for (const enough of [-Infinity, -1]) {
      for (const radius of [0, 0.3 * Number(t), 2 * Number(t)]) {
        expect(log).toBeLessThanOrEqual(line.logMost!(Number(t), radius, enough) + 1e-25);
        expect(log).toBeLessThanOrEqual(line.logMost!(0.5 * Number(t), 0, enough) + 1e-25);
      }
    }
  });
});

describe('a sampled Gaussian mechanism', () => {
  it('is Gaussian where every record is taken', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 4, noNaN: true }),
        fc.double({ min: -0.99, max: 8, noNaN: true }),
        fc.double({ min: 1e-3, max: 4, noNaN: true }),
        (mu, c, turns) => {
          const { remove, add } = sampledGaussianLosses({ mu, rate: 1, rest: 0 });
          const square = mu * mu;
          const t = turns / mu;
          for (const { logMoment, on } of [remove, add]) {
            const { value, error } = logMoment(c);
            expect(Math.abs(value - (square * c * (c + 1)) / 2)).toBeLessThanOrEqual(
              error + 1e-14 * (1 + Math.abs(value)),
            );
            const line = on(c);
            expect(line.deviation).toBeGreaterThanOrEqual(mu);
            expect(line.deviation).toBeLessThan(mu * 1.00001);
            const { modulus, angle, error: off } = ratioAt(line, t);
            const gone = -(square * t * t) / 2;
            expect(gone).toBeLessThanOrEqual(line.logMost!(t, 0, -Infinity));
            if (off === Infinity) continue;
            expect(Math.abs(modulus - gone)).toBeLessThanOrEqual(off + 1e-14);
            const turned = angle - square * t * (c + 0.5);
            expect(Math.abs(Math.sin(turned / 2))).toBeLessThanOrEqual(off + 1e-14 * (1 + Math.abs(square * t * c)));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has at integer orders the moments of the binomial formula', () => {
    for (const [mu, rate, order] of [
      [0.001, 1e-12, 200],
      [0.1, 0.5, 300],
      [1, 0.01, 2],
      [1, 0.01, 25],
      [1, 1e-12, 60],
      [2.5, 0.001, 12],
      [20, 0.25, 3],
      [100, 1e-12, 2],
      [100, 0.5, 40],
    ] as const) {
      const half = precise(mu).pow(2).div(2);
      let ways = ONE;
      const terms = Array.from({ length: order + 1 }, (_, k) => {
        if (k > 0) ways = ways.times(order - k + 1).div(k);
        const drawn = precise(rate)
          .pow(k)
          .times(ONE.minus(rate).pow(order - k));
        return ways.times(drawn).times(half.times(k * (k - 1)).exp());
      });
      const { value, error } = sampledGaussianLosses(noiseOf(mu, rate)).logMoment(order);
      const off = new Precise(sumOf(terms)).ln().minus(precise(value)).abs().toNumber();
      expect(off, `mu ${mu}, rate ${rate}, order ${order}`).toBeLessThanOrEqual(error);
      expect(error).toBeLessThan(1e-12 * (1 + value));
    }
  });

  it('has where the record always shows at large negative powers that of the rest, every digit', () => {
    for (const [rate, w] of [
      [3e-5, -1e6],
      [7e-7, -1e6],
      [7e-7, -1e4],
    ] as const) {
      // Without the record noise reaches the place where g is more than the rest once in e^400 times.
      const mu = 60;
      const { value, error } = sampledGaussianLosses({ mu, rate, rest: 1 - rate }).logMoment(w);
      const truth = ONE.minus(rate).ln().times(w);
      expect(precise(value + error).gte(truth.times(1 - 1e-25))).toBe(true);
    }
  });

  it('has a divergence of every order up to a million, both ways', () => {
    for (const mu of [1e-3, 0.1, 1, 10, 100]) {
      for (const rate of [1e-12, 1e-4, 0.3]) {
        const { logMoment } = sampledGaussianLosses(noiseOf(mu, rate));
        for (const order of [1.5, 10, 1e3, 1e6]) {
          for (const w of [order, 1 - order]) {
            const { value, error } = logMoment(w);
            // Neither below that of no record, nor above that of all: x^2 / 2 of the noise alone, or the smallest loss.
            expect(value + error).toBeGreaterThanOrEqual(0);
            const most = w > 0 ? (w * (w - 1) * mu * mu) / 2 : w * Math.log1p(-rate);
            expect(value - error).toBeLessThanOrEqual(most * (1 + 1e-12) + 1e-300);
            expect(error, `mu ${mu}, rate ${rate}, w ${w}`).toBeLessThan(1e-6 * (1 + value));
          }
        }
      }
    }
  });

  it.each(EPSILONS)('composes to the known epsilons: $count x rate $rate, sigma $sigma', (row) => {
    const { rate, sigma, count, delta } = row;
    const losses = sampledGaussianLosses(noiseOf(1 / sigma, rate));
    for (const direction of ['remove', 'add'] as const) {
      const loss = {
        groups: [{ transform: losses[direction], count }],
        muSquared: exactly(0),
        lattice: null,
        atoms: null,
      };
      const curve = contourCurve(loss, null, 1e-9, { exhausted: () => false });
      const { lower, upper } = curve.epsilon!(logarithm(exactly(delta)));
      expect(upper - lower).toBeLessThanOrEqual(1e-9 * upper);
      expect(lower).toBeLessThanOrEqual(row[direction] * (1 + 1e-11));
      expect(upper).toBeGreaterThanOrEqual(row[direction] * (1 - 1e-11));
    }
  });
});
