import { describe, expect, test } from 'vitest';
import { resolvePlan } from '../../../src/composition/plan/resolve-plan.ts';
import type { ConditionId } from '../../../src/composition/theorems/theorem.ts';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import { USUAL_SETTING, type Setting } from '../../../src/composition/core/setting.ts';
import {
  atDelta,
  boundedRange,
  dp,
  finitePair,
  gaussian,
  gdp,
  laplace,
  rdp,
  zcdp,
  type EntryOptions,
} from '../../mechanisms.ts';
import { claim, group, local, parallel, partition, planAnswer, refusalOf, users } from '../../plans.ts';

const continual = { kind: 'continual' } as const;
const interactive = { kind: 'interactive' } as const;
const two = (kind: EntryOptions) => ({ ...kind, count: 2 });

function resolved(node: PlanNode, setting: Partial<Setting> = {}, adaptivity: 'adaptive' | 'nonadaptive' = 'adaptive') {
  return resolvePlan({ nodes: [node], adaptivity, order: 'any', setting: { ...USUAL_SETTING, ...setting } });
}

/** The theorems at the one node of a plan, or why it is not covered. */
function covers(node: PlanNode, setting?: Partial<Setting>, adaptivity?: 'adaptive' | 'nonadaptive'): string[] {
  const { tree, uncovered } = resolved(node, setting, adaptivity);
  if (uncovered.length > 0) return uncovered.map(({ code }) => code);
  return (tree.children[0]?.theorems ?? []).map(({ id }) => id);
}

const finite = { finiteCommunication: 'stated' } as const;

describe('mechanisms with fixed parameters', () => {
  test.each<[string, PlanNode, string[]]>([
    ['answer once', group(laplace(1), dp('0.1')), ['noninteractive']],
    [
      'are (epsilon, delta)-DP',
      group(dp('0.1', '1e-6', continual), dp('0.2', 0, interactive)),
      ['concurrent-fixed-parameters'],
    ],
    ['have Renyi guarantees', group(zcdp('0.1', continual), rdp([[2, 1]], interactive)), ['concurrent-renyi']],
    ['are counted', dp('0.1', 0, two(continual)), ['concurrent-fixed-parameters']],
    ['are one', dp('0.1', 0, continual), []],
  ])('%s', (_, node, theorems) => {
    expect(covers(node)).toEqual(theorems);
  });

  test('are fixed themselves where nothing is adaptively chosen', () => {
    expect(covers(dp('0.1', 0, two(continual)), {}, 'nonadaptive')).toEqual(['concurrent-fixed']);
  });

  test('compose by their trade-off functions where communication is finite', () => {
    expect(covers(gaussian(1, two(continual)), finite)).toEqual(['concurrent-f-dp']);
    expect(covers(gaussian(1, two(continual)))).toEqual(['concurrent-renyi']);
  });
});

describe('a k-sparse parallel composition', () => {
  const approximate = dp('0.1', '1e-6', continual);

  test.each<[string, PlanNode, Partial<Setting>, string[]]>([
    ['noninteractive (epsilon, delta)-DP', parallel(2, dp('0.1', '1e-6')), {}, ['parallel-interactive']],
    ['noninteractive of other classes', parallel(2, boundedRange('0.1')), {}, ['parallel-noninteractive']],
    ['interactive (epsilon, delta)-DP', parallel(2, dp('0.1', '1e-6', interactive)), {}, ['parallel-interactive']],
    ['pure continual', parallel(2, dp('0.1', 0, continual)), {}, ['parallel-pure']],
    ['continual Laplace', parallel(2, laplace(1, continual)), {}, ['parallel-pure']],
    ['continual Laplace, finite communication', parallel(2, laplace(1, continual)), finite, ['parallel-pure']],
    ['approximate continual, no limit', parallel(2, approximate), {}, ['unbounded-approximate']],
    ['approximate continual, a number', parallel(2, approximate, { instances: 9 }), {}, ['parallel-delta-cap']],
    ['approximate continual, a cap', parallel(2, approximate, { deltaCap: '1e-5' }), {}, ['parallel-delta-cap']],
    [
      'approximate continual, first-pair consistent',
      parallel(2, approximate, { firstPairConsistent: true }),
      {},
      ['parallel-first-pair-consistent'],
    ],
    ['interactive Renyi', parallel(2, zcdp('0.1', interactive)), {}, ['parallel-renyi-interactive']],
    [
      'first-pair consistent Renyi',
      parallel(2, zcdp('0.1', continual), { firstPairConsistent: true }),
      {},
      ['parallel-renyi-first-pair-consistent'],
    ],
    ['continual Renyi, no limit', parallel(2, zcdp('0.1', continual)), {}, ['unbounded-renyi']],
    [
      'continual Renyi, a cap on delta',
      parallel(2, zcdp('0.1', continual), { deltaCap: '0.1' }),
      {},
      ['unbounded-renyi'],
    ],
    ['continual Renyi, a number', parallel(2, zcdp('0.1', continual), { instances: 9 }), {}, ['concurrent-renyi']],
    ['interactive f-DP', parallel(2, gdp('0.1', interactive)), finite, ['parallel-f-dp-interactive']],
    [
      'interactive f-DP without finite communication',
      parallel(2, gdp('0.1', interactive)),
      {},
      ['parallel-renyi-interactive'],
    ],
    ['interactive pair without finite communication', parallel(2, finitePair(['1'], ['1'], interactive)), {}, []],
    [
      'interactive pair that says something',
      parallel(2, finitePair(['0.5', '0.5'], ['0.4', '0.6'], interactive)),
      {},
      ['parallel-interactive'],
    ],
    [
      'first-pair consistent f-DP',
      parallel(2, gdp('0.1', continual), { firstPairConsistent: true }),
      finite,
      ['parallel-f-dp-first-pair-consistent'],
    ],
    ['continual f-DP, no limit', parallel(2, gdp('0.1', continual)), finite, ['unbounded-f-dp']],
    ['continual f-DP, a number', parallel(2, gdp('0.1', continual), { instances: 9 }), finite, ['concurrent-f-dp']],
    ['all may differ', parallel(9, approximate, { instances: 9 }), {}, ['concurrent-fixed-parameters']],
    ['none differs', parallel(0, approximate), {}, ['parallel-none-differ']],
  ])('of %s', (_, node, setting, theorems) => {
    expect(covers(node, setting)).toEqual(theorems);
  });

  test('of a group rests on a theorem for each of its mechanisms', () => {
    const instance = group(dp('0.1', 0, continual), dp('0.1', '1e-6', interactive), laplace(1));
    expect(covers(parallel(1, instance))).toEqual(['parallel-pure', 'parallel-interactive', 'parallel-noninteractive']);
  });
});

describe('parts and users', () => {
  test('are instances of which few differ', () => {
    expect(covers(partition([dp('0.1', '1e-6', continual), laplace(1)]))).toEqual([
      'disjoint-parts',
      'parallel-delta-cap',
      'parallel-noninteractive',
    ]);
    expect(covers(local(2, dp('0.1', 0, interactive), 1000))).toEqual(['local-alike', 'parallel-interactive']);
    expect(covers(users(1, dp('0.1'), dp('0.2')))).toEqual(['local-different', 'parallel-interactive']);
  });

  test('are refused where users go on without end and may fail (Remark 8.10)', () => {
    expect(covers(local(1, dp('0.1', '1e-6', continual)))).toEqual(['unbounded-approximate']);
    expect(covers(local(1, dp('0.1', '1e-6', continual), 100))).toEqual(['local-alike', 'parallel-delta-cap']);
  });
});

describe('what a theorem takes for granted', () => {
  const states = (node: PlanNode, setting?: Partial<Setting>): Record<string, string> => {
    const { tree } = resolved(node, setting);
    return Object.fromEntries(tree.children[0]!.conditions.map(({ id, state }) => [id, state]));
  };

  test('is met where it is said or follows, else assumed', () => {
    const capped = parallel(1, dp('0.1', '1e-6', continual), { deltaCap: '1e-5' });
    expect(states(capped)).toEqual({
      sparsity: 'met',
      'delta-cap': 'met',
      symmetric: 'assumed',
      'adaptive-adversary': 'assumed',
      discrete: 'assumed',
    });
    expect(states(capped, { symmetric: 'stated', adaptiveAdversary: 'stated', discrete: 'stated' })).toMatchObject({
      symmetric: 'met',
      'adaptive-adversary': 'met',
      discrete: 'met',
    });
    expect(states(parallel(1, dp('0.1', 0, interactive)))).toMatchObject({ 'adaptive-adversary': 'met' });
    expect(states(parallel(1, gdp('0.1', interactive)), finite)).toMatchObject({ 'finite-communication': 'met' });
  });

  test('fails with a fallback where neighbours stand in one order only', () => {
    const bounded = parallel(1, dp('0.1', '1e-6', continual), { instances: 3 });
    expect(states(bounded, { symmetric: 'denied' })).toMatchObject({ symmetric: 'failing' });
  });

  test.each<[string, PlanNode, Partial<Setting>, string]>([
    ['discrete', dp('0.1', '1e-9', two(interactive)), { discrete: 'denied' }, 'answers-not-discrete'],
    ['adaptive', zcdp('0.1', continual), { adaptiveAdversary: 'denied' }, 'oblivious-guarantee'],
    ['discrete, inside', group(parallel(1, dp('0.1', 0, continual))), { discrete: 'denied' }, 'answers-not-discrete'],
  ])('is refused where it fails otherwise: %s', (_, node, setting, code) => {
    expect(refusalOf([node], atDelta('1e-6'), { setting }).code).toBe(code);
  });

  test('does not matter for what answers once, is pure or needs no rounding', () => {
    expect(covers(group(laplace(1), dp(1, '1e-6')), { discrete: 'denied', adaptiveAdversary: 'denied' })).toEqual([
      'noninteractive',
    ]);
    expect(covers(dp(1, 0, two(continual)), { adaptiveAdversary: 'denied' })).toEqual(['concurrent-fixed-parameters']);
    expect(covers(zcdp(1, two(continual)), { discrete: 'denied' })).toEqual(['concurrent-renyi']);
    expect(covers(dp('0.1', 0, two(interactive)), { discrete: 'denied' })).toEqual(['concurrent-renyi']);
  });

  test('does not matter for one mechanism, which composes with nothing', () => {
    const one = dp('0.1', '1e-7', continual);
    const setting = { discrete: 'denied' } as const;
    expect(claim(planAnswer([one], atDelta('1e-7'), { setting }))).toBe(0.1);
    expect(claim(planAnswer([group(one, dp(0))], atDelta('1e-7'), { setting }))).toBe(0.1);
  });

  test('leaves pure mechanisms their Renyi guarantees, which are less than those of randomized responses together', () => {
    const setting = { discrete: 'denied' } as const;
    const many = dp('0.1', 0, { kind: 'continual', count: 100 });
    const [without, rounded] = [planAnswer([many], atDelta('1e-6'), { setting }), planAnswer([many], atDelta('1e-6'))];
    expect(without.bound).toBe('rdp');
    expect(claim(without)).toBeGreaterThan(claim(rounded));
    const renyi = rounded.bounds.find(({ id }) => id === 'rdp');
    expect(renyi?.applies === true && renyi.epsilon.upper).toBeCloseTo(claim(without), 12);
  });

  const nodes: readonly PlanNode[] = [dp('0.1', 0), dp('0.1', '1e-6'), laplace(1), gaussian(1), gdp('0.1'), zcdp('0.1')]
    .flatMap((entry) => [interactive, continual].map((kind) => ({ ...entry, ...two(kind) })))
    .flatMap((entry) => [
      entry,
      parallel(2, entry, { instances: 9 }),
      parallel(2, entry, { firstPairConsistent: true }),
      parallel(2, entry, { deltaCap: '0.1' }),
      partition([entry, entry]),
      local(1, entry, 9),
    ]);

  test.each<[keyof Setting, ConditionId]>([
    ['discrete', 'discrete'],
    ['discrete', 'finite-communication'],
    ['adaptiveAdversary', 'adaptive-adversary'],
    ['finiteCommunication', 'finite-communication'],
  ])('is used by no theorem where %s is denied: %s', (fact, id) => {
    for (const node of nodes) {
      const { tree, uncovered } = resolved(node, { [fact]: 'denied' });
      const [top] = tree.children;
      const conditions = uncovered.length > 0 ? [] : [...top!.conditions, ...tree.conditions];
      expect(conditions.filter((each) => each.id === id && each.state !== 'met')).toEqual([]);
      const theorems = uncovered.length > 0 ? [] : [...top!.theorems, ...tree.theorems];
      if (id === 'finite-communication') expect(theorems.filter(({ needs }) => needs.includes(id))).toEqual([]);
    }
  });

  test('is not asked of instances that never get different data', () => {
    expect(covers(parallel(0, zcdp(1, continual)), { adaptiveAdversary: 'denied' })).toEqual(['parallel-none-differ']);
  });
});
