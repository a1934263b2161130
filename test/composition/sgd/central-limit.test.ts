import { describe, expect, it } from 'vitest';
import { likelyNoise, likelySlope, likelySteps } from '../../../src/composition/sgd/sgd.ts';
import type { Training } from '../../../src/composition/sgd/training.ts';
import { decimal } from '../../mechanisms.ts';

const MNIST: Training = { examples: 60000, batch: 256, scheme: 'poisson' };
const budget = { epsilon: decimal(2), delta: decimal('1e-5') };

describe('the central limit', () => {
  it('is near the noise and the steps that a budget allows', () => {
    expect(likelyNoise(MNIST, 14063, budget) / 1.22418).toBeCloseTo(1, 1);
    expect(likelySteps(MNIST, 1.1, budget) / 10207).toBeGreaterThan(0.8);
    expect(likelySteps(MNIST, 1.1, budget) / 10207).toBeLessThan(1.25);
  });

  it('agrees with itself', () => {
    const noise = likelyNoise(MNIST, 5000, budget);
    expect(likelySteps(MNIST, noise, budget) / 5000).toBeCloseTo(1, 9);
  });

  it('takes noise on a sum that moves twice as far twice as large', () => {
    const replaced: Training = { ...MNIST, scheme: 'without-replacement' };
    expect(likelyNoise(replaced, 14063, budget)).toBeCloseTo(2 * likelyNoise(MNIST, 14063, budget), 9);
  });

  it('rises with the root of the steps, or faster', () => {
    const slope = likelySlope((each) => likelySteps(MNIST, 1.1, each), budget);
    expect(slope).toBeGreaterThan(0.4);
    expect(slope).toBeLessThan(1);
  });
});
