import { describe, expect, it } from 'vitest';
import { guessingRegretOfConvex, guessingRegretOfExperts } from '../../../src/learning/alternatives/alternative.ts';
import { safeRegretOfConvex, safeRegretOfExperts } from '../../../src/learning/planning/regret.ts';
import { outputDistribution, weightsOf, type ExpertLosses } from '../../enumeration/views.ts';
import { fc } from '../../reference/properties.ts';
import { d, near, scaled, setting } from '../helpers.ts';

const losses = (experts: number, rounds: number): fc.Arbitrary<ExpertLosses[]> =>
  fc.array(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: experts, maxLength: experts }), {
    minLength: rounds,
    maxLength: rounds,
  });

/** The mean regret over the exact law of what is played. */
function regretOf(parameters: ReturnType<typeof setting>, rows: readonly ExpertLosses[]): number {
  const law = outputDistribution(parameters, rows, 'played');
  let mean = 0;
  for (const [seen, probability] of law) {
    const played = seen.split(' ').map(Number);
    const total = rows.reduce((sum, round, t) => sum + round[played[Math.floor(t / parameters.batch)]!]!, 0);
    mean += probability * total;
  }
  const totals = rows[0]!.map((_, expert) => rows.reduce((sum, round) => sum + round[expert]!, 0));
  return mean - Math.min(...totals);
}

describe('the exact law of what is played', () => {
  it('sums to 1, has the marginals of the weights, and a mean regret that is never above the safe one', () => {
    fc.assert(
      fc.property(
        scaled(1e-3, 2),
        scaled(1e-3, 1),
        fc.integer({ min: 1, max: 3 }),
        losses(3, 5),
        (eta, fakeSwitch, batch, rows) => {
          const parameters = { rounds: 5, batch, eta, fakeSwitch };
          const law = outputDistribution(parameters, rows, 'played');
          near(
            [...law.values()].reduce((sum, mass) => sum + mass, 0),
            1,
            1e-12,
          );
          const batches = Math.ceil(5 / batch);
          for (let s = 0; s < batches; s++) {
            const totals = [0, 1, 2].map((expert) =>
              rows.slice(0, s * batch).reduce((sum, round) => sum + round[expert]!, 0),
            );
            weightsOf(eta.toNumber(), totals).forEach((weight, expert) => {
              let mass = 0;
              for (const [seen, probability] of law) if (seen.split(' ')[s] === String(expert)) mass += probability;
              near(mass, weight, 1e-11);
            });
          }
          expect(regretOf(parameters, rows)).toBeLessThanOrEqual(safeRegretOfExperts(parameters, 3) * (1 + 1e-12));
        },
      ),
      { seed: 51, numRuns: 60 },
    );
  });
});

describe('the safe regret', () => {
  it('of experts is that of Hedge on batches', () => {
    near(safeRegretOfExperts(setting(1000, 10, '0.01', '0.1'), 8), Math.log(8) / 0.01 + (0.01 * 1000 * 10) / 8, 1e-12);
    // 3 batches of 300 and one of 100.
    near(safeRegretOfExperts(setting(1000, 300, '0.01', '0'), 2), Math.log(2) / 0.01 + (0.01 * 280_000) / 8, 1e-12);
  });

  it('of experts is never above what L2P can lose, and above what it loses', () => {
    near(safeRegretOfExperts(setting(100, 10, '1e-9', '0'), 4), 97.5, 1e-12);
    expect(safeRegretOfExperts(setting(100, 100, '5', '0'), 4)).toBe(75);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), { minLength: 6, maxLength: 6 }),
        scaled(1e-3, 100),
        fc.integer({ min: 1, max: 6 }),
        (losses, eta, batch) => {
          const totals = (rounds: number): number[] =>
            [0, 1, 2].map((i) => losses.slice(0, rounds).filter((row) => row[i]).length);
          const expected = losses.reduce((sum, row, t) => {
            const before = totals(t - (t % batch));
            const least = Math.min(...before);
            const weights = before.map((total) => Math.exp(-eta.toNumber() * (total - least)));
            const mass = weights.reduce((all, weight) => all + weight, 0);
            return sum + weights.reduce((all, weight, i) => all + (row[i] === true ? weight / mass : 0), 0);
          }, 0);
          const safe: number = safeRegretOfExperts({ ...setting(6, batch, '1', '0'), eta }, 3);
          expect(expected - Math.min(...totals(6))).toBeLessThanOrEqual(safe + 1e-12);
        },
      ),
      { seed: 53, numRuns: 500 },
    );
  });

  it('of convex losses is never above the largest regret, and that where the keep probability may be cut', () => {
    const measure = {
      type: 'regularised-multiplicative-weights',
      beta: d('0.01'),
      lambda: d(1e6),
      lipschitz: d(3),
      diameter: d('0.5'),
    } as const;
    expect(safeRegretOfConvex(setting(100, 1, '1', '0'), measure, 2)).toBe(150);
    const good = { ...measure, beta: d(100), lambda: d(10) };
    expect(safeRegretOfConvex(setting(100, 1, '75', '0'), good, 2)).toBeLessThan(100);
    expect(safeRegretOfConvex(setting(100, 1, '74.9', '0'), good, 2)).toBe(150);
  });

  it('of guessing is that of what looks at no loss', () => {
    expect(guessingRegretOfExperts({ rounds: 100, experts: 4 })).toBe(75);
    near(guessingRegretOfExperts({ rounds: 100, experts: 3 }), 200 / 3, 1e-12);
    const problem = { problem: 'oco', rounds: 100, epsilon: d(1), delta: d('1e-6'), lipschitz: d(3) } as const;
    // An interval, a triangle and a tetrahedron with sides of length 2.
    for (const [dimension, radius] of [
      [1, 1],
      [2, 2 / Math.sqrt(3)],
      [3, Math.sqrt(1.5)],
    ] as const) {
      near(guessingRegretOfConvex({ ...problem, dimension, diameter: d(2) }), 300 * radius, 1e-12);
    }
  });

  it('of convex losses is above what is seen in one dimension', () => {
    // Losses |x - c| and linear ones on [-1/2, 1/2], by quadrature.
    const grid = Array.from({ length: 401 }, (_, i) => -0.5 + i / 400);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { minLength: 12, maxLength: 12 }),
        scaled(0.1, 30),
        scaled(0.05, 20),
        fc.integer({ min: 1, max: 4 }),
        (centres, beta, lambda, batch) => {
          const loss = (t: number, x: number): number =>
            t % 2 === 0 ? Math.abs(x - centres[t]!) : centres[t]! * 2 * x;
          const total = (rounds: number, x: number): number =>
            centres.slice(0, rounds).reduce((sum, _, t) => sum + loss(t, x), 0);
          let expected = 0;
          for (let t = 0; t < 12; t++) {
            const before = t - (t % batch);
            const weights = grid.map((x) =>
              Math.exp(-beta.toNumber() * (total(before, x) + lambda.toNumber() * x * x)),
            );
            const mass = weights.reduce((sum, weight) => sum + weight, 0);
            expected += grid.reduce((sum, x, i) => sum + (weights[i]! / mass) * loss(t, x), 0);
          }
          const least = Math.min(...grid.map((x) => total(12, x)));
          const measure = {
            type: 'regularised-multiplicative-weights',
            beta,
            lambda,
            lipschitz: d(1),
            diameter: d(1),
          } as const;
          const safe: number = safeRegretOfConvex(setting(12, batch, '100', '0'), measure, 1);
          expect(expected - least).toBeLessThan(safe + 0.02);
        },
      ),
      { seed: 52, numRuns: 60 },
    );
  });
});
