import { describe, expect, it } from 'vitest';
import { guessingRegretOfConvex } from '../../../src/learning/alternatives/alternative.ts';
import { regularisedLeader } from '../../../src/learning/alternatives/leaders.ts';
import type { ConvexProblem } from '../../../src/learning/core/setting.ts';
import { d } from '../helpers.ts';
import { normals, uniforms } from './random.ts';

const problem = (rounds: number, dimension: number, epsilon: string, size = '1'): ConvexProblem => ({
  problem: 'oco',
  rounds,
  dimension,
  lipschitz: d(size),
  diameter: d(size),
  epsilon: d(epsilon),
  delta: d('1e-6'),
});

describe('the regularised leader on noisy sums', () => {
  // Losses |x - a| in one dimension on [-1/2, 1/2]: gradients are signs, so that L = D = 1.
  it.each(['ends in turn', 'one end', 'random places'])('has no larger mean regret than its bound: %s', (kind) => {
    const rounds = 400;
    const { regret, noise } = regularisedLeader(problem(rounds, 1, '4'), 'square-root');
    const { batch, deviation } = noise!;
    const s = deviation!.toNumber();
    const radius = 1 / 2;
    const squares = Math.floor(rounds / batch) * batch ** 2 + (rounds % batch) ** 2;
    const lambda = Math.sqrt(squares + 2 * rounds * s) / radius;
    const [u, z] = [uniforms(5), normals(9)];
    const places = Array.from({ length: rounds }, (_, t) =>
      kind === 'one end' ? 0.5 : kind === 'random places' ? u() - 0.5 : t % 2 === 0 ? 0.5 : -0.4,
    );
    const lossOf = (x: number): number => places.reduce((sum, a) => sum + Math.abs(x - a), 0);
    const best = Math.min(...places.map(lossOf), lossOf(0.5));
    const runs = 200;
    let total = 0;
    for (let run = 0; run < runs; run++) {
      let sum = 0;
      for (let start = 0; start < rounds; start += batch) {
        const x = Math.max(-radius, Math.min(radius, -(sum + (start === 0 ? 0 : s * z())) / lambda));
        for (const a of places.slice(start, start + batch)) {
          total += Math.abs(x - a);
          sum += Math.sign(x - a);
        }
      }
    }
    expect(total / runs - best).toBeLessThan(regret);
    expect(regret).toBeLessThan(guessingRegretOfConvex(problem(rounds, 1, '4')));
  });

  it('is bounded in proportion to L D, and never by more than T L D', () => {
    const [one, other] = [problem(1e5, 10, '1'), problem(1e5, 10, '1', '4')].map(
      (each) => regularisedLeader(each, 'tree').regret,
    );
    expect(other! / one!).toBeCloseTo(16, 6);
    expect(regularisedLeader(problem(100, 1000, '1e-12'), 'tree').regret).toBeLessThanOrEqual(100);
    expect(regularisedLeader(problem(1, 3, '1'), 'tree').regret).toBeCloseTo(Math.sqrt(3 / 8), 12);
  });

  it('has the printed bound', () => {
    const { regret, noise } = regularisedLeader(problem(1e5, 10, '1'), 'square-root');
    const { batch, deviation } = noise!;
    const whole = Math.floor(1e5 / batch);
    const squares = whole * batch ** 2 + (1e5 - whole * batch) ** 2;
    const radius = Math.sqrt(10 / 22);
    expect(regret).toBeCloseTo(radius * Math.sqrt(squares + 2e5 * deviation!.toNumber() * Math.sqrt(10)), 6);
  });
});
