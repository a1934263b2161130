import { describe, expect, it } from 'vitest';
import { perturbedLeaderToRun, regretOfLeader } from '../../../src/learning/alternatives/leaders.ts';
import type { PerturbedLeader } from '../../../src/learning/core/setting.ts';
import { Learner, type Progress, noNoise, NoisySums } from '../../../src/learning/run/learner.ts';
import { inUnits, UNIT } from '../../../src/learning/run/losses.ts';
import { NO_ANSWERS, NOTHING_TAKEN, readRun, runText, type RunState } from '../../../src/learning/run/run-state.ts';
import { exactNormal } from '../../../src/numeric/exact-coin.ts';
import { Xoshiro, type RandomSource } from '../../../src/numeric/random.ts';
import { d } from '../helpers.ts';
import { uniforms } from '../alternatives/random.ts';

const setting = (rounds: number, radix: number, node: string, deviation: string, batch = 1): PerturbedLeader => ({
  rounds,
  batch,
  radix,
  node: d(node),
  deviation: d(deviation),
});

/** binomial(2 k, k) / 4^k. */
const f = (k: number): number => (k === 0 ? 1 : (f(k - 1) * (2 * k - 1)) / (2 * k));

/** Which independent unit noises make the noise of the first t vectors, by the block that ends with the last one of each. */
function noiseOf(t: number, radix: number): Map<string, number> {
  const found = new Map<string, number>();
  let from = 0;
  for (let size = radix ** 9; size >= 1; size /= radix) {
    const digit = Math.floor((t - from) / size);
    for (let i = 1; i <= digit; i++) found.set(`${from + (i - 1) * size}-${from + i * size}`, f(digit - i));
    from += digit * size;
  }
  return found;
}

describe('who leads by noisy sums', () => {
  it.each([2, 3, 4])('has the chances of Gaussian sums with shared noise, to the base %d', (radix) => {
    const [node, deviation] = [1, 1.5];
    const correlation = (s: number, t: number): number => {
      const [a, b] = [noiseOf(s, radix), noiseOf(t, radix)];
      return (node ** 2 * [...a].reduce((sum, [key, value]) => sum + value * (b.get(key) ?? 0), 0)) / deviation ** 2;
    };
    // The signs of three normals agree with a chance of 1/4 + (the sum of the arc sines of correlations) / (2 pi).
    const pairs = [correlation(1, 2), correlation(1, 3), correlation(2, 3)] as const;
    const [ab, ac, bc] = pairs.map((rho) => Math.asin(rho) / (2 * Math.PI)) as [number, number, number];
    const chances: Readonly<Record<string, number>> = {
      all: 1 / 4 + ab + ac + bc,
      a: 1 / 4 - ab - ac + bc,
      b: 1 / 4 - ab + ac - bc,
      c: 1 / 4 + ab - ac - bc,
    };
    const [source, runs] = [new Xoshiro(radix), 10_000];
    const counts: Record<string, number> = { all: 0, a: 0, b: 0, c: 0 };
    for (let run = 0; run < runs; run++) {
      const sums = new NoisySums(setting(4, radix, '1', '1.5'), noNoise(), source);
      const [x, y, z] = [1, 2, 3].map((t) => sums.leader(t, new Float64Array(2)));
      counts[x === y ? (y === z ? 'all' : 'c') : y === z ? 'a' : 'b']!++;
    }
    for (const [name, chance] of Object.entries(chances)) {
      expect(Math.abs(counts[name]! - runs * chance)).toBeLessThan(5 * Math.sqrt(runs * chance));
    }
  });

  it.each([1, 3, 7, 8])('has the same chance after %d batches, that of one noise', (t) => {
    // Phi(1 / 2): one expert has lost s / sqrt(2) more than the other, s = 3.
    const totals = new Float64Array([0, Math.round((3 / Math.SQRT2) * UNIT)]);
    const [source, runs] = [new Xoshiro(t), 6000];
    let first = 0;
    for (let run = 0; run < runs; run++) {
      const sums = new NoisySums(setting(9, 2, '1.2', '3'), noNoise(), source);
      for (let s = 1; s < t; s++) sums.leader(s, new Float64Array(2));
      if (sums.leader(t, totals) === 0) first++;
    }
    expect(Math.abs(first / runs - 0.691462461274)).toBeLessThan(5 * Math.sqrt(0.2134 / runs));
  });

  /** The words of one normal, twice, and then others. */
  function twice(then: RandomSource): RandomSource {
    const words: number[] = [];
    const source = new Xoshiro(4);
    exactNormal({
      word: () => {
        words.push(source.word());
        return words.at(-1)!;
      },
    });
    words.push(...words);
    return { word: () => words.shift() ?? then.word() };
  }

  it('is decided by digits that are drawn when those that are known leave it open', () => {
    // Sum 15 has four rows, whose variance is that of the sum: fresh noise counts nothing, and two experts have the same known digits.
    let first = 0;
    for (let seed = 0; seed < 150; seed++) {
      const noise = {
        digits: 64,
        rows: [
          [1n, 1n],
          [-9n, -9n],
          [2n ** 64n, 2n ** 64n],
        ],
      };
      const sums = new NoisySums(setting(16, 2, '1', '2'), noise, twice(new Xoshiro(seed)));
      if (sums.leader(15, new Float64Array(2)) === 0) first++;
      expect(noise.digits).toBe(128);
      expect(noise.rows.slice(0, 3).map((row) => row.map((cell) => cell >> 64n))).toEqual([
        [1n, 1n],
        [-9n, -9n],
        [2n ** 64n, 2n ** 64n],
      ]);
    }
    expect(Math.abs(first - 75)).toBeLessThan(31);
  });

  it('is decided by the last known digits, and by losses far below the noise', () => {
    const leader = (cells: readonly bigint[], totals: readonly number[]): number => {
      const noise = { digits: 64, rows: [[...cells], [-9n, -9n], [2n ** 64n, 2n ** 64n]] };
      const sums = new NoisySums(setting(16, 2, '1', '2'), noise, twice(new Xoshiro(1)));
      const found = sums.leader(15, Float64Array.from(totals));
      expect(noise.digits).toBe(64);
      return found;
    };
    expect(leader([100n, 90n], [0, 0])).toBe(1);
    expect(leader([90n, 100n], [0, 0])).toBe(0);
    expect(leader([100n, 90n], [0, 1])).toBe(0);
    expect(leader([100n - 2n ** 44n, 90n], [1, 0])).toBe(1);
    expect(leader([-100n - 2n ** 44n, 90n], [1, 0])).toBe(0);
  });
});

describe('a perturbed leader that runs', () => {
  const losses = (rounds: number, experts: number): Float64Array[] => {
    const u = uniforms(5);
    return Array.from({ length: rounds }, () => Float64Array.from({ length: experts }, () => inUnits(u())));
  };

  it.each([2, 3, 28])('goes on from its text as if it had not been stopped, to the base %d', (radix) => {
    const terms = { setting: setting(30, radix, '0.7', '2', 1), experts: 4, cap: null };
    const rows = losses(30, 4);
    const play = (stopped: boolean): (number | null)[] => {
      let source = new Xoshiro(9);
      let progress: Progress = Learner.begin(terms, source);
      let learner = new Learner(terms, progress, source);
      return rows.map((row) => {
        learner.take(row);
        if (stopped) {
          const header = { ...terms, id: 'a', names: null, epsilon: d('1'), delta: d('1e-6'), ledger: null };
          const state: RunState = {
            header,
            progress,
            answered: NO_ANSWERS,
            taken: NOTHING_TAKEN,
            simulated: source.state,
          };
          const found = readRun(runText(state, 'home'));
          if (typeof found === 'string') throw new Error(found);
          expect(found.state).toEqual(state);
          source = new Xoshiro(found.state.simulated!);
          progress = found.state.progress!;
          learner = new Learner(found.state.header, progress, source);
        }
        return learner.action;
      });
    };
    expect(play(true)).toEqual(play(false));
  });

  it('keeps no more rows than its digits ask for, and plays one expert through a batch', () => {
    const terms = { setting: setting(81, 3, '0.7', '4', 3), experts: 4, cap: null };
    const source = new Xoshiro(2);
    const progress = Learner.begin(terms, source);
    const learner = new Learner(terms, progress, source);
    for (const [t, row] of losses(81, 4).entries()) {
      const before = learner.action;
      learner.take(row);
      const digits = Array.from(Math.floor(Math.min(t + 1, 80) / 3).toString(3), Number);
      expect(progress.noise!.rows.length).toBe(digits.reduce((a, b) => a + b));
      if (t % 3 < 2) expect(learner.action).toBe(before);
    }
    expect(learner.action).toBeNull();
  });

  it.each([
    ['alternating', (t: number, i: number) => (i < 2 ? (t + i) % 2 : 1)],
    ['turning', (t: number, i: number) => (t < 100 ? Number(i !== 0) : Number(i !== 1))],
  ])('has no larger mean regret than is promised on losses that are %s', (_, loss) => {
    const [rounds, experts, runs] = [200, 4, 60];
    const problem = { problem: 'ope', rounds, experts, epsilon: d('4'), delta: d('1e-3') } as const;
    const rows = Array.from({ length: rounds }, (__, t) => Array.from({ length: experts }, (___, i) => loss(t, i)));
    const best = Math.min(...rows[0]!.map((__, i) => rows.reduce((sum, row) => sum + row[i]!, 0)));
    const terms = { setting: perturbedLeaderToRun(problem)!, experts, cap: null };
    let total = 0;
    for (let seed = 0; seed < runs; seed++) {
      const source = new Xoshiro(seed);
      const learner = new Learner(terms, Learner.begin(terms, source), source);
      for (const row of rows) {
        total += row[learner.action!]!;
        learner.take(Float64Array.from(row, inUnits));
      }
    }
    const promised = regretOfLeader(terms.setting, experts);
    expect(total / runs - best).toBeLessThan(promised);
    expect(promised).toBeLessThan(rounds / 2);
  });
});
