import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { noisyMax, noisyMaxEpsilon } from '../../src/privacy/bounded-range.ts';
import { decimal } from '../mechanisms.ts';
import * as reference from '../reference/selection.ts';

const utility = fc.double({ min: -3, max: 3, noNaN: true });
const change = (from: number, to: number) =>
  fc.oneof(fc.constantFrom(from, to), fc.double({ min: from, max: to, noNaN: true }));
const pair = (from: number, to: number) =>
  fc.array(fc.tuple(utility, change(from, to)), { minLength: 2, maxLength: 4 }).map((drawn) => ({
    one: drawn.map(([u]) => u),
    other: drawn.map(([u, moved]) => u + moved),
  }));

const spread = (losses: readonly number[]): number => Math.max(...losses) - Math.min(...losses);

describe('report noisy max', () => {
  it('has an epsilon of range / scale, rounded up', () => {
    const sensitivity = decimal(3);
    expect(noisyMaxEpsilon(decimal(10), { range: decimal(3) })).toEqual(decimal('0.3'));
    expect(noisyMaxEpsilon(decimal(10), { sensitivity, monotonic: true })).toEqual(decimal('0.3'));
    expect(noisyMaxEpsilon(decimal(10), { sensitivity, monotonic: false })).toEqual(decimal('0.6'));
    expect(noisyMaxEpsilon(decimal(9), { range: decimal(3) })).toEqual(decimal(`0.${'3'.repeat(59)}4`));
  });

  it('has bounded range with Gumbel noise, and is differentially private with any', () => {
    const epsilon = decimal('0.3');
    expect(noisyMax('gumbel', epsilon)).toEqual({ type: 'bounded-range', epsilon });
    expect(noisyMax('laplace', epsilon)).toEqual({ type: 'dp', epsilon, delta: decimal(0) });
    expect(noisyMax('exponential', epsilon)).toEqual({ type: 'dp', epsilon, delta: decimal(0) });
  });

  it.each([
    [-1, 1],
    [0, 1],
    [2, 3],
  ])('has no loss beyond that where utilities move by %d to %d scales', (from, to) => {
    // The range: of utilities that move in both directions, twice the sensitivity.
    const epsilon = to - from;
    fc.assert(
      fc.property(pair(from, to), fc.constantFrom('gumbel', 'laplace', 'exponential'), ({ one, other }, noise) => {
        const losses = reference.losses(reference.noisyMax(noise), one, other);
        expect(Math.max(...losses.map(Math.abs))).toBeLessThanOrEqual(epsilon + 1e-9);
        if (noise === 'gumbel') expect(spread(losses)).toBeLessThanOrEqual(epsilon + 1e-9);
      }),
    );
  });

  it('reaches that loss', () => {
    const [far] = reference.losses(reference.noisyMax('exponential'), [1, 7], [0, 8]);
    expect(far).toBeCloseTo(2, 9);
    const [monotonic] = reference.losses(reference.noisyMax('laplace'), [1, 30], [0, 30]);
    expect(monotonic).toBeGreaterThan(0.96);
  });

  it('is the exponential mechanism with Gumbel noise, and permute-and-flip with exponential noise', () => {
    fc.assert(
      fc.property(pair(0, 0), ({ one }) => {
        const [gumbel, exponential] = [reference.noisyMax('gumbel')(one), reference.noisyMax('exponential')(one)];
        reference.exponentialMechanism(one).forEach((chance, i) => {
          expect(gumbel[i]).toBeCloseTo(chance, 12);
        });
        reference.permuteAndFlip(one).forEach((chance, i) => {
          expect(exponential[i]).toBeCloseTo(chance, 12);
        });
      }),
    );
  });

  it('has losses further apart than its epsilon with exponential or Laplace noise', () => {
    const [one, other] = [
      [0, 0, 0, 0],
      [0.1, 0.1, 0, 0],
    ];
    expect(spread(reference.losses(reference.noisyMax('laplace'), one, other))).toBeGreaterThan(0.116);
    expect(spread(reference.losses(reference.noisyMax('exponential'), one, other))).toBeGreaterThan(0.116);
  });
});
