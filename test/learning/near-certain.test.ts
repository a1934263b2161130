import { describe, expect, it } from 'vitest';
import { exactAccounting } from '../../src/learning/accounting/accounting.ts';
import { firstFlag, keepProbability } from '../../src/learning/accounting/first-flag.ts';
import {
  inBlocks,
  quantile,
  resamplingCount,
  tailBeyond,
  guaranteesOf,
} from '../../src/learning/accounting/resampling.ts';
import { switches, type SwitchKind } from '../../src/learning/accounting/switches.ts';
import type { L2pSetting, Measure } from '../../src/learning/core/setting.ts';
import { enclosure, exactly } from '../../src/numeric/enclosure.ts';
import { d, MULTIPLICATIVE, near, setting } from './helpers.ts';

const quantilesOf = (parameters: L2pSetting, measure: Measure, kind: SwitchKind): readonly number[] =>
  switches({ setting: parameters, measure, beyond: ['0.5', '0.01'].map(d), budget: null }).counts.find(
    (count) => count.kind === kind,
  )!.quantiles;

describe('switches that are all but certain', () => {
  it.each<[string, L2pSetting, Measure]>([
    [
      'convex losses',
      setting(1_000_000, 25_642, '0.0139', '0'),
      {
        type: 'regularised-multiplicative-weights',
        beta: d('0.008906'),
        lambda: d(115_100),
        lipschitz: d(1),
        diameter: d(1),
      },
    ],
    ['experts', setting(331, 10, '24.9', '0.5'), MULTIPLICATIVE],
    ['the largest eta', setting(100, 10, '100', '0'), MULTIPLICATIVE],
  ])('are counted in every round: %s', (_, parameters, measure) => {
    const rounds = Math.ceil(parameters.rounds / parameters.batch) - 1;
    expect(quantilesOf(parameters, measure, 'real')).toEqual([rounds, rounds]);
  });

  it.each(['1e-12', '1e-16', '1e-17', '1e-20', '1e-100', '1e-249', '1e-260', '1e-400'])(
    'are counted in every round where they are fake but for %s',
    (gap) => {
      const parameters = setting(100, 10, '0.1', '1');
      const close = { ...parameters, fakeSwitch: d(1).minus(gap) };
      for (const kind of ['fake', 'ofX', 'ofY'] as const) {
        expect(quantilesOf(close, MULTIPLICATIVE, kind)).toEqual([9, 9]);
      }
      expect(quantilesOf(close, MULTIPLICATIVE, 'all')).toEqual([18, 18]);
    },
  );

  it('make the flag cost what an exact 1 - p says', () => {
    const keep = keepProbability({ batch: 1, eta: d('0.1') }, MULTIPLICATIVE);
    const flags = firstFlag(keep, d(1).minus('3e-20'));
    const [[switched, kept]] = flags as [(typeof flags)[number]];
    near(kept.mass.upper, 3e-20 * Math.exp(-0.3), 1e-12);
    near(switched.loss.upper, 3e-20 * Math.exp(-0.1) * -Math.expm1(-0.2), 1e-12);
    expect(switched.loss.lower).toBeGreaterThan(0);
  });

  it.each(['1e-10', '1e-16', '1e-17', '1e-30', '1e-300'])('cost no more and no less at p = 1 - %s than at 1', (gap) => {
    const certain = setting(50, 5, '0.05', '1');
    const close = { ...certain, fakeSwitch: d(1).minus(gap) };
    for (const guarantee of guaranteesOf(MULTIPLICATIVE, certain.eta)) {
      const [at, beside] = [certain, close].map((each) => exactAccounting(each, MULTIPLICATIVE, guarantee));
      const [whole, found] = [at!.delta(d('0.3')), beside!.delta(d('0.3'))];
      near(found.upper, whole.upper, 1e-6);
      expect(found.lower!).toBeLessThanOrEqual(found.upper);
      near(found.lower!, whole.lower!, 1e-6);
    }
  });

  it('leave a cap that is exceeded with a chance', () => {
    const close = { ...setting(100, 10, '0.1', '1'), fakeSwitch: d(1).minus('1e-20') };
    const budget = { epsilon: d(1), delta: d('1e-6') };
    const { caps } = switches({ setting: close, measure: MULTIPLICATIVE, beyond: [], budget });
    for (const { most, beyond } of caps) expect([most! < 18 ? 1 : 0]).toContain(Math.round(beyond!));
  });
});

describe('a chance of which nothing is certain', () => {
  it.each([
    ['a complement that may be 0', exactly(1), enclosure(0, 5e-324)],
    ['a probability that may be 0', enclosure(0, 0.5), exactly(0.5)],
    ['no number', enclosure(Number.NaN, Number.NaN), exactly(0.5)],
  ])('leaves every count possible: %s', (_, probability, complement) => {
    const law = resamplingCount([{ rounds: 20, probability, complement }]);
    expect(quantile(law, 0.5)).toBe(20);
    expect(tailBeyond(law, 19)).toBe(1);
    expect(tailBeyond(law, 20)).toBe(0);
    const blocks = inBlocks(law, 4);
    expect(blocks.reduce((sum, block) => sum + block.probability.lower, 0)).toBe(0);
    expect(blocks.at(-1)!.probability.upper).toBeGreaterThanOrEqual(1);
  });
});
