import { describe, expect, it } from 'vitest';
import { gaussLegendre4 } from '../../../src/numeric/gauss-legendre.ts';
import { AllocationMoment } from '../../../src/privacy/sampling/allocation-moment.ts';
import { TruncatedMoment } from '../../../src/privacy/sampling/truncated-moment.ts';
import { truncatedTransform } from '../../../src/privacy/sampling/truncated-transform.ts';
import { EpochNoise } from '../../../src/privacy/sampling/epoch-noise.ts';

const ratios = () => ({ x: new Float64Array(4), y: new Float64Array(4), error: new Float64Array(4) });

describe('moments of an epoch with all noise in range', () => {
  // By derivatives of the Laplace transform, which share no integral with those here.
  it.each([
    [1000, 30, 12, 100, 4],
    [1000, 30, 12, -1000, 20],
    [10_000, 2, 10, 30, 5],
    [10_000, 2, 10, -900, 40],
    [50, 2, 10, -30, 4],
  ])(
    'are those of all noise where next to none is out of it: %d batches, sigma %d, up to %d, power %d',
    (t, sigma, reach, w, step) => {
      const law = { batches: t, muSquared: 1 / (sigma * sigma), muError: 2 ** -53 };
      const part = law.muSquared / (2 * t);
      const truncated = new TruncatedMoment(new EpochNoise(law, -reach - 2, reach), w);
      const { moment } = truncated;
      const whole = new AllocationMoment(law, w, moment.value + w * (w - 1) * part);
      expect(Math.abs(moment.value - (whole.moment.value - w * (w - 1) * part))).toBeLessThan(
        moment.error + whole.moment.error,
      );
      expect(moment.error).toBeLessThan(1e-9);
      const [a, b] = [ratios(), ratios()];
      truncated.fill(step, 1, 4, a);
      whole.fill(step, 1, 4, b);
      for (let k = 0; k < 4; k++) {
        const y = (k + 1) * step;
        // The Gaussian part is e^(w (w - 1) mu^2 / 2t), which the one leaves out.
        const power = Math.sign(w) * y;
        const size = Math.exp(part * y * y);
        const turn = -part * power * (2 * w - 1);
        const [u, v] = [b.x[k]!, w > 0 ? b.y[k]! : -b.y[k]!];
        const re = size * (u * Math.cos(turn) - v * Math.sin(turn)) - 1;
        const im = size * (u * Math.sin(turn) + v * Math.cos(turn));
        const off = a.error[k]! + b.error[k]! * size;
        expect(off).toBeLessThan(1e-6);
        expect(Math.abs(a.x[k]! - re)).toBeLessThan(off);
        expect(Math.abs(a.y[k]! - im)).toBeLessThan(off);
      }
    },
  );

  it.each([
    [10_000, 1, 6, 7, 100, 20],
    [10_000, 1, 7.25, 8.5, 30, 10],
    [100, 2, 4, 6, 12, 2],
  ])(
    'are those of epochs without a jump and of those with one: %d batches, sigma %d, jumps from %d to %d, power %d',
    (t, sigma, cut, end, w, step) => {
      const law = { batches: t, muSquared: 1 / (sigma * sigma), muError: 2 ** -53 };
      const parts = [
        new EpochNoise(law, -12, end),
        new EpochNoise(law, -12, cut),
        new EpochNoise(law, -12, cut, end),
      ].map((noise) => new TruncatedMoment(noise, w));
      const [whole, rest, jumps] = parts.map(({ moment: { value, error } }) => ({ value: Math.exp(value), error }));
      const off = whole!.value * whole!.error + rest!.value * rest!.error + jumps!.value * jumps!.error;
      expect(off / whole!.value).toBeLessThan(1e-7);
      expect(Math.abs(whole!.value - rest!.value - jumps!.value)).toBeLessThan(1.01 * off);
      const all = parts.map((part) => {
        const values = ratios();
        part.fill(step, 1, 4, values);
        return values;
      });
      for (let k = 0; k < 4; k++) {
        const [a, b, c] = all.map(({ x, y, error }, i) => {
          const size = [whole, rest, jumps][i]!.value;
          return { re: size * (1 + x[k]!), im: size * y[k]!, off: size * (error[k]! + [whole, rest, jumps][i]!.error) };
        });
        expect(a!.off).toBeLessThan(1e-6 * whole!.value);
        expect(Math.hypot(a!.re - b!.re - c!.re, a!.im - b!.im - c!.im)).toBeLessThan(
          1.01 * (a!.off + b!.off + c!.off),
        );
      }
    },
  );

  it.each([8, 12])('are those of a sum over the noise of two batches, power %d', (w) => {
    const [mu, from, cut, to] = [0.9, -8, 2, 4];
    const law = { batches: 2, muSquared: mu * mu, muError: 2 ** -53 };
    const nodes = (end: number) =>
      Array.from({ length: (end - from) * 16 }, (_, i) => gaussLegendre4(from + i / 16, from + (i + 1) / 16))
        .flat()
        .map(({ x, weight }) => ({
          log: Math.log(weight / Math.sqrt(2 * Math.PI)) - (x * x) / 2 - (w * mu * x) / 2 + (w * mu * mu) / 8,
          ratio: Math.exp(mu * x - (mu * mu) / 2) / 2,
        }));
    const sumUpTo = (end: number): number => {
      const all = nodes(end);
      let sum = 0;
      for (const a of all) for (const b of all) sum += Math.exp(a.log + b.log) * (a.ratio + b.ratio) ** w;
      return sum;
    };
    const { moment } = new TruncatedMoment(new EpochNoise(law, from, cut, to), w);
    expect(moment.error).toBeLessThan(1e-9);
    expect(Math.abs(moment.value - Math.log(sumUpTo(to) - sumUpTo(cut)))).toBeLessThan(moment.error + 1e-9);
  });
});

// A loss that is exceeded by little is exceeded more under more tilt: below it contours look for their line.
it.each([
  [138, 1.557, 9.5, 24],
  [1000, 1.1, 9, 16],
  [2301, 0.994, 9, 15],
])('the mean of the loss grows with the tilt: %d batches, sigma %d, up to %d', (t, sigma, reach, last) => {
  const { transform } = truncatedTransform({ batches: t, muSquared: sigma ** -2, muError: 2 ** -53 }, reach, 'remove');
  const means = Array.from({ length: 2 * last }, (_, i) => transform.about!(i / 2).mean);
  means.slice(1).forEach((mean, i) => {
    expect(mean).toBeGreaterThan(means[i]! - 1e-3);
  });
});
