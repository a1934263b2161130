import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { answer, atDelta, discreteLaplace, dp, gaussian, laplace, sampled } from '../../mechanisms.ts';

/* Where the complement of delta, summed over all combinations with 60 digits, is 1e-12. */
const KNOWN: readonly (readonly [string, readonly Entry[], number])[] = [
  ['100 equal mechanisms', [dp(3, 0, { count: 100 })], 146.549267966997],
  ['mechanisms of two epsilons', [dp(9, 0, { count: 10 }), dp(6, 0, { count: 7 })], 63.68396387687498],
  ['discrete Laplace noise', [discreteLaplace('0.2', 1, { count: 20 })], 25.60269523041094],
  ['Gaussian noise', [gaussian('0.1', { count: 10 })], 276.41965212863],
];

describe('a delta of 1 - 1e-12', () => {
  it.each(KNOWN)('of %s has an epsilon that is known', (_, entries, epsilon) => {
    const { lower, upper } = answer(entries, atDelta('0.999999999999')).epsilon;
    expect(lower!).toBeLessThanOrEqual(epsilon * (1 + 1e-15));
    expect(upper).toBeGreaterThanOrEqual(epsilon * (1 - 1e-15));
    expect(upper - lower!).toBeLessThan(1e-7 * epsilon);
  });

  // The losses under a tilt, convolved 200 times on grids of 1e-3 and 5e-4: the complement is so to 3e-7 of itself.
  it.each([
    ['0.9999', 261.25893],
    ['0.999999', 215.169023],
    ['0.999999999999', 119.997071],
  ])('and one of %s of Gaussian noise on samples is what convolutions give', (delta, epsilon) => {
    const { lower, upper } = answer([sampled(gaussian('0.3', { count: 200 }), '0.5')], atDelta(delta)).epsilon;
    expect(lower!).toBeLessThan(epsilon + 2e-6);
    expect(upper).toBeGreaterThan(epsilon - 2e-6);
    expect(upper - lower!).toBeLessThan(1e-5);
  });

  it.each<readonly [string, Entry]>([
    ['Gaussian', sampled(gaussian('0.3', { count: 200 }), '0.5')],
    ['Laplace', sampled(laplace('0.2', { count: 200 }), '0.5')],
  ])('of %s noise on samples is enclosed, as every delta on the way to it, and costs less', (_, entry) => {
    let before = Infinity;
    for (const delta of ['0.9', '0.99', '0.9999', '0.999999', '0.999999999999']) {
      const { lower, upper } = answer([entry], atDelta(delta)).epsilon;
      expect(upper - lower!).toBeLessThan(1e-6 * upper);
      expect(upper).toBeLessThan(before);
      before = lower!;
    }
  });
});
