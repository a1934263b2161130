import { fc } from '../../reference/properties.ts';
import { describe, expect, test } from 'vitest';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import type { Entry, MechanismKind } from '../../../src/privacy/mechanism.ts';
import { atDelta, atEpsilon, boundedRange, dp, gaussian, laplace, zcdp } from '../../mechanisms.ts';
import { claim, group, parallel, partition, planAnswer } from '../../plans.ts';

const RUNS = { numRuns: 150, seed: 5 };

/** Closed forms and lists in many plans; also what is sampled, in a few. */
const EFFORTS = [
  ['what is found at once', { numRuns: 60, seed: 5 }, { exhausted: () => true }],
  ['all effort', { numRuns: 6, seed: 6 }, {}],
] as const;

/** Not more, but for rounding. */
const notAbove = (less: number, more: number): void => {
  expect(less).toBeLessThanOrEqual(more * (1 + 1e-9) + 1e-300);
};

const kinds = fc.constantFrom<MechanismKind>('noninteractive', 'interactive', 'continual');
const epsilons = fc.constantFrom('0.05', '0.1', '0.25', '0.7', '1.3');
const deltas = fc.constantFrom('0', '1e-7', '1e-3', '0.05');
const queries = fc.oneof(
  fc.constantFrom('1e-9', '1e-4', '0.2').map(atDelta),
  fc.constantFrom('0', '0.3', '1', '2.5').map(atEpsilon),
);

const dpEntries: fc.Arbitrary<Entry> = fc
  .record({ epsilon: epsilons, delta: deltas, count: fc.integer({ min: 1, max: 4 }), kind: kinds })
  .map(({ epsilon, delta, count, kind }) => dp(epsilon, delta, { count, kind }));

/** Plans of (epsilon, delta)-DP mechanisms of which all numbers are limited, so that none is refused. */
const nodes: fc.Arbitrary<PlanNode> = fc.letrec<{ node: PlanNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    dpEntries,
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((list) => group(...list)),
    fc
      .record({
        of: tie('node'),
        sparsity: fc.integer({ min: 0, max: 3 }),
        instances: fc.integer({ min: 1, max: 5 }),
        firstPairConsistent: fc.boolean(),
      })
      .map(({ of, sparsity, ...options }) => parallel(sparsity, of, options)),
    fc
      .record({ of: fc.array(tie('node'), { minLength: 1, maxLength: 3 }), sparsity: fc.integer({ min: 0, max: 3 }) })
      .map(({ of, sparsity }) => partition(of, sparsity)),
  ),
})).node;

describe('a plan', () => {
  test('of one mechanism, however it is wrapped, costs what the mechanism costs', () => {
    const single = fc.oneof(
      dpEntries,
      fc.constantFrom(laplace(2), gaussian(3), zcdp('0.1'), boundedRange('0.4', { count: 3 })),
    );
    fc.assert(
      fc.property(single, queries, (entry, query) => {
        const alone = planAnswer([entry], query);
        const once = parallel(1, entry, { instances: 1 });
        for (const node of [
          group(entry),
          group(group(entry)),
          once,
          partition([entry]),
          parallel(1, group(partition([entry])), { instances: 1 }),
        ]) {
          const wrapped = planAnswer([node], query);
          expect([wrapped.epsilon, wrapped.delta]).toEqual([alone.epsilon, alone.delta]);
        }
      }),
      RUNS,
    );
  });

  test.each(EFFORTS)('never costs more flattened than grouped: %s', (_, runs, options) => {
    fc.assert(
      fc.property(fc.array(nodes, { minLength: 1, maxLength: 4 }), queries, (list, query) => {
        const { plan } = planAnswer(list, query, options);
        if (plan?.flattened && plan.grouped) notAbove(plan.flattened.upper, plan.grouped.upper);
      }),
      runs,
    );
  });

  test.each(EFFORTS)('has a certified lower end below its claim: %s', (_, runs, options) => {
    fc.assert(
      fc.property(fc.array(nodes, { minLength: 1, maxLength: 3 }), queries, (list, query) => {
        const answer = planAnswer(list, query, options);
        const { lower, upper } = answer[query.solveFor];
        expect(lower).not.toBeNull();
        notAbove(lower ?? NaN, upper);
      }),
      runs,
    );
  });

  test.each(EFFORTS)('costs no less with more instances, or more that differ: %s', (_, runs, options) => {
    fc.assert(
      fc.property(nodes, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 5 }), queries, (of, k, n, query) => {
        const cost = (sparsity: number, instances: number) =>
          claim(planAnswer([parallel(sparsity, of, { instances })], query, options));
        notAbove(cost(k, n), cost(k, n + 1));
        notAbove(cost(k, n), cost(k + 1, n));
        notAbove(cost(0, n), cost(1, n));
        const inside = (instances: number) =>
          claim(
            planAnswer(
              [parallel(1, parallel(1, of, { instances, firstPairConsistent: true }), { instances: 4 })],
              query,
              options,
            ),
          );
        notAbove(inside(1), inside(2));
      }),
      runs,
    );
  });

  test('costs no less under a larger cap, and no more than without one', () => {
    fc.assert(
      fc.property(epsilons, fc.constantFrom('1e-4', '0.01'), queries, (epsilon, delta, query) => {
        const each = dp(epsilon, delta, { kind: 'continual' });
        const capped = (deltaCap: string) => claim(planAnswer([parallel(2, each, { deltaCap, instances: 50 })], query));
        notAbove(capped('0.01'), capped('0.03'));
        notAbove(capped('0.03'), capped('0.9'));
        notAbove(capped('0.9'), claim(planAnswer([parallel(2, each, { instances: 50 })], query)));
      }),
      RUNS,
    );
  });

  test.each(EFFORTS)('of parts costs no more than all on the same data, nor less than one: %s', (_, runs, options) => {
    fc.assert(
      fc.property(fc.array(nodes, { minLength: 1, maxLength: 4 }), dpEntries, queries, (parts, beside, query) => {
        const cost = (list: readonly PlanNode[]): number => claim(planAnswer(list, query, options));
        const disjoint = cost([partition(parts), beside]);
        notAbove(disjoint, cost([...parts, beside]));
        for (const part of parts) notAbove(cost([part, beside]), disjoint);
      }),
      runs,
    );
  });
});

describe('parts of the data', () => {
  test('pay for a choice that is made after other answers are seen', () => {
    // After RR(0.1), one part runs RR(1.038) and the other four RR(0.378): who may choose between them by the first
    // answer reaches 0.06985949870512785 at epsilon 1 (summed up over the outcomes by another program), while each fixed
    // choice costs less than 0.05.
    const parts = partition([dp('1.038'), dp('0.378', 0, { count: 4 })]);
    const { upper, lower } = planAnswer([dp('0.1'), parts], atEpsilon(1)).delta;
    expect(upper).toBeGreaterThan(0.0698594987051);
    expect(upper).toBeLessThan(0.0698595);
    expect(lower).toBeGreaterThan(0.06985);
    expect(lower).toBeLessThan(0.0698594987052);
    const fixed = [dp('1.038'), dp('0.378', 0, { count: 4 })].map((part) =>
      claim(planAnswer([dp('0.1'), part], atEpsilon(1))),
    );
    for (const each of fixed) expect(each).toBeLessThan(0.05);
  });

  test('cost what the costliest costs where nothing else runs', () => {
    const parts = [gaussian(2), laplace(1), dp('0.5', '1e-6', { count: 3 })];
    for (const query of [atDelta('1e-5'), atEpsilon('0.8')]) {
      const costs = parts.map((part) => claim(planAnswer([part], query)));
      expect(claim(planAnswer([partition(parts)], query))).toBe(Math.max(...costs));
    }
  });

  test('of which two differ pay the two largest epsilons and, apart from them, the two largest deltas', () => {
    const parts = [dp('0.2', '1e-3'), dp('0.5', '1e-9'), dp('0.9', '1e-6')];
    const answer = planAnswer([partition(parts, 2)], atEpsilon('1.4'));
    expect(answer.delta.exact).toBe('0.001000999');
  });
});
