import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { profilesOf, type Profiles } from '../../../src/composition/risk/profile.ts';
import { tradeOff } from '../../../src/composition/risk/trade-off.ts';
import { specificationFromFlags } from '../../../src/document/flags/command-line.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';

/** The profiles of mechanisms as they are typed. */
function profiles(...mechanisms: readonly string[]): Profiles {
  const result = specificationFromFlags({ mechanisms });
  if (result.kind !== 'specification') throw new Error('this is not a specification');
  const found = profilesOf(result.specification);
  if (found.kind === 'refusal') throw new Error(found.refusal.code);
  return found.profiles;
}

const at = (of: Profiles, alpha: number | string): readonly [lower: number, upper: number] => {
  const { lower, upper } = tradeOff(of, new Decimal(alpha), 1e-9);
  return [lower, upper ?? Infinity];
};

describe('a trade-off function', () => {
  it.each([
    ['0.01', 0.907637751926],
    ['0.1', 0.610856308355],
    ['0.5', 0.158655253931],
    // Phi(-1 - z) for 1 - Phi(z) = 1 - alpha, by symmetry of f
    ['0.9076377519256', 0.01],
  ])('of 1-GDP at %s is Phi(Phi^-1(1 - alpha) - 1)', (alpha, beta) => {
    const [lower, upper] = at(profiles('gaussian:sigma=1'), alpha);
    expect(lower).toBeLessThan(beta + 1e-9);
    expect(upper).toBeGreaterThan(beta - 1e-9);
    expect(upper - lower).toBeLessThan(1e-9);
  });

  it('of randomized response is two straight lines, to the last rate', () => {
    const response = profiles('dp:epsilon=2');
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1, noNaN: true }), fc.boolean(), (distance, isFar) => {
        const alpha = isFar ? new Decimal(1).minus(distance) : new Decimal(distance);
        const e2 = Math.exp(2);
        const rest = new Decimal(1).minus(alpha).toNumber();
        const beta = Math.max(0, 1 - e2 * alpha.toNumber(), rest / e2);
        const [lower, upper] = at(response, alpha.toString());
        expect(lower).toBeLessThanOrEqual(beta * (1 + 1e-14) + 1e-16);
        expect(upper).toBeGreaterThanOrEqual(beta * (1 - 1e-14) - 1e-16);
        expect(upper - lower).toBeLessThanOrEqual(1e-5 * beta + 1e-9 * rest + 1e-15);
      }),
      { numRuns: 30 },
    );
  });

  it('has relative accuracy where it is small', () => {
    const [lower, upper] = at(profiles('gaussian:sigma=1'), '0.999999');
    // Phi(-1 - 4.753424308822899)
    expect(lower).toBeLessThanOrEqual(4.37268072e-9);
    expect(upper).toBeGreaterThanOrEqual(4.37268071e-9);
    expect(upper - lower).toBeLessThan(1e-8 * upper);
  });

  it('is 1 less the infinite losses where there may be no false positives, and 0 where all are', () => {
    const failing = profiles('dp:epsilon=1,delta=0.01,count=3');
    expect(at(failing, 0)[0]).toBeCloseTo(0.99 ** 3, 12);
    expect(at(profiles('dp:epsilon=1'), 0)).toEqual([expect.closeTo(1, 12), 1]);
    expect(at(failing, 1)).toEqual([0, 0]);
    expect(at(failing, '0.99')[1]).toBeLessThan(1e-9);
  });

  it('falls, is its own inverse and is at most 1 - alpha', () => {
    const all = [profiles('laplace:scale=1', 'gaussian:sigma=2'), profiles('dp:epsilon=0.4,count=7')];
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.double({ min: 0.001, max: 0.999, noNaN: true }), (of, alpha) => {
        const [lower, upper] = at(of, alpha);
        expect(lower).toBeLessThanOrEqual(1 - alpha + 1e-15);
        const [back] = at(of, Math.min(1, upper * (1 + 1e-12)));
        expect(back).toBeLessThanOrEqual(alpha);
        expect(at(of, lower * (1 - 1e-12))[1]).toBeGreaterThanOrEqual(alpha);
      }),
      { numRuns: 20 },
    );
  });

  it('of a claim that is not convex in e^epsilon still falls', () => {
    const result = specificationFromFlags({ mechanisms: ['dp:epsilon=0.1,count=100'] });
    if (result.kind !== 'specification') throw new Error('this is not a specification');
    const found = profilesOf(result.specification, { bounds: ['advanced-kov'] });
    if (found.kind === 'refusal') throw new Error(found.refusal.code);
    const values = Array.from({ length: 40 }, (_, index) => tradeOff(found.profiles, new Decimal(index / 40), 1e-9));
    values.slice(1).forEach(({ lower }, index) => {
      expect(lower).toBeLessThanOrEqual(values[index]!.lower + 1e-6);
    });
    expect(values[2]!.lower).toBeGreaterThan(0.3);
  });
});
