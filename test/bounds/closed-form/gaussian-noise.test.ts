import { readFileSync } from 'node:fs';
import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { gaussianNoise } from '../../../src/bounds/closed-form/gaussian-noise.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { exactly } from '../../../src/numeric/enclosure.ts';
import { gaussianLogDelta } from '../../../src/privacy/gaussian.ts';

// Rows [epsilon, delta, sigma to 30 digits] of independent code: see fixtures/golden/make_gaussian_noise.py.
const golden = JSON.parse(
  readFileSync(new URL('../../../fixtures/golden/gaussian-noise.json', import.meta.url), 'utf8'),
) as [string, string, string][];

const noise = (epsilon: string, delta: string): Decimal => gaussianNoise(new Decimal(epsilon), new Decimal(delta));

/** Up to the next decimal of 12 digits. */
const roundedUp = (sigma: string): string => new Decimal(sigma).toSignificantDigits(12, Decimal.ROUND_UP).toString();

describe('the Gaussian noise for (epsilon, delta)', () => {
  it.each(golden)('of (%s, %s) is the smallest of 12 digits', (epsilon, delta, sigma) => {
    expect(noise(epsilon, delta).toString()).toBe(roundedUp(sigma));
  });

  it('suffices, and a little less does not', () => {
    const epsilons = fc.double({ min: 0, max: 50, noNaN: true });
    const deltas = fc.double({ min: -80, max: -0.02, noNaN: true }).map((exponent) => 10 ** exponent);
    fc.assert(
      fc.property(epsilons, deltas, (epsilon, delta) => {
        const sigma = gaussianNoise(new Decimal(epsilon), new Decimal(delta)).toNumber();
        const at = (times: number) => gaussianLogDelta(exactly(1 / (sigma * times)), exactly(epsilon));
        expect(at(1 + 1e-14).lower).toBeLessThanOrEqual(Math.log(delta) + 1e-13);
        expect(at(1 - 2e-11).upper).toBeGreaterThan(Math.log(delta));
      }),
    );
  });

  it('is found at the ends of what is allowed', () => {
    expect(noise('1e100', '1e-150').toString()).toBe('7.07106781187e-51');
    expect(noise('1e100', `0.${'9'.repeat(1000)}`).toString()).toBe('7.07106781187e-51');
    expect(noise('0', `0.${'9'.repeat(1000)}`).gt('0.01')).toBe(true);
    expect(noise('0', '1e-150').gt(noise('1e-100', '1e-150'))).toBe(true);
  });

  it.each([
    ['-1e-9', '0.1'],
    ['1.1e100', '0.1'],
    ['1', '1'],
    ['1', '0'],
    ['1', '9e-151'],
  ])('of (%s, %s) is refused', (epsilon, delta) => {
    expect(() => noise(epsilon, delta)).toThrow(RangeError);
  });
});
