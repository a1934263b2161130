import { describe, expect, it } from 'vitest';
import { AllocationMoment } from '../../../src/privacy/sampling/allocation-moment.ts';
import { TruncatedMoment } from '../../../src/privacy/sampling/truncated-moment.ts';
import { TruncatedNoise } from '../../../src/privacy/sampling/truncated-noise.ts';

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
      const truncated = new TruncatedMoment(law, new TruncatedNoise(law, reach), w);
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

  it('are not known where one batch at the end of the range decides', () => {
    const law = { batches: 50, muSquared: 0.25, muError: 0 };
    expect(new TruncatedMoment(law, new TruncatedNoise(law, 10), 50).moment.error).toBe(Infinity);
  });
});
