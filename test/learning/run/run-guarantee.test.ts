import { describe, expect, it } from 'vitest';
import type { WithoutY } from '../../../src/learning/core/setting.ts';
import { chanceBeyond, epsilonOfCapped, epsilonOfRun, regretOfRun } from '../../../src/learning/run/run-guarantee.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { deltaOf, lawOf, type Learner, type Round } from '../../enumeration/law.ts';
import { Random } from '../../soundness/random.ts';
import { shareOf } from '../../reference/share.ts';

const decimal = (x: number): Decimal => new Decimal(String(x));

const settingOf = (rounds: number, { eta, batch, transform }: Learner): WithoutY => {
  if (!('c' in transform)) throw new Error('only runs without y are played');
  return { rounds, batch, eta: decimal(eta), switchRate: decimal(transform.c) };
};

const tenths = (random: Random): number => random.whole(0, 10) / 10;

describe('what a run with a cap is guaranteed', () => {
  it('is never below what can be seen of it, for any cap', () => {
    let reached = 0;
    for (let seed = 0; seed < shareOf(300, 80); seed++) {
      const random = new Random(41, seed);
      const learner: Learner = {
        eta: random.pick([0.05, 0.2, 0.6]),
        batch: random.whole(1, 2),
        transform: { c: random.pick([0.02, 0.3, 2]) },
        cap: random.whole(0, 2),
      };
      const one: Round[] = Array.from({ length: 4 }, () => [tenths(random), tenths(random)]);
      const changed = random.whole(0, 3);
      const other = one.map((round, t) => (t === changed ? [random.pick([0, 1]), random.pick([0, 1])] : round));
      const laws = [lawOf(learner, one), lawOf(learner, other)] as const;
      const delta = random.pick([1e-3, 0.02, 0.1]);
      const epsilon = epsilonOfCapped(settingOf(4, learner), learner.cap!, decimal(delta));
      const truth = deltaOf(...laws, epsilon);
      expect(truth, JSON.stringify({ seed, learner, one, other })).toBeLessThanOrEqual(delta * (1 + 1e-9));
      reached = Math.max(reached, truth / delta);
    }
    expect(reached).toBeGreaterThan(0.3);
  });

  it('is that of the flag alone where nothing may be sampled anew', () => {
    const setting = { rounds: 10, batch: 2, eta: decimal(0.1086), switchRate: decimal(0.04769) };
    const capped = epsilonOfCapped(setting, 0, decimal(4.27e-4));
    expect(capped).toBeLessThan(epsilonOfRun(setting, decimal(4.27e-4)));
    // One flag: kept with e^-c, or with e^-(c + eta).
    const [kept, less] = [Math.exp(-0.04769), Math.exp(-0.04769 - 0.1086)];
    const loss = Math.log((1 - less) / (1 - kept));
    expect(capped).toBeLessThanOrEqual(loss * (1 + 1e-12));
    expect(capped).toBeGreaterThan(loss - 0.02);
  });
});

describe('a run that its cap may stop', () => {
  const choose = (seed: number): Learner & { readonly cap: number } => {
    const random = new Random(43, seed);
    return {
      eta: random.pick([0.05, 0.3, 1]),
      batch: random.whole(1, 2),
      transform: { c: random.pick([0, 0.05, 0.5, 2]) },
      cap: random.whole(0, 3),
    };
  };
  const listed = (learner: Learner, stream: readonly Round[]) =>
    [...lawOf(learner, stream)].map(([seen, chance]) => ({ batches: seen.split('|'), chance }));

  it('reaches it with a chance between the two that are said', () => {
    for (let seed = 0; seed < shareOf(200, 60); seed++) {
      const learner = choose(seed);
      const random = new Random(44, seed);
      const stream: Round[] = Array.from({ length: 5 }, () => [tenths(random), tenths(random)]);
      const asks = (batches: readonly string[]): number => batches.join('').split('*').length - 1;
      const truth = listed({ ...learner, cap: Infinity }, stream)
        .filter(({ batches }) => asks(batches) > learner.cap)
        .reduce((sum, { chance }) => sum + chance, 0);
      const { lower, upper } = chanceBeyond(settingOf(5, learner), learner.cap);
      const said = JSON.stringify({ seed, learner, stream });
      expect(lower, said).toBeLessThanOrEqual(truth + 1e-12);
      expect(upper, said).toBeGreaterThanOrEqual(truth - 1e-12);
    }
  });

  it('has both chances at once where losses have no say in it', () => {
    const setting = { rounds: 40, batch: 1, eta: decimal(1e-12), switchRate: decimal(0.2) };
    const law = new Array<number>(39)
      .fill(0)
      .reduce<number[]>(
        (counts) => [...counts, 0].map((mass, k) => mass * Math.exp(-0.2) - (counts[k - 1] ?? 0) * Math.expm1(-0.2)),
        [1],
      );
    for (const cap of [0, 3, 7, 20, 38, 39]) {
      const truth = law.slice(cap + 1).reduce((sum, mass) => sum + mass, 0);
      const { lower, upper } = chanceBeyond(setting, cap);
      expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-12));
      expect(lower).toBeGreaterThanOrEqual(truth * (1 - 1e-8) - 1e-20);
      expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
      expect(upper).toBeLessThanOrEqual(truth * (1 + 1e-8) + 1e-20);
    }
  });

  it('has a regret that is at most what is said, on losses that change after the cap', () => {
    let reached = 0;
    for (let seed = 0; seed < shareOf(200, 60); seed++) {
      const learner = choose(seed);
      const random = new Random(45, seed);
      const turn = random.whole(1, 5);
      const stream: Round[] = Array.from({ length: 6 }, (_, t) => (t < turn ? [0, 1] : [1, 0]));
      const losses = listed(learner, stream).map(({ batches, chance }) => {
        const plays = stream.map((_, t) => Number(batches[Math.floor(t / learner.batch)]!.replaceAll('*', '')[0]));
        return chance * plays.reduce((sum, expert, t) => sum + stream[t]![expert]!, 0);
      });
      const best = Math.min(turn, 6 - turn);
      const regret = losses.reduce((sum, each) => sum + each, 0) - best;
      const bound = regretOfRun(settingOf(6, learner), 2, learner.cap);
      expect(regret, JSON.stringify({ seed, learner, turn })).toBeLessThanOrEqual(bound);
      reached = Math.max(reached, regret / bound);
    }
    expect(reached).toBeGreaterThan(0.5);
    const rarely = { rounds: 1000, batch: 10, eta: decimal(0.05), switchRate: decimal(0.001) };
    expect(regretOfRun(rarely, 5, 99)).toBe(regretOfRun(rarely, 5));
    expect(regretOfRun(rarely, 5, 80)).toBeLessThan(1.001 * regretOfRun(rarely, 5));
    expect(regretOfRun(rarely, 5, 0)).toBeGreaterThanOrEqual(800);
    expect(regretOfRun(rarely, 5, 0)).toBeLessThan(800.01);
  });
});
