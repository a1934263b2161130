import { describe, expect, it } from 'vitest';
import {
  logMaximumBelow,
  maximumAbove,
  maximumLoss,
  thresholdAtLoss,
} from '../../../src/privacy/sampling/shuffled-lower-bound.ts';
import { normalTailOf } from '../../reference/normal-tail.ts';
import { holds, ONE, precise } from '../../reference/precise.ts';

describe.each([
  [0, 1],
  [0.3, 2],
  [2.5, 50],
  [7, 10_000],
] as const)('mean %d, %d batches', (mean, batches) => {
  it.each([-3, 0.5, 3, 6, 12])('the largest sum is below %d as often as all are', (c) => {
    const spike = { mean, batches };
    const below = (x: number) => normalTailOf(precise(c).minus(x).neg());
    const truth = below(mean)
      .ln()
      .plus(
        below(0)
          .ln()
          .times(batches - 1),
      );
    const { lower, upper } = logMaximumBelow(spike, c);
    // Where a tail is known to 60 digits of 1 alone.
    expect(upper).toBeGreaterThanOrEqual(truth.toNumber() * (1 + 1e-14) - 1e-58);
    expect(lower).toBeLessThanOrEqual(truth.toNumber() * (1 - 1e-14) + 1e-58);
    expect(upper - lower).toBeLessThan(1e-11 * Math.abs(truth.toNumber()) + 1e-300);
    const above = ONE.minus(truth.exp());
    if (above.gt(1e-30)) expect(holds(maximumAbove(spike, c), above)).toBe(true);
  });
});

it('a threshold has the loss asked for', () => {
  for (const [p, q, batches] of [
    [4, 2, 100],
    [1, 0, 1],
    [0.2, 0.1, 12],
  ] as const) {
    const [one, other] = [
      { mean: p, batches },
      { mean: q, batches },
    ];
    for (const loss of [-0.05, 0, 0.3, 2]) {
      const c = thresholdAtLoss(one, other, loss);
      expect(maximumLoss(one, other, c)).toBeCloseTo(loss, 6);
    }
  }
});
