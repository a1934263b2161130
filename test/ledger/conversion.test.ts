import { describe, expect, it } from 'vitest';
import { convert } from '../../src/ledger/convert.ts';
import { convertSpent } from '../../src/ledger/convert-spent.ts';
import { loss } from '../../src/ledger/loss.ts';
import type { LedgerState } from '../../src/ledger/state.ts';
import type { Query } from '../../src/privacy/query.ts';
import { decimal, dp, gaussian, rdp } from '../mechanisms.ts';
import {
  approximateDpRule,
  basic,
  compositorTerms,
  filterTerms,
  launched,
  odometerTerms,
  opened,
  pure,
  zcdpFilter,
  zcdpOptimalRule,
} from './helpers.ts';

const AT: Query = { solveFor: 'epsilon', delta: decimal('1e-6') };
const sequential = { concurrency: 'sequential' } as const;
const spent = (state: LedgerState, query = AT) => convertSpent(state.terms, loss(state).spent, query);

describe('what was spent, as (epsilon, delta)-DP', () => {
  it.each<[string, LedgerState]>([
    ['pure', launched(pure(1), dp('0.1'))],
    ['zcdp', launched(zcdpFilter(1), gaussian(4))],
    ['gdp', launched(opened(odometerTerms({ id: 'gdp' })), gaussian(4))],
    ['rdp', launched(opened(odometerTerms({ id: 'rdp', alpha: decimal(8) })), gaussian(4))],
    ['approximate-dp', launched(opened(odometerTerms(approximateDpRule('1e-6', '5e-7'))), dp('0.1', '1e-7'))],
    ['zcdp-optimal', launched(opened(odometerTerms(zcdpOptimalRule('1e-6', '5e-7'))), dp('0.1', '1e-7'))],
    ['rdp-curve of one order', launched(opened(odometerTerms({ id: 'rdp-curve', alphas: [decimal(8)] })), gaussian(4))],
    ['basic without a delta', launched(basic(1, 0), dp('0.1'))],
    ['a compositor', opened(compositorTerms('basic', [dp('0.1')], ['0.1', 0]))],
  ])('is told where it is one number: %s', (_, state) => {
    expect(spent(state)).toEqual(convert(loss(state).spent, AT));
  });

  it.each<[string, LedgerState]>([
    ['rdp-curve', opened(odometerTerms({ id: 'rdp-curve', alphas: [decimal(3), decimal(33)] }))],
    ['basic', opened(odometerTerms({ id: 'basic', deltas: 'sum' }))],
    ['basic', basic(1, '1e-6')],
    [
      'approximate-rdp',
      opened(odometerTerms({ id: 'approximate-rdp', alpha: decimal(33), deltas: 'sum' }, sequential)),
    ],
    [
      'approximate-zcdp',
      opened(
        filterTerms(
          { id: 'approximate-zcdp', deltas: 'product' },
          { rho: decimal(1), delta: decimal('1e-6') },
          sequential,
        ),
      ),
    ],
  ])('is refused where it is several, also while but one of them has grown: %s', (rule, state) => {
    const refusal = { code: 'no-theorem', reason: 'several-coordinates', rule };
    expect(spent(launched(state, dp('0.01')))).toEqual({ kind: 'refused', refusal });
  });

  it('would else be less than the truth: the best conversion of either path says 0.01, and the whole has a third more', () => {
    const odometer = opened(odometerTerms({ id: 'approximate-rdp', alpha: decimal(33), deltas: 'sum' }, sequential));
    const [first, p, loss1] = [0.1, 0.6433443270158117 * (1 - 1e-4), 1.93];
    const q = p * Math.exp(-loss1);
    const divergence = (a: number, x: number, y: number): number =>
      Math.log(x ** a * y ** (1 - a) + (1 - x) ** a * (1 - y) ** (1 - a)) / (a - 1);
    const renyi = Math.max(divergence(33, p, q), divergence(33, q, p)) * (1 + 1e-12);
    const plus = launched(odometer, dp('0.1'), rdp([[33, renyi.toPrecision(17)]]));
    const minus = launched(odometer, dp('0.1'), dp(0, '0.009999'));
    const seen = [plus, minus].map(
      (state) => convert(loss(state).spent, { solveFor: 'delta', epsilon: decimal(2) }).upper,
    );
    const chance = 1 / (1 + Math.exp(-first));
    const truth = chance * (p - Math.exp(2 - first) * q) + (1 - chance) * 0.009999;
    expect(Math.max(...seen)).toBeLessThan(0.0101);
    expect(truth).toBeGreaterThan(0.0133);
  });
});
