import { describe, expect, it } from 'vitest';
import { exactly } from '../../../src/numeric/enclosure.ts';
import { gaussianLogDelta } from '../../../src/privacy/gaussian.ts';
import { lowerHockeyStick } from '../../../src/privacy/sampling/lower-losses.ts';
import { shuffledEpochs } from '../../../src/privacy/sampling/shuffled-lower-bound.ts';

describe('the largest sums of several epochs', () => {
  it('are those of Gaussian noise where an epoch is one batch: below its delta, and above its delta at an epsilon 2 % larger', () => {
    for (const [mean, epochs] of [
      [2, 1],
      [0.5, 16],
      [0.2, 100],
    ] as const) {
      const both = shuffledEpochs({ mean: 2 * mean, batches: 1 }, { mean, batches: 1 }, epochs);
      const mu = mean * Math.sqrt(epochs);
      for (const epsilon of [0, (mu * mu) / 2, (mu * mu) / 2 + 3 * mu]) {
        const logDelta = (at: number) => gaussianLogDelta(exactly(mu * (1 + 1e-15)), exactly(at));
        for (const losses of [both.remove, both.add]) {
          const claimed = lowerHockeyStick(losses, epsilon);
          expect(claimed).toBeLessThanOrEqual(Math.exp(logDelta(epsilon).upper));
          expect(claimed).toBeGreaterThan(0.99 * Math.exp(logDelta(1.02 * epsilon).lower));
        }
      }
    }
  });

  it('show more together than one of them', () => {
    const [p, q] = [
      { mean: 2, batches: 100 },
      { mean: 1, batches: 100 },
    ];
    const [one, three] = [1, 3].map((epochs) => lowerHockeyStick(shuffledEpochs(p, q, epochs).remove, 2));
    expect(three).toBeGreaterThan(2 * one!);
  });
});
