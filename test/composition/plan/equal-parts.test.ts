import { describe, expect, it } from 'vitest';
import type { Partition, PlanNode } from '../../../src/composition/core/plan-node.ts';
import { atDelta, boundedRange, dp, gaussian, laplace, sampled } from '../../mechanisms.ts';
import { group, outcomeOf, parallel, partition, planAnswer } from '../../plans.ts';

const QUERY = atDelta('1e-5');
const continual = { kind: 'continual' } as const;

/** So many parts that all run the same, by their number. */
const equal = (of: PlanNode, parts: number, sparsity = 1): Partition => ({ ...partition([of], sparsity), parts });

describe('a number of equal parts', () => {
  it.each([
    ['noise', laplace(10, { count: 3 })],
    ['guarantees that may fail', dp('0.1', '1e-7')],
    ['continual guarantees', dp('0.1', '1e-9', continual)],
    ['ranges', boundedRange('0.2')],
    ['noise on samples', sampled(gaussian(2), ['1', '100'])],
    ['a group', group(laplace(10), dp('0.1'))],
    ['instances', parallel(1, dp('0.1', '1e-9', continual), { instances: 3 })],
  ])('costs what as many copies cost, of %s', (_, of) => {
    for (const [parts, sparsity] of [
      [1, 1],
      [7, 1],
      [7, 2],
      [3, 5],
    ] as const) {
      const copies = partition(
        Array.from({ length: parts }, () => of),
        sparsity,
      );
      for (const rest of [[], [laplace(8)]]) {
        const [one, other] = [equal(of, parts, sparsity), copies].map((node) => planAnswer([node, ...rest], QUERY));
        expect(one!.epsilon.lower! / other!.epsilon.lower!).toBeCloseTo(1, 12);
        expect(one!.epsilon.upper / other!.epsilon.upper).toBeCloseTo(1, 12);
        if (parts > 1) expect(one!.plan!.theorems).toEqual(other!.plan!.theorems);
      }
    }
  });

  it('does not matter where one differs, however many there are', () => {
    const [few, many] = [2, Number.MAX_SAFE_INTEGER].map((parts) => planAnswer([equal(laplace(10), parts)], QUERY));
    expect(many!.epsilon).toEqual(few!.epsilon);
  });

  it('is refused where all of them pay more often than can be counted', () => {
    const all = equal(dp('0.1', '1e-30', { ...continual, count: 3 }), Number.MAX_SAFE_INTEGER);
    expect(outcomeOf([all], QUERY)).toMatchObject({ refusal: { code: 'too-many-mechanisms' } });
  });
});
