import { expect, test } from 'vitest';
import { chargedParts, compose } from '../../../src/composition/compose/compose.ts';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { atDelta, atEpsilon, decimal, dp, gaussian, laplace, sampled } from '../../mechanisms.ts';
import { group, parallel, partition, users } from '../../plans.ts';

const continual = { kind: 'continual' } as const;
const problem = (...entries: PlanNode[]) => ({ entries, adaptivity: 'adaptive' as const });

function charged(...[given, query]: Parameters<typeof chargedParts>): readonly Entry[] {
  const found = chargedParts(given, query);
  if (found.kind !== 'charged') throw new Error(`nothing is charged: ${found.kind}`);
  return found.entries;
}

test('a part is charged what it costs by itself, as one continual mechanism', () => {
  const part = parallel(2, dp('0.3', '1e-7', continual), { instances: 50 });
  for (const query of [atDelta('1e-5'), atEpsilon('0.5')]) {
    const [own, ...others] = charged(problem(part), query);
    const outcome = compose(problem(part), query);
    if (outcome.kind === 'refusal') throw new Error('the part is not covered');
    const { epsilon, delta } = outcome.answer;
    const { mechanism, kind, count } = own!;
    expect([others, kind, count]).toEqual([[], 'continual', 1]);
    if (mechanism.type !== 'dp') throw new Error(`${mechanism.type} is charged`);
    expect(mechanism.epsilon.gte(epsilon.upper) && mechanism.epsilon.lte(epsilon.upper * (1 + 1e-11))).toBe(true);
    expect(mechanism.delta.gte(delta.upper) && mechanism.delta.lte(delta.upper * (1 + 1e-11))).toBe(true);
  }
});

test('mechanisms and groups are charged one by one, in their order, parts inside groups as parts', () => {
  const parts = [
    laplace(4),
    group(dp('0.1'), group(partition([dp('0.2'), dp('0.3')]), gaussian(9))),
    users(1, dp('0.4')),
  ];
  const entries = charged(problem(...parts), atDelta(0));
  expect(entries.map(({ mechanism, label }) => [mechanism.type, label])).toEqual([
    ['laplace', null],
    ['dp', null],
    ['dp', 'mechanisms[1].mechanisms[1].mechanisms[0]'],
    ['gaussian', null],
    ['dp', 'mechanisms[2]'],
  ]);
  expect(entries[2]!.mechanism).toEqual({ type: 'dp', epsilon: decimal('0.3'), delta: decimal(0) });
});

test('a part without a guarantee of its own is refused, one without a finite epsilon named', () => {
  const endless = parallel(1, dp('0.1', '1e-6', continual));
  expect(chargedParts(problem(endless), atDelta('1e-5'))).toMatchObject({
    kind: 'refusal',
    refusal: { code: 'unbounded-approximate' },
  });
  const failing = parallel(1, dp('0.1', '1e-6', continual), { instances: 9 });
  expect(chargedParts(problem(dp('0.1'), failing), atDelta(0))).toEqual({ kind: 'infinite', path: 'mechanisms[1]' });
});

test('a part is charged for the neighbors of its guarantees, and parts for different neighbors are refused', () => {
  const poisson = users(1, sampled(gaussian(2, { count: 10 }), '0.01'));
  const replaced = (scale: number): Entry => ({ ...laplace(scale), neighbours: 'replace-one' });
  const added = (scale: number): Entry => ({ ...laplace(scale), neighbours: 'add-remove' });
  const [own] = charged(problem(poisson), atDelta('1e-6'));
  expect(own!.neighbours).toBe('add-remove');
  const mixed = [
    [poisson, replaced(1000)],
    [partition([added(10), added(10)]), partition([replaced(10), replaced(10)])],
  ];
  for (const parts of mixed) {
    expect(chargedParts(problem(...parts), atDelta('1e-6'))).toMatchObject({
      kind: 'refusal',
      refusal: { code: 'mixed-neighbours' },
    });
  }
});
