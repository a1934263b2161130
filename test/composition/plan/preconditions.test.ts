import { describe, expect, test } from 'vitest';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import { atDelta, atEpsilon, boundedRange, dp, finitePair, rdp, zcdp } from '../../mechanisms.ts';
import { claim, group, local, parallel, partition, planAnswer, refusalOf, users } from '../../plans.ts';

// Settings in which a theorem seems to apply and does not.

const continual = { kind: 'continual' } as const;
const interactive = { kind: 'interactive' } as const;

describe('a pair of neighbours in one order throughout', () => {
  const pair = finitePair(['0.3125', '0.625', '0.0625'], ['0', '0.25', '0.75'], { direction: 'fixed' });

  /** P x Q against Q x P, at e^epsilon: neighbours in one order in one instance, in the other in another. */
  function opposed(odds: number): number {
    const p = [0.3125, 0.625, 0.0625];
    const q = [0, 0.25, 0.75];
    let delta = 0;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) delta += Math.max(0, p[i]! * q[j]! - odds * q[i]! * p[j]!);
    }
    return delta;
  }

  test('may stand in opposite orders in two instances that differ', () => {
    expect(claim(planAnswer([parallel(2, pair)], atEpsilon(2)))).toBeGreaterThanOrEqual(opposed(Math.exp(2)));
  });

  test('may stand in opposite orders in two parts, as where a record moves', () => {
    const [forwards, backwards] = [
      finitePair(['0.1', '0.9'], ['0', '1'], { direction: 'fixed' }),
      finitePair(['0', '1'], ['0.1', '0.9'], { direction: 'fixed' }),
    ];
    expect(claim(planAnswer([partition([forwards, backwards], 2)], atEpsilon(0)))).toBeGreaterThanOrEqual(0.19);
  });

  test('keeps its order where one instance differs', () => {
    const [one] = [planAnswer([parallel(1, pair)], atEpsilon(2)), planAnswer([pair], atEpsilon(2))].map(claim);
    expect(one).toBeLessThan(0.3126);
  });
});

describe('answers that are not discrete', () => {
  const setting = { discrete: 'denied' } as const;
  const once = finitePair(['0.5', '0.5'], ['0.4', '0.6'], { count: 10 });
  const plan = [group(once), group(zcdp('0.1', { ...interactive, count: 2 }))];

  test('keep interactive parts from being priced as (epsilon, delta)', () => {
    const [denied, assumed] = [planAnswer(plan, atDelta('1e-5'), { setting }), planAnswer(plan, atDelta('1e-5'))];
    expect([denied.plan?.grouped, assumed.plan?.grouped?.upper]).toEqual([null, expect.any(Number)]);
    expect(denied.bound).toBe('rdp');
    expect(denied.plan?.theorems.map(({ id }) => id)).toContain('concurrent-renyi');
  });
});

describe('what no claim goes below', () => {
  test('holds at the largest of several Renyi orders: at smaller ones the mechanism of that bound keeps its guarantee', () => {
    const orders = rdp(
      [
        [2, '0.2'],
        [64, '6.4'],
      ],
      continual,
    );
    const refusal = refusalOf([parallel(1, orders)], atDelta('1e-6'));
    const floor =
      'impossibilityBound' in refusal && refusal.impossibilityBound?.solveFor === 'renyi'
        ? refusal.impossibilityBound
        : null;
    expect(floor?.alpha.toNumber()).toBe(64);
    // D_64 of one of 10^6 instances is ln(1 + 10^6 (e^(63 * 6.4) - 1)) / 63, and D_2 is at most D_64.
    expect(floor?.epsilon).toBeLessThanOrEqual(6.6193);
    expect(floor?.epsilon).toBeGreaterThan(6.619);
  });
});

describe('mechanisms that are said to be fixed in advance', () => {
  const nonadaptive = { adaptivity: 'nonadaptive' } as const;

  test('may not be created adaptively: an adversary who sees answers reaches more than Theorem 3 says', () => {
    const delta = atDelta('1e-6');
    const fixed = claim(planAnswer([boundedRange('0.1', { count: 10 })], delta, nonadaptive));
    const legal = planAnswer([parallel(10, boundedRange('0.1'))], atEpsilon(String(fixed))).delta.lower;
    expect(legal).toBeGreaterThan(1.19e-6);
    expect(refusalOf([parallel(10, boundedRange('0.1'))], delta, nonadaptive)).toMatchObject({
      code: 'chosen-along-the-way',
      what: 'parallel',
      path: 'mechanisms[0]',
    });
  });

  test.each<[string, PlanNode, string]>([
    ['partition', group(dp(1), partition([boundedRange(1)])), 'mechanisms[0].mechanisms[1]'],
    ['local', local(1, dp(1)), 'mechanisms[0]'],
    ['local', users(1, dp(1), dp(1)), 'mechanisms[0]'],
    ['continual', boundedRange(1, continual), 'mechanisms[0]'],
    ['continual', group(boundedRange(1), group(dp(1, 0, continual))), 'mechanisms[0].mechanisms[1].mechanisms[0]'],
    ['parallel', parallel(1, group(boundedRange(1)), { instances: 1 }), 'mechanisms[0]'],
  ])('are refused where something is left to be chosen: %s', (what, node, path) => {
    expect(refusalOf([node], atDelta('1e-6'), nonadaptive)).toMatchObject({ code: 'chosen-along-the-way', what, path });
  });

  test('may be asked along the way', () => {
    const list = [boundedRange('0.1', { count: 10 }), dp('0.1', 0, interactive)];
    expect(claim(planAnswer(list, atDelta('1e-6'), nonadaptive))).toBeLessThan(
      claim(planAnswer(list, atDelta('1e-6'))),
    );
  });
});

describe('a cap on delta', () => {
  const each = dp('0.5', '1e-6', continual);

  test.each(['unbounded', 4, 3, 2, 1] as const)('limits the deltas of any number of instances: %s', (instances) => {
    const { epsilon } = planAnswer([parallel(3, each, { instances, deltaCap: '1e-6' })], atDelta('1e-6'));
    expect(epsilon.exact).toBe(String(0.5 * (instances === 'unbounded' ? 3 : Math.min(3, instances))));
  });

  test('limits those of interactive instances, too', () => {
    const plan = [parallel(3, dp('0.5', '1e-6', interactive), { deltaCap: '1e-6' })];
    expect(planAnswer(plan, atDelta('1e-6')).epsilon.exact).toBe('1.5');
  });

  test('counts twice where neighbours are not neighbours the other way round', () => {
    const plan = [parallel(3, each, { instances: 3, deltaCap: '1e-6' })];
    const setting = { symmetric: 'denied' } as const;
    expect(planAnswer(plan, atEpsilon('1.5'), { setting }).delta.exact).toBe('0.000002');
  });
});

describe('first-pair consistent instances of several mechanisms', () => {
  const inner = parallel(1, dp('0.3', '0.05', continual), { instances: 3 });
  const plan = [parallel(1, inner, { instances: 1, firstPairConsistent: true })];

  test('are claimed as if what they run could differ late, and bounded from below as if it could not', () => {
    const { delta } = planAnswer(plan, atEpsilon('1.6'));
    expect(delta.upper).toBeCloseTo(0.142625, 12);
    expect(delta.lower).toBeCloseTo(0.05, 12);
  });

  test('are not said to fail as often as is claimed', () => {
    const { epsilon, warnings } = planAnswer(plan, atDelta('0.1'));
    expect(epsilon.upper).toBe(Infinity);
    expect(warnings).toContainEqual({ code: 'delta-not-covered', smallestDelta: '0.142625' });
    expect(planAnswer(plan, atDelta('0.04')).warnings).toContainEqual({
      code: 'delta-infeasible',
      failure: '0.05',
      smallestDelta: '0.142625',
    });
  });
});

describe('parts of which none ever differs', () => {
  test('need no guarantee', () => {
    const setting = { adaptiveAdversary: 'denied' } as const;
    const answer = planAnswer([partition([dp('0.1', '1e-7', interactive)], 0)], atDelta('1e-6'), { setting });
    expect(claim(answer)).toBe(0);
  });
});
