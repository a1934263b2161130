import { describe, expect, it } from 'vitest';
import { answer, atEpsilon, dp, finitePair, gaussian, sampled } from '../../mechanisms.ts';

/* The closed form of one Gaussian mechanism on a sample, summed over the outcomes of the other, with 40 digits. */
const BESIDE_PAIR: readonly (readonly [sigma: string, rate: string, epsilon: string, delta: number])[] = [
  ['0.4', '0.2', '1', 0.1826716785008842],
  ['0.4', '0.2', '2', 0.1465984809960606],
  ['0.5', '0.02', '1', 0.0982056254404085],
];
const BESIDE_DP: typeof BESIDE_PAIR = [
  ['1', '0.1', '0.3', 0.0075746054629481],
  ['0.5', '0.02', '0.3', 0.005630031283399],
];

function expectAround(found: { readonly lower: number | null; readonly upper: number }, delta: number): void {
  expect(found.upper).toBeGreaterThanOrEqual(delta * (1 - 1e-15));
  expect(found.lower!).toBeLessThanOrEqual(delta * (1 + 1e-15));
  expect(found.upper - found.lower!).toBeLessThan(1e-6 * delta);
}

describe('Gaussian noise on a sample beside outcomes that only one neighbour gives', () => {
  it.each(BESIDE_PAIR)('of sigma %s, rate %s: a pair that costs delta at epsilon %s', (sigma, rate, epsilon, delta) => {
    const pair = finitePair(['0.1', '0.9', '0'], ['0.001', '0.949', '0.05'], { direction: 'fixed' });
    expectAround(answer([sampled(gaussian(sigma), rate), pair], atEpsilon(epsilon)).delta, delta);
  });

  it.each(BESIDE_DP)('of sigma %s, rate %s: (0.5, 0.017)-DP on a sample', (sigma, rate, epsilon, delta) => {
    const other = sampled(dp('0.5', '0.017'), '0.1');
    expectAround(answer([sampled(gaussian(sigma), rate), other], atEpsilon(epsilon)).delta, delta);
  });
});
