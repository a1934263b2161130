import { describe, expect, it } from 'vitest';
import { descentRegret, hedgeRegret } from '../../../src/learning/alternatives/alternative.ts';
import { d } from '../helpers.ts';
import { uniforms } from './random.ts';

/** The expected regret of Hedge on losses, exactly. */
function hedge(losses: readonly number[][], eta: number): number {
  const sums = losses[0]!.map(() => 0);
  let total = 0;
  for (const loss of losses) {
    const weights = sums.map((sum) => Math.exp(-eta * sum));
    const all = weights.reduce((a, b) => a + b);
    loss.forEach((each, i) => {
      total += (each * weights[i]!) / all;
      sums[i]! += each;
    });
  }
  return total - Math.min(...sums);
}

describe('learners without privacy', () => {
  it.each([2, 5, 30])('Hedge on %d experts never has a larger regret than its bound', (experts) => {
    const [rounds, u] = [300, uniforms(experts)];
    const eta = Math.sqrt((8 * Math.log(experts)) / rounds);
    for (const bias of [0, 0.1, 0.4]) {
      const losses = Array.from({ length: rounds }, () =>
        Array.from({ length: experts }, (_, i) => Number(u() < 0.5 - (i === 0 ? bias : 0))),
      );
      expect(hedge(losses, eta)).toBeLessThanOrEqual(hedgeRegret({ rounds, experts }));
    }
  });

  it('have the textbook bounds', () => {
    expect(hedgeRegret({ rounds: 1e6, experts: 1000 })).toBeCloseTo(Math.sqrt(5e5 * Math.log(1000)), 8);
    expect(hedgeRegret({ rounds: 1, experts: 1000 })).toBeCloseTo(0.999, 12);
    const [lipschitz, diameter] = [d(3), d(2)];
    const target = { epsilon: d(1), delta: d('0.1') };
    const bound = descentRegret({ problem: 'oco', rounds: 400, dimension: 1, lipschitz, diameter, ...target });
    expect(bound).toBeCloseTo(3 * 1 * 20, 10);
  });
});
