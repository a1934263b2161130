import { describe, expect, it } from 'vitest';
import { adaptiveOptimum } from '../../../src/bounds/bounded-range/adaptive-optimum.ts';
import { adaptiveTables } from '../../../src/bounds/bounded-range/adaptive-tables.ts';
import { shiftedBounds, shiftedGaussianAbove, tangentAt } from '../../../src/bounds/bounded-range/shifted-gaussian.ts';
import { cellsOf, lengtheningFrom, millsAbove, millsBelow } from '../../../src/bounds/bounded-range/shifted-step.ts';
import { gaussianCurve } from '../../../src/bounds/closed-form/gaussian.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { fromDouble } from '../../../src/numeric/double-double.ts';
import { exactly } from '../../../src/numeric/enclosure.ts';
import { millsRatio } from '../../../src/numeric/normal.ts';
import { fc } from '../../reference/properties.ts';
import { someOf } from '../../reference/share.ts';

const pure = (epsilon: string | number, count: number) => ({ epsilon: new Decimal(epsilon), count });
const epsilons = fc.double({ min: -2, max: 0.7, noNaN: true }).map((x) => 10 ** x);
const tilts = fc.double({ min: -3, max: 0.3, noNaN: true }).map((x) => Math.fround(10 ** x));

/** ln E e^(a L) of the loss that is t with probability q, t - e otherwise; the largest over t where `sign` is 1. */
function extremalMoment(e: number, a: number): number {
  const at = (t: number): number => {
    const up = (Math.exp(t - e) * Math.expm1(-t)) / Math.expm1(-e);
    return a * t + Math.log1p(up * Math.expm1(-a * e));
  };
  const sign = a * (a + 1) > 0 ? 1 : -1;
  let [centre, best] = [e / 2, -Infinity];
  for (let span = e / 2; span > 1e-9 * e; span /= 8) {
    const middle = centre;
    for (let i = -32; i <= 32; i++) {
      const t = Math.min(e, Math.max(0, middle + (span * i) / 32));
      if (sign * at(t) > best) [best, centre] = [sign * at(t), t];
    }
  }
  return sign * best;
}

describe('the Mills ratio of Boyd', () => {
  it('is enclosed by his two bounds', () => {
    for (let x = 0; x < 60; x += 2 ** -7) {
      const { lower, upper } = millsRatio(x);
      expect(millsBelow(x)).toBeLessThanOrEqual(upper);
      expect(millsAbove(x)).toBeGreaterThanOrEqual(lower);
      expect(millsAbove(x)).toBeLessThan(millsBelow(x) * 1.03);
    }
  });
});

describe('a line above the moments of bounded range', () => {
  it('is above h(a) / a for every a >= -1/2, and touches it', () => {
    fc.assert(
      fc.property(epsilons, tilts, fc.double({ min: -4, max: 4, noNaN: true }), (e, tilt, magnitude) => {
        const line = tangentAt(new Decimal(e), tilt);
        fc.pre(line !== null);
        const at = (a: number): number => line.drift + (a * line.spread) / 2;
        expect(line.surplus).toBeGreaterThanOrEqual(0);
        expect(at(tilt)).toBeLessThanOrEqual((extremalMoment(e, tilt) / tilt) * (1 + 1e-4));
        for (const a of [10 ** magnitude, tilt * (1 + 10 ** -Math.abs(magnitude)), -0.5 * 10 ** -Math.abs(magnitude)]) {
          expect(extremalMoment(e, a) / a).toBeLessThanOrEqual(at(a) * (1 + 1e-7));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('is known for all tilts of usual tails up to epsilon 5', () => {
    for (const e of [1e-6, 0.1, 1, 3, 5])
      for (const tilt of [1e-3, 0.1, 0.3]) expect(tangentAt(new Decimal(e), tilt)).not.toBeNull();
  });
});

describe('a shifted Gaussian curve above the adaptive optimum', () => {
  it('stays above after one step, whatever is chosen', () => {
    const curve = (variance: number, x: number, end: 'lower' | 'upper'): number => {
      const log = gaussianCurve(exactly(variance)).logDelta(fromDouble(Math.abs(x)))[end];
      return x >= 0 ? Math.exp(log) : -Math.expm1(x) + Math.exp(x + log);
    };
    fc.assert(
      fc.property(
        epsilons,
        tilts,
        fc.double({ min: 1.2, max: 200, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: -9, max: 25, noNaN: true }),
        (e, tilt, ratio, share, deviations) => {
          const line = tangentAt(new Decimal(e), tilt);
          fc.pre(line !== null);
          const { spread, surplus } = line;
          const s = ratio * spread;
          const longer = lengtheningFrom(s, line, cellsOf(new Decimal(e), line));
          fc.pre(longer !== null);
          const x = s / 2 + deviations * Math.sqrt(s);
          const t = share * e;
          const down = Math.expm1(t - e) / Math.expm1(-e);
          const step = down * curve(s, x - t, 'lower') + (1 - down) * curve(s, x - t + e, 'lower');
          const shift = surplus + (longer * surplus * spread) / (s - spread);
          const variance = s + spread + (longer * spread ** 2) / (s - spread);
          expect(step).toBeLessThanOrEqual(curve(variance, x - shift, 'upper') * (1 + 1e-9));
        },
      ),
      { numRuns: 6000 },
    );
  });

  it.each([
    ['equal', [pure('0.1', 60)]],
    ['large', [pure('1.5', 12)]],
    ['very large', [pure('4', 30)]],
    ['different', [pure('0.1', 8), pure('0.35', 4), pure('0.02', 9)]],
    ['one beside many', [pure('0.8', 1), pure('0.1', 40)]],
  ])('is above what tables certify from below: %s', (_, groups) => {
    const patient = { exhausted: () => false, tolerance: 1e-2 };
    const exact = adaptiveOptimum(groups, adaptiveTables(groups, 'any')!, 1e-2, patient);
    const bounds = shiftedBounds(groups);
    for (const log of someOf([-1, -8, -20, -60])) {
      const target = exactly(log);
      expect(bounds.epsilon(target)).toBeGreaterThanOrEqual(exact.epsilon!(target).lower);
    }
    for (const epsilon of someOf([0.2, 1, 3], 1)) {
      expect(bounds.logDelta(epsilon)).toBeGreaterThanOrEqual(exact.logDelta(fromDouble(epsilon)).lower);
    }
  });

  it('exceeds the sums of what it adds for each mechanism by few times the largest of them', () => {
    for (const e of [0.1, 1, 3, 5]) {
      const { spread, surplus } = tangentAt(new Decimal(e), 0.0625)!;
      const { variance, shift } = shiftedGaussianAbove([pure(e, 10_000)], 0.0625)!;
      expect(variance).toBeGreaterThan(10_000 * spread);
      expect(variance).toBeLessThan(10_025 * spread);
      expect(shift).toBeGreaterThan(10_000 * surplus);
      expect(shift).toBeLessThan(1e4 * surplus * (1 + 2.5e-3) + (50 * surplus) / spread);
    }
  });

  it('is none for mechanisms that are too large', () => {
    expect(shiftedGaussianAbove([pure('9', 1000)], 0.01)).toBeNull();
  });
});
