import { describe, expect, it } from 'vitest';
import { contourCurve } from '../../../src/bounds/loss-distribution/contour-curve.ts';
import { enclosure, exactly, type Enclosure } from '../../../src/numeric/enclosure.ts';
import { logarithm } from '../../../src/numeric/enclosure-arithmetic.ts';
import type { LineTransform, LogRatio, LossTransform } from '../../../src/numeric/contour/transform.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Sampled } from '../../../src/privacy/mechanism.ts';
import { sampledLaw, type Direction } from '../../../src/privacy/sampling/sampled-law.ts';
import { sampledMoments } from '../../../src/privacy/sampling/sampled-moment.ts';
import { sampledTransform } from '../../../src/privacy/sampling/sampled-transform.ts';
import { ONE, precise, Precise, sumOf } from '../../reference/precise.ts';
import { fc } from '../../reference/properties.ts';
import { EPSILONS, MOMENTS } from './sampled-gaussian-golden.ts';

/** Noise of sensitivity mu over its deviation, on Poisson samples. */
function losses(mu: number, rate: number) {
  const mechanism: Sampled = {
    type: 'sampled',
    of: { type: 'gdp', mu: new Decimal(mu) },
    scheme: 'poisson',
    neighbours: 'add-remove',
    rate: { numerator: new Decimal(rate), denominator: new Decimal(1) },
  };
  const { remove, add } = sampledMoments(mechanism);
  const of = (direction: Direction): LossTransform => sampledTransform(sampledLaw(mechanism, direction)!, 0);
  const [losing, gaining] = [of('remove'), of('add')];
  /** ln E[g^w], enclosed. */
  function logMoment(w: number): Enclosure {
    if (w >= 1 || w <= 0) return w > 0 ? remove(w - 1) : add(-w);
    const { value, error } = losing.logMoment(w - 1);
    return enclosure(value - error, value + error);
  }
  return { remove: losing, add: gaining, logMoment };
}

const ratioAt = (line: LineTransform, t: number): LogRatio => {
  const ratio = { modulus: NaN, angle: NaN, error: NaN };
  line.at(t, ratio);
  return ratio;
};

/** The line of the tilt w, and whether angles turn the other way on it. */
function lineOf({ remove, add }: ReturnType<typeof losses>, w: number): { line: LineTransform; sign: 1 | -1 } {
  return w > 0 ? { line: remove.on(w - 1), sign: 1 } : { line: add.on(-w), sign: -1 };
}

describe.each(MOMENTS)('E[g^($w + $t i)], mu $mu, rate $rate', ({ mu, rate, w, t, logMoment, re, im }) => {
  const noise = losses(Number(mu), Number(rate));
  const { line, sign } = lineOf(noise, Number(w));
  const ratio = ratioAt(line, Number(t));
  const true_ = { re: precise(re), im: precise(im).times(sign) };
  const size = true_.re.pow(2).plus(true_.im.pow(2)).sqrt();

  it('is where 26 digits say it is', () => {
    const { lower, upper } = noise.logMoment(Number(w));
    expect(precise(lower).lte(logMoment) && precise(upper).gte(logMoment)).toBe(true);
    expect(upper - lower).toBeLessThan(1e-11 * (1 + Math.abs(upper)));
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
          const { remove, add } = losses(mu, 1);
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
      const { lower, upper } = losses(mu, rate).logMoment(order);
      const truth = new Precise(sumOf(terms)).ln();
      expect(truth.gte(lower) && truth.lte(upper), `mu ${mu}, rate ${rate}, order ${order}`).toBe(true);
      expect(upper - lower).toBeLessThan(1e-11 * (1 + upper));
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
      const { upper } = losses(mu, rate).logMoment(w);
      const truth = ONE.minus(rate).ln().times(w);
      expect(precise(upper).gte(truth.times(1 - 1e-25))).toBe(true);
    }
  });

  it('has a divergence of every order up to a million, both ways', () => {
    for (const mu of [1e-3, 0.1, 1, 10, 100]) {
      for (const rate of [1e-12, 1e-4, 0.3]) {
        const { logMoment } = losses(mu, rate);
        for (const order of [1.5, 10, 1e3, 1e6]) {
          for (const w of [order, 1 - order]) {
            const { lower, upper } = logMoment(w);
            // Neither below that of no record, nor above that of all: x^2 / 2 of the noise alone, or the smallest loss.
            expect(upper).toBeGreaterThanOrEqual(0);
            const most = w > 0 ? (w * (w - 1) * mu * mu) / 2 : w * Math.log1p(-rate);
            expect(lower).toBeLessThanOrEqual(most * (1 + 1e-12) + 1e-300);
            expect(upper - lower, `mu ${mu}, rate ${rate}, w ${w}`).toBeLessThan(1e-6 * (1 + upper));
          }
        }
      }
    }
  });

  it.each(EPSILONS)('composes to the known epsilons: $count x rate $rate, sigma $sigma', (row) => {
    const { rate, sigma, count, delta } = row;
    const noise = losses(1 / sigma, rate);
    for (const direction of ['remove', 'add'] as const) {
      const loss = {
        groups: [{ transform: noise[direction], count }],
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
