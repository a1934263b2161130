import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { verdictOn, type Budget, type Verdict } from '../../../src/composition/compose/compose.ts';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import { asLower, asUpper } from '../../../src/numeric/enclosure.ts';
import { answer, atDelta, boundedRange, decimal, dp, gaussian, zcdp, type Text } from '../../mechanisms.ts';
import { parallel } from '../../plans.ts';

const budget = (epsilon: Text, delta: Text = '1e-6'): Budget => ({ epsilon: decimal(epsilon), delta: decimal(delta) });
const verdict = (nodes: readonly PlanNode[], limit: Budget): Verdict =>
  verdictOn({ entries: nodes, adaptivity: 'adaptive' }, limit);

describe('the verdict on a budget', () => {
  it.each([
    ['decimals that add up to it', [dp('0.1'), dp('0.2')], budget('0.3', 0), 'within'],
    ['three thirds of a unit, to the last digit', [dp('0.333333', 0, { count: 3 })], budget('0.999999', 0), 'within'],
    ['a hair less than they add up to', [dp('0.1'), dp('0.2')], budget('0.2999999999999', 0), 'exceeds'],
    ['a delta that is spent exactly', [dp('0.1', '1e-6')], budget('0.1', '1e-6'), 'within'],
    ['a delta below that of one mechanism', [dp('0.1', '1e-6')], budget(100, '9.99e-7'), 'exceeds'],
    ['an epsilon of 0, spent by delta', [dp(0, '1e-6')], budget(0, '1e-6'), 'within'],
    ['nothing to spend', [dp('1e-12')], budget(0, 0), 'exceeds'],
    ['noise of unbounded loss, without any delta', [gaussian(100)], budget(1000, 0), 'exceeds'],
    ['delta 1, which is no guarantee at all', [dp(5)], budget(0, 1), 'within'],
  ])('is as it must be: %s', (_, nodes, limit, kind) => {
    expect(verdict(nodes, limit).kind).toBe(kind);
  });

  it('is open between a claim and the lower bound below it', () => {
    const nodes = [zcdp('0.01', { count: 5 }), boundedRange('0.1', { count: 20 })];
    const { epsilon } = answer(nodes, atDelta('1e-6'));
    const { lower, upper } = epsilon;
    expect(verdict(nodes, budget(upper)).kind).toBe('within');
    expect(verdict(nodes, budget((lower! + upper) / 2)).kind).toBe('undecided');
    expect(verdict(nodes, budget(lower! * 0.999)).kind).toBe('exceeds');
  });

  it('refuses what no theorem covers', () => {
    const endless = parallel(1, dp('0.1', '1e-7', { kind: 'continual' }));
    expect(verdict([endless], budget(100, '0.1'))).toMatchObject({ kind: 'refused' });
  });

  it('never says within below a certified lower end, nor exceeds above a claim', () => {
    const epsilon = fc.double({ min: 0.01, max: 2, noNaN: true });
    fc.assert(
      fc.property(
        epsilon,
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0.5, max: 2, noNaN: true }),
        (e, count, x) => {
          const nodes = [dp(e, '1e-9', { count })];
          const { lower, upper } = answer(nodes, atDelta('1e-6')).epsilon;
          const limit = budget(x * upper);
          const { kind } = verdict(nodes, limit);
          if (asUpper(x * upper) < asLower(lower ?? 0) * (1 - 1e-9)) expect(kind).toBe('exceeds');
          if (x > 1) expect(kind).toBe('within');
        },
      ),
      { numRuns: 60 },
    );
  });
});
