import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { fromDouble } from '../../../src/numeric/double-double.ts';
import { width } from '../../../src/numeric/enclosure.ts';
import { logMeanExcessOf } from '../../../src/privacy/shuffling/mean-excess.ts';
import { reportCurve } from '../../../src/privacy/shuffling/report-curve.ts';
import { dominatingReports, thirdSymbolReports } from '../../../src/privacy/shuffling/report-law.ts';
import { fc } from '../../reference/properties.ts';

/** ln E (a i - b (n - i))+, i binomial, by its terms from the mode on. */
function counted(n: number, p: number, a: number, b: number): number {
  const mode = Math.floor((n + 1) * p);
  const odds = p / (1 - p);
  let [mass, excess] = [0, 0];
  const add = (i: number, weight: number): void => {
    mass += weight;
    excess += weight * Math.max(0, a * i - b * (n - i));
  };
  add(mode, 1);
  for (let i = mode + 1, weight = 1; i <= n && weight > 0; i++) add(i, (weight *= ((n - i + 1) / i) * odds));
  for (let i = mode - 1, weight = 1; i >= 0 && weight > 1e-40; i--) add(i, (weight *= (i + 1) / (n - i) / odds));
  return Math.log(excess / mass);
}

const exact = (value: number) => ({ value, error: 0 });

describe('the mean excess of a sum over many users', () => {
  it('encloses that of a binomial walk, on a lattice and off it', () => {
    let answers = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 300_000 }),
        fc.double({ min: 0.01, max: 0.5, noNaN: true }),
        fc.oneof(fc.constant(1), fc.double({ min: 0.5, max: 2, noNaN: true })),
        fc.double({ min: 0.05, max: 6, noNaN: true }),
        (n, p, a, deviations) => {
          // The mean is so many deviations below 0.
          const b = (a * p) / (1 - p) + (deviations * (a * Math.sqrt(p))) / Math.sqrt(n);
          const found = logMeanExcessOf(n, [
            { value: exact(a), chance: exact(p) },
            { value: exact(-b), chance: exact(1 - p) },
          ]);
          const truth = counted(n, p, a, b);
          if (found === null || !Number.isFinite(truth)) return;
          answers++;
          const off = 1e-9 + n * 1e-15;
          expect(found.lower).toBeLessThanOrEqual(truth + off);
          expect(found.upper).toBeGreaterThanOrEqual(truth - off);
          expect(width(found)).toBeLessThan(1e-3);
        },
      ),
      { numRuns: 120 },
    );
    expect(answers).toBeGreaterThan(4);
  });

  // By the same integral in 40 digits, without bounds.
  it.each([
    [1e9, 1, 2, true, 0.0002, -26.975028878268, 2e-8],
    [1e9, 1, 4, true, 0.000164, -27.649716950699, 2e-8],
    [1e9, 1, 4, false, 0.000164, -27.649717011447, 2e-8],
    [1e9, 1, 20, true, 0.00008, -26.97220606313, 3e-8],
    [1e8, 3, 3, true, 0.003, -25.426566495651, 2e-8],
    [1e6, 0.5, 4, true, 0.003, -37.496834432271, 2e-6],
  ])(
    'of %d users, local epsilon %d, %d symbols (all hide: %s), at epsilon %d',
    (users, local, symbols, hides, epsilon, truth, narrow) => {
      const law = (hides ? dominatingReports : thirdSymbolReports)(users, new Decimal(local), symbols);
      const found = reportCurve(law).logDelta(fromDouble(epsilon));
      expect(found.lower).toBeLessThanOrEqual(truth);
      expect(found.upper).toBeGreaterThanOrEqual(truth);
      expect(width(found)).toBeLessThan(narrow);
    },
  );
});
