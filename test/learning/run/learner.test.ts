import { describe, expect, it } from 'vitest';
import type { WithoutY } from '../../../src/learning/core/setting.ts';
import { Learner, type RunTerms } from '../../../src/learning/run/learner.ts';
import { inUnits, LossDigest, NO_DIGEST, UNIT } from '../../../src/learning/run/losses.ts';
import { clopperPearson } from '../../../src/numeric/binomial.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { Xoshiro } from '../../../src/numeric/random.ts';
import { lawOf, type Round } from '../../enumeration/law.ts';

const LOSSES: readonly Round[] = [
  [0, 1, 0.5],
  [1, 0.25, 0],
  [0, 0, 1],
  [0.5, 1, 0.75],
  [1, 0, 0.25],
];

const rows = LOSSES.map((round) => Float64Array.from(round, inUnits));

const decimal = (x: number): Decimal => new Decimal(String(x));

const terms = (setting: WithoutY, cap: number | null = null): RunTerms => ({ setting, experts: 3, cap });

/** The experts of all rounds of one run. */
function actions(what: RunTerms, source: Xoshiro): number[] {
  const progress = Learner.begin(what, source);
  const learner = new Learner(what, progress, source);
  return rows.map((losses) => {
    const { action } = learner;
    learner.take(losses);
    return action!;
  });
}

const COUNT = 20_000;

describe('a digest of losses', () => {
  const digest = (rounds: readonly Round[], before = NO_DIGEST): string => {
    const found = new LossDigest(before);
    for (const round of rounds) found.take(Float64Array.from(round, inUnits));
    return found.text;
  };

  it('goes on from its text', () => {
    expect(digest(LOSSES.slice(2), digest(LOSSES.slice(0, 2)))).toBe(digest(LOSSES));
  });

  it('tells losses of 0 and 1 apart, and their orders', () => {
    const seen = new Set<string>();
    for (let bits = 0; bits < 2 ** 16; bits++) {
      seen.add(digest([0, 4, 8, 12].map((at) => [0, 1, 2, 3].map((i) => (bits >> (at + i)) & 1))));
    }
    expect(seen.size).toBe(2 ** 16);
  });
});

describe('a learner that runs', () => {
  it.each([
    ['in single rounds', { rounds: 5, batch: 1, eta: decimal(0.8), switchRate: decimal(0.2) }, { c: 0.2 }],
    ['in batches', { rounds: 5, batch: 2, eta: decimal(0.8), switchRate: decimal(0) }, { c: 0 }],
  ] as const)('plays with the chances that enumeration lists: %s', (_, setting, transform) => {
    const law = lawOf({ eta: setting.eta.toNumber(), batch: setting.batch, transform }, LOSSES);
    const played = new Map<string, number>();
    for (const [seen, chance] of law) {
      const experts = seen.split('|').map((state) => state.replaceAll('*', '').split('/')[0]!);
      const key = LOSSES.map((__, t) => experts[Math.floor(t / setting.batch)]).join('');
      played.set(key, (played.get(key) ?? 0) + chance);
    }
    const source = new Xoshiro(5);
    const counts = new Map<string, number>();
    for (let i = 0; i < COUNT; i++) {
      const key = actions(terms(setting), source).join('');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const [key, chance] of played) {
      const { lower, upper } = clopperPearson(counts.get(key) ?? 0, COUNT, 1 - 1e-9);
      expect(lower).toBeLessThanOrEqual(chance * (1 + 1e-12));
      expect(upper).toBeGreaterThanOrEqual(chance * (1 - 1e-12));
    }
    expect([...counts.keys()].filter((key) => !played.has(key))).toEqual([]);
  });

  it('draws no more experts than its cap', () => {
    const setting = { rounds: 5, batch: 1, eta: decimal(0.1), switchRate: decimal(100) };
    for (const cap of [0, 1, 3]) {
      const source = new Xoshiro(cap);
      const progress = Learner.begin(terms(setting, cap), source);
      const learner = new Learner(terms(setting, cap), progress, source);
      for (const losses of rows) learner.take(losses);
      expect(progress.resampled).toBe(cap);
    }
  });

  it('adds losses exactly and ends after its last round', () => {
    const what = terms({ rounds: 5, batch: 2, eta: decimal(0.8), switchRate: decimal(0.2) });
    const source = new Xoshiro(1);
    const progress = Learner.begin(what, source);
    const learner = new Learner(what, progress, source);
    for (const losses of rows) learner.take(losses);
    expect(learner.action).toBeNull();
    expect([...progress.totals]).toEqual([2.5 * UNIT, 2.25 * UNIT, 2.5 * UNIT]);
  });
});
