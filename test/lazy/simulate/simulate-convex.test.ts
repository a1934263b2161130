import { describe, expect, it } from 'vitest';
import { safeRegretOfConvex } from '../../../src/lazy/planning/regret.ts';
import { LOSS_KINDS } from '../../../src/lazy/simulate/losses.ts';
import { simulateConvex } from '../../../src/lazy/simulate/simulate-convex.ts';
import { d, near, setting } from '../helpers.ts';

const MEASURE = {
  type: 'regularised-multiplicative-weights',
  beta: d('0.5'),
  lambda: d('2'),
  lipschitz: d(1),
  diameter: d(2),
} as const;

const PARAMETERS = { ...setting(200, 4, '0.5', '0.1'), fakeSwitch: d('0.1') };

const run = (kind: (typeof LOSS_KINDS)[number], dimension: number, runs = 400) =>
  simulateConvex({ setting: PARAMETERS, measure: MEASURE, dimension, kind, runs, seed: 3 });

/** The interval between two errors on either side, wider than the 95% one. */
const contains = ({ mean, lower, upper }: { mean: number; lower: number; upper: number }, exact: number): void => {
  expect(Math.abs(mean - exact)).toBeLessThan(1.25 * (upper - lower) + 1e-12);
};

describe('runs on linear losses', () => {
  it.each([1, 2, 7])('of zero cost nothing and switch as the chances say, in dimension %d', (dimension) => {
    const { regret, bestLoss, switches } = run('zero', dimension);
    expect([regret.mean, bestLoss]).toEqual([0, 0]);
    const kept = Math.exp(-2 * 4 * 0.5);
    contains(switches.real, 49 * (1 - kept));
    contains(switches.ofX, 49 * (1 - 0.9 * kept));
    contains(switches.ofY, 4.9);
    contains(switches.fake, 49 * (1 - 0.9 ** 2));
  });

  it('have in one dimension the regret of the weights by quadrature', () => {
    // One block of gradients per batch, whose signs the best loss tells only together: many seeds, all compared.
    for (const seed of [1, 2, 3]) {
      const few = { ...setting(6, 3, '3', '0.3'), fakeSwitch: d('0.3') };
      const found = simulateConvex({
        setting: few,
        measure: MEASURE,
        dimension: 1,
        kind: 'blocks',
        runs: 20_000,
        seed,
      });
      // Two batches with sums s and t of 3 or -3: x is centred in the first, and has the density e^(-beta (s x + lambda x^2)) in the second.
      const grid = Array.from({ length: 4001 }, (_, i) => -1 + i / 2000);
      const mean = (s: number): number => {
        const weights = grid.map((x) => Math.exp(-0.5 * (s * x + 2 * x * x)));
        const mass = weights.reduce((sum, weight) => sum + weight, 0);
        return grid.reduce((sum, x, i) => sum + (x * weights[i]!) / mass, 0);
      };
      // The best point loses 6 where both signs are equal, else 0; by symmetry only that matters.
      const expected = found.bestLoss < -1 ? 6 + 3 * mean(3) : -3 * mean(3);
      contains(found.regret, expected);
    }
  });

  it.each(LOSS_KINDS)('stay below the bound on %s, and are the same for the same seed', (kind) => {
    const found = run(kind, 3);
    const bound: number = safeRegretOfConvex(PARAMETERS, MEASURE, 3);
    expect(found.regret.mean).toBeLessThan(bound);
    expect(run(kind, 3)).toEqual(found);
  });

  it('have gradients of length L', () => {
    const once = { ...setting(10, 10, '0.5', '0.1'), fakeSwitch: d('0.1') };
    const found = simulateConvex({ setting: once, measure: MEASURE, dimension: 5, kind: 'blocks', runs: 2, seed: 1 });
    near(found.bestLoss, -10, 1e-12);
  });
});
