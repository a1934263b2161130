import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { atDelta, atEpsilon, dp, laplace, zcdp } from '../../mechanisms.ts';
import { claim, families, parallel, partition, planAnswer } from '../../plans.ts';
import { fc } from '../../reference/properties.ts';

// Several families of instances, at most so many of which differ in all.

const loss = (...nodes: Parameters<typeof planAnswer>[0]): number => claim(planAnswer(nodes, atDelta(0)));

const mechanism = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom(0, 0, 0.001), fc.constantFrom('noninteractive', 'continual'))
  .map(([tenths, delta, kind]): Entry => dp(tenths / 10, delta, { kind: kind as Entry['kind'] }));

const number = fc.integer({ min: 1, max: 3 });

describe('families of instances', () => {
  test('cost the instances that differ, whichever they are, and not those of every family', () => {
    const [strong, weak] = [parallel(2, dp(1)), parallel(2, dp('0.1'))];
    expect(loss(families(2, strong, weak))).toBeCloseTo(2, 9);
    expect(loss(strong, weak)).toBeCloseTo(2.2, 9);
    expect(loss(families(1, parallel(1, dp(1)), parallel(1, dp('0.6'))))).toBeCloseTo(1, 9);
    // One of the strong may differ, so the other is of the weak.
    expect(loss(families(2, parallel(1, dp(1)), weak))).toBeCloseTo(1.1, 9);
  });

  test('may hold what is no family, as one instance', () => {
    expect(loss(families(2, dp(1), parallel(2, dp('0.7')), laplace(1)))).toBeCloseTo(2, 9);
    expect(loss(families(3, dp(1), parallel(2, dp('0.7'))))).toBeCloseTo(2.4, 9);
  });

  test('pay for failures that show in instances that never differ', () => {
    const continual = dp('0.5', '1e-3', { kind: 'continual' });
    const both = families(1, parallel(1, continual, { instances: 10 }), parallel(1, dp('0.2'), { instances: 10 }));
    const alone = planAnswer([parallel(1, continual, { instances: 10 })], atEpsilon('0.5'));
    expect(claim(planAnswer([both], atEpsilon('0.5')))).toBeCloseTo(claim(alone), 12);
  });

  test('pay the cap on their deltas once', () => {
    const capped = parallel(3, dp('0.5', '1e-3'), { deltaCap: '1e-3' });
    const { delta } = planAnswer([families(3, capped, parallel(3, dp('0.1')))], atEpsilon('1.5'));
    expect(delta.upper).toBeCloseTo(1e-3, 12);
  });

  test('without number are refused where their failures have no end, each for itself', () => {
    const open = parallel(1, zcdp('0.1', { kind: 'continual' }));
    expect(() => planAnswer([families(1, open, parallel(1, dp(1)))], atDelta('1e-6'))).toThrow('unbounded-renyi');
  });

  test('never cost more than without the common limit, nor less than any of them or what attains it', () => {
    const family = fc
      .tuple(mechanism, number, fc.integer({ min: 0, max: 3 }))
      .map(([of, sparsity, more]) => parallel(sparsity, of, { instances: sparsity + more }));
    fc.assert(
      fc.property(
        number,
        fc.array(family, { minLength: 1, maxLength: 3 }),
        fc.double({ min: 0, max: 2 }),
        (k, all, x) => {
          const epsilon = atEpsilon(Number(x.toFixed(3)));
          const { delta } = planAnswer([families(k, ...all)], epsilon);
          expect(delta.lower ?? 0).toBeLessThanOrEqual(delta.upper);
          expect(delta.upper).toBeLessThanOrEqual(claim(planAnswer(all, epsilon)) * (1 + 1e-9));
          for (const each of all) {
            const own = parallel(Math.min(k, each.sparsity), each.of, { instances: each.instances });
            expect(delta.upper).toBeGreaterThanOrEqual((planAnswer([own], epsilon).delta.lower ?? 0) * (1 - 1e-9));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('of one instance each are parts', () => {
    const all = [dp('0.3', '1e-3'), dp('0.8'), dp('0.5', '0.01')];
    for (const k of [1, 2]) {
      const query = atEpsilon('0.4');
      expect(planAnswer([families(k, ...all)], query).delta).toEqual(planAnswer([partition(all, k)], query).delta);
    }
  });
});
