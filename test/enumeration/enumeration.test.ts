import { describe, expect, it } from 'vitest';
import { SHARE } from '../reference/share.ts';
import { verdictOf } from './campaign.ts';
import { deltaOf, lawOf } from './law.ts';

const SEED = 19;

describe('all that is seen of L2P, listed', () => {
  it('never tells neighbours apart by more than the accounting says, with y and without', () => {
    const verdicts = Array.from({ length: SHARE === 1 ? 2000 : 16 }, (_, number) => verdictOf(SEED, number));
    expect(verdicts.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
    // The search comes near what the accounting says, so that a smaller bound would be found out.
    expect(Math.max(...verdicts.map(({ share }) => share))).toBeGreaterThan(0.9);
  });

  it('has the law of the weights for x, with y and without', () => {
    const losses = [
      [0, 1],
      [0.5, 0.25],
      [1, 0],
    ];
    for (const transform of [{ p: 0.2 }, { c: 0.3 }, { c: 0 }]) {
      const law = lawOf({ eta: 0.7, batch: 1, transform }, losses);
      const last = [...law].reduce((sum, [seen, chance]) => {
        const x = /\*?(\d)\/\*?\d$/.exec(seen)![1]!;
        return sum + (x === '0' ? chance : 0);
      }, 0);
      const [one, other] = [Math.exp(-0.7 * 0.5), Math.exp(-0.7 * 1.25)];
      expect(last).toBeCloseTo(one / (one + other), 12);
    }
  });

  it('is told apart where the change of a loss is taken to be half of what it is', () => {
    // The flag of c = 0.5 after one round changes by e^-eta, and not by less.
    const learner = { eta: 0.4, batch: 1, transform: { c: 0.5 } };
    const [one, other] = [
      [
        [0, 0],
        [0, 0],
      ],
      [
        [1, 1],
        [0, 0],
      ],
    ].map((losses) => lawOf(learner, losses));
    const [kept, keptLess] = [Math.exp(-0.5), Math.exp(-0.9)];
    expect(deltaOf(one!, other!, 0)).toBeCloseTo(kept - keptLess, 12);
  });
});
