import { describe, expect, it } from 'vitest';
import {
  digitsOf,
  gaussianScale,
  leaderRegret,
  MOST_KEPT,
  perturbedLeader,
  perturbedLeaderToRun,
  regretOfLeader,
  sharedNorms,
} from '../../../src/learning/alternatives/leaders.ts';
import type { ExpertsProblem } from '../../../src/learning/core/setting.ts';
import { asUpper, exactly } from '../../../src/numeric/enclosure.ts';
import { d } from '../helpers.ts';
import { normals, uniforms } from './random.ts';

const problem = (rounds: number, experts: number, epsilon: string, delta = '1e-6'): ExpertsProblem => ({
  problem: 'ope',
  rounds,
  experts,
  epsilon: d(epsilon),
  delta: d(delta),
});

const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** Phi by a series of positive terms. */
function below(x: number): number {
  let [term, sum] = [x, x];
  for (let k = 3; Math.abs(term) > 1e-18; k += 2) sum += term = (term * x * x) / k;
  return 0.5 + density(x) * sum;
}

describe('one step of a perturbed leader of two experts', () => {
  // E min(0, gap + b N) = gap Phi(-gap / b) - b phi(gap / b), b = s sqrt(2).
  const potential = (gap: number, s: number): number => {
    const b = s * Math.SQRT2;
    return gap * below(-gap / b) - b * density(gap / b);
  };

  it.each([0.7, 3, 40])('costs at most m / (4 s), which is reached (s = %d)', (s) => {
    const largest = 1 / Math.sqrt(Math.PI);
    let worst = 0;
    for (let gap = -3 * s; gap <= 3 * s; gap += s / 50) {
      for (const loss of [-1, -0.5, 0.5, 1]) {
        // The second expert loses so much more than the first in the step, and is played with probability Phi(-gap / b).
        const played = below(-gap / (s * Math.SQRT2));
        worst = Math.max(worst, potential(gap, s) + loss * played - potential(gap + loss, s));
      }
    }
    expect(worst).toBeLessThanOrEqual((largest / (4 * s)) * (1 + 1e-9));
    expect(worst).toBeGreaterThan((0.9 * largest) / (4 * s));
    expect(leaderRegret(asUpper(largest), d(s), exactly(1))).toBeCloseTo(largest * (s + 1 / (4 * s)), 12);
  });
});

/** Losses that are hard for a leader: those that follow one another, and the best expert late. */
const LOSSES: Readonly<Record<string, (t: number, i: number, rounds: number, u: () => number) => number>> = {
  alternating: (t, i) => (i < 2 ? (t + i) % 2 : 1),
  turning: (t, i, rounds) => (t < rounds / 2 ? Number(i !== 0) : Number(i !== 1)),
  random: (_t, i, _rounds, u) => Number(u() < 0.5 - (i === 0 ? 0.1 : 0)),
};

/** The mean regret of the leader with noise on a binary tree whose nodes have the deviation `node`, topped up to `deviation`. */
function played(
  rounds: number,
  experts: number,
  losses: readonly number[][],
  { batch, node, deviation, runs }: { batch: number; node: number; deviation: number; runs: number },
): number {
  const noise = normals(7);
  const best = Math.min(...Array.from({ length: experts }, (_, i) => losses.reduce((sum, l) => sum + l[i]!, 0)));
  let total = 0;
  for (let run = 0; run < runs; run++) {
    const nodes = new Map<string, number[]>();
    const fresh = (scale: number): number[] => Array.from({ length: experts }, () => scale * noise());
    const sums = new Array<number>(experts).fill(0);
    for (let s = 0; s * batch < rounds; s++) {
      const perturbed = [...sums];
      let ones = 0;
      for (let from = 0, size = 2 ** 30; size >= 1; size /= 2) {
        if (from + size > s) continue;
        const key = `${from},${size}`;
        if (!nodes.has(key)) nodes.set(key, fresh(node));
        nodes.get(key)!.forEach((z, i) => (perturbed[i]! += z));
        [from, ones] = [from + size, ones + 1];
      }
      fresh(Math.sqrt(deviation ** 2 - ones * node ** 2)).forEach((z, i) => (perturbed[i]! += z));
      const choice = perturbed.indexOf(Math.min(...perturbed));
      for (const loss of losses.slice(s * batch, (s + 1) * batch)) {
        total += loss[choice]!;
        loss.forEach((each, i) => (sums[i]! += each));
      }
    }
  }
  return total / runs - best;
}

describe('the perturbed leader on a tree', () => {
  it.each(Object.keys(LOSSES))('has no larger mean regret than its bound on losses that are %s', (kind) => {
    const [rounds, experts] = [256, 4];
    const asked = problem(rounds, experts, '4', '1e-3');
    const { regret, noise } = perturbedLeader(asked, 'tree');
    const { batch, deviation } = noise!;
    const sums = Math.ceil(rounds / batch) - 1;
    const levels = Math.floor(Math.log2(sums)) + 1;
    const node = Math.sqrt(levels * experts) * gaussianScale(asked.epsilon, asked.delta).upper;
    const u = uniforms(3);
    const losses = Array.from({ length: rounds }, (_, t) =>
      Array.from({ length: experts }, (_, i) => LOSSES[kind]!(t, i, rounds, u)),
    );
    const mean = played(rounds, experts, losses, { batch, node, deviation: deviation!.toNumber(), runs: 400 });
    expect(mean).toBeLessThan(regret);
    expect(regret).toBeLessThan(rounds);
  });
});

describe('bounds on the regret of perturbed leaders', () => {
  it('are at most what no privacy costs with the best noise, where epsilon is large', () => {
    const { regret } = perturbedLeader(problem(1e4, 2, '1000'), 'square-root');
    expect(regret).toBeGreaterThanOrEqual(100 / Math.sqrt(Math.PI));
    expect(regret).toBeLessThan(58);
  });

  it('fall with epsilon, and are less by the square root than on a tree', () => {
    let before = Infinity;
    for (const epsilon of ['1e-12', '0.01', '0.1', '1', '10']) {
      const [tree, root] = (['tree', 'square-root'] as const).map((kind) =>
        perturbedLeader(problem(1e6, 50, epsilon), kind),
      );
      expect(root!.regret).toBeLessThanOrEqual(tree!.regret);
      expect(root!.regret).toBeLessThanOrEqual(before);
      before = root!.regret;
    }
  });

  it('are at most T - 1/d, also where one round or the most of them are played', () => {
    expect(perturbedLeader(problem(1, 4, '1'), 'tree').regret).toBe(0.75);
    expect(perturbedLeader(problem(1, 4, '1'), 'tree').noise).toEqual({ batch: 1, deviation: null });
    expect(perturbedLeader(problem(50, 1e6, '1e-12', '1e-300'), 'square-root').regret).toBeLessThanOrEqual(50);
    const most = perturbedLeader(problem(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, '1'), 'tree').regret;
    expect(most).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
  });
});

describe('the perturbed leader that is run', () => {
  it.each([
    [1000, 3, '1'],
    [1000, 3, '0.1'],
    [10_000, 10, '1'],
    [1e6, 10, '1'],
  ])('promises what a plan does for %d rounds and %d experts with epsilon %s', (rounds, experts, epsilon) => {
    const asked = problem(rounds, experts, epsilon);
    const planned = perturbedLeader(asked, 'square-root').regret;
    expect(regretOfLeader(perturbedLeaderToRun(asked)!, experts)).toBeLessThanOrEqual(planned * (1 + 1e-9));
  });

  it.each([
    [1e5, 100, '1'],
    [1e6, 1000, '1'],
    [1e9, 2, '0.01'],
    [50, MOST_KEPT, '10'],
  ])('keeps so much noise at most for %d rounds and %d experts with epsilon %s', (rounds, experts, epsilon) => {
    const asked = problem(rounds, experts, epsilon);
    const { batch, radix, node, deviation } = perturbedLeaderToRun(asked)!;
    const sums = Math.ceil(rounds / batch) - 1;
    const digits = digitsOf(sums, radix);
    expect(digits.reduce((n, digit) => n * radix + digit, 0)).toBe(sums);
    expect((digits[0]! + (digits.length - 1) * (radix - 1)) * experts).toBeLessThanOrEqual(MOST_KEPT);
    const { column, row } = sharedNorms(sums, radix);
    const needed = gaussianScale(asked.epsilon, asked.delta).lower * Math.sqrt(experts * column.lower);
    expect(node.toNumber()).toBeGreaterThanOrEqual(needed * (1 - 1e-15));
    expect(deviation.pow(2).gte(node.pow(2).times(row.lower))).toBe(true);
  });

  it('is none where nothing is read, or more would have to be kept', () => {
    expect(perturbedLeaderToRun(problem(1, 4, '1'))).toBeNull();
    expect(perturbedLeaderToRun(problem(50, MOST_KEPT + 1, '1'))).toBeNull();
  });
});
