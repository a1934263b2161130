import { describe, expect, it } from 'vitest';
import { alternativesTo, bestPrivate, lazyPredecessor } from '../../../src/learning/alternatives/all.ts';
import { batchSizes } from '../../../src/learning/alternatives/leaders.ts';
import type { ConvexProblem, ExpertsProblem } from '../../../src/learning/core/setting.ts';
import { d } from '../helpers.ts';

const target = { epsilon: d('0.1'), delta: d('1e-8') };
const experts: ExpertsProblem = { problem: 'ope', rounds: 1e6, experts: 100, ...target };
const convex: ConvexProblem = {
  problem: 'oco',
  rounds: 1e6,
  dimension: 10,
  lipschitz: d(1),
  diameter: d(1),
  ...target,
};

describe('learners beside L2P', () => {
  it.each([experts, convex])('end with a yardstick that is better than all that are private: $problem', (problem) => {
    const all = alternativesTo(problem);
    const proved = all.filter((each) => each.kind === 'proved');
    expect(proved.map(({ privacy }) => privacy)).toEqual(['reads-nothing', 'target', 'target', 'none']);
    const yardstick = proved.at(-1)!;
    for (const each of proved.slice(0, -1)) expect(each.regret).toBeGreaterThan(yardstick.regret);
  });

  it.each([experts, convex])(
    'have as their best private one neither a guess, nor a rate, nor the yardstick',
    (problem) => {
      const best = bestPrivate(alternativesTo(problem), Infinity)!;
      expect(best.privacy).toBe('target');
      expect(best.id).toMatch(/-leader-square-root$/);
      expect(bestPrivate([lazyPredecessor(problem)], Infinity)).toBeNull();
    },
  );

  it('have rates of Table 1 with constant 1', () => {
    const [log, root] = [Math.log(100), Math.sqrt(1e6 * Math.log(100))];
    const expected = root + Math.min((100 * log) / 0.1, (1e6 ** 0.4 * log) / 0.1 ** 0.8);
    expect(lazyPredecessor(experts)).toMatchObject({ kind: 'rate', id: 'afkt23' });
    expect(lazyPredecessor(experts).value).toBeCloseTo(expected, 6);
    expect(lazyPredecessor(convex).id).toBe('akst23');
  });
});

describe('batch sizes that are tried', () => {
  it.each([1, 2, 1000, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER])(
    'for %d rounds are whole, from all of them to one',
    (rounds) => {
      const sizes = batchSizes(rounds);
      expect(sizes[0]).toBe(rounds);
      expect(sizes.at(-1)).toBe(1);
      for (const [index, size] of sizes.entries()) {
        expect(Number.isSafeInteger(size)).toBe(true);
        if (index > 0) expect(size).toBeLessThan(sizes[index - 1]!);
      }
    },
  );

  it('make every power of two of batches', () => {
    const counts = batchSizes(1e6).map((size) => Math.ceil(1e6 / size));
    expect(counts).toEqual(expect.arrayContaining([1, 2, 4, 8, 16, 32, 64]));
  });
});
