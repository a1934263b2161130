import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { GAUSS_LEGENDRE_16 } from '../../../src/numeric/gauss-legendre.ts';
import { onEllipse } from '../../../src/privacy/sampling/part-on-ellipse.ts';
import { panelsOf, rangeOf } from '../../../src/privacy/sampling/part-panels.ts';
import { logMixture, sampledLaw, type SampledLaw } from '../../../src/privacy/sampling/sampled-law.ts';
import { fc } from '../../reference/properties.ts';

const lawOf = (type: 'gaussian' | 'laplace', scale: number, rate: number): SampledLaw =>
  sampledLaw(
    {
      type: 'sampled',
      of:
        type === 'gaussian'
          ? { type, sigma: new Decimal(scale), sensitivity: new Decimal(1) }
          : { type, scale: new Decimal(scale), sensitivity: new Decimal(1) },
      scheme: 'without-replacement',
      neighbours: 'replace-one',
      rate: { numerator: new Decimal(rate), denominator: new Decimal(1) },
    },
    'remove',
  )!;

const noise = fc.record({
  type: fc.constantFrom('gaussian' as const, 'laplace' as const),
  scale: fc.double({ min: 0.2, max: 10, noNaN: true }),
  rate: fc.double({ min: 1e-4, max: 0.95, noNaN: true }),
});

describe('a part on an ellipse', () => {
  it('is nowhere larger than the bounds say', () => {
    fc.assert(
      fc.property(
        noise,
        fc.record({
          c: fc.double({ min: -0.99, max: 30, noNaN: true }),
          t: fc.double({ min: 0, max: 50, noNaN: true }),
          middle: fc.double({ min: 0, max: 8, noNaN: true }),
          half: fc.double({ min: 0.01, max: 2, noNaN: true }),
          rho: fc.double({ min: 1, max: 12, noNaN: true }),
        }),
        fc.array(fc.double({ min: 0, max: Math.PI, noNaN: true }), { minLength: 8, maxLength: 8 }),
        ({ type, scale, rate }, { c, t, middle, half, rho }, angles) => {
          const law = lawOf(type, scale, rate);
          for (const part of law.parts) {
            const w = part.sign > 0 ? c + 1 : -c;
            const bounds = onEllipse(law, part, [w], t, { middle, half }, rho);
            if (bounds === null) continue;
            const { slope, shift } = part.base;
            for (const angle of angles) {
              const x = middle + ((half * (rho + 1 / rho)) / 2) * Math.cos(angle);
              const v = ((half * (rho - 1 / rho)) / 2) * Math.sin(angle);
              const s = rate * Math.exp(slope * x + shift);
              const [re, im] = [1 - rate + s * Math.cos(slope * v), s * Math.sin(slope * v)];
              const [modulus, turned] = [Math.log(Math.hypot(re, im)), Math.atan2(im, re)];
              const density = part.base.logDensity(x) + (part.base.law === 'normal' ? (v * v) / 2 : 0);
              const log = density + w * modulus + t * Math.abs(turned);
              expect(log).toBeLessThanOrEqual(bounds.logWeight + 1e-12 * (1 + Math.abs(log)));
              expect(Math.hypot(modulus, turned)).toBeLessThanOrEqual(bounds.loss + 1e-12);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('panels of a part', () => {
  it('give integrals within their bound of those of halved panels', () => {
    fc.assert(
      fc.property(noise, fc.double({ min: -0.9, max: 20, noNaN: true }), ({ type, scale, rate }, c) => {
        const law = lawOf(type, scale, rate);
        for (const part of law.parts) {
          const t = 5;
          const { slope, shift, logDensity } = part.base;
          const w = part.sign > 0 ? c + 1 : -c;
          // A loose bound, so that it is seen.
          const found = panelsOf(law, part, rangeOf(law, part, c), { tilt: c, t, scale: 0 }, 1e-5, 1000)!;
          const integral = (pieces: number): number =>
            found.panels.reduce(
              (sum, { middle, half }) =>
                sum +
                Array.from({ length: pieces }, (_, i) =>
                  GAUSS_LEGENDRE_16.reduce((total, { x, weight }) => {
                    const u = middle + half * ((2 * i + 1 + x) / pieces - 1);
                    const log = logMixture(law.rates, slope * u + shift);
                    const size = Math.exp(logDensity(u) + w * log) * log;
                    return total + ((half * weight) / pieces) * size * Math.cos(t * log);
                  }, 0),
                ).reduce((a, b) => a + b, 0),
              0,
            );
          const [once, finer] = [integral(1), integral(8)];
          expect(Math.abs(once - finer)).toBeLessThanOrEqual(found.lossError + 1e-13 * Math.abs(finer));
          expect(found.lossError).toBeLessThanOrEqual(2e-5 * (found.panels.length + 40));
        }
      }),
      { numRuns: 60 },
    );
  });
});
