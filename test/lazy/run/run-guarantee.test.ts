import { describe, expect, it } from 'vitest';
import type { L2pSetting } from '../../../src/lazy/core/setting.ts';
import { epsilonOfCapped, epsilonOfRun } from '../../../src/lazy/run/run-guarantee.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { deltaOf, lawOf, type Learner, type Round } from '../../enumeration/law.ts';
import { Random } from '../../soundness/random.ts';
import { shareOf } from '../../reference/share.ts';

const decimal = (x: number): Decimal => new Decimal(String(x));

const settingOf = (rounds: number, { eta, batch, transform }: Learner): L2pSetting => {
  const batches = { rounds, batch, eta: decimal(eta) };
  return 'c' in transform
    ? { ...batches, switchRate: decimal(transform.c) }
    : { ...batches, fakeSwitch: decimal(transform.p) };
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
        transform: random.chance(0.6) ? { c: random.pick([0.02, 0.3, 2]) } : { p: random.pick([0.05, 0.3]) },
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
    const ofFake = epsilonOfCapped(
      { rounds: 100, batch: 2, eta: decimal(0.1), fakeSwitch: decimal(0) },
      0,
      decimal(1e-4),
    );
    expect(Number.isFinite(ofFake)).toBe(true);
  });
});
