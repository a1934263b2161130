import { describe, expect, it } from 'vitest';
import { pricePlan } from '../../../src/composition/plan/price-plan.ts';
import { USUAL_SETTING } from '../../../src/composition/core/setting.ts';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import { answer, atDelta, dp, gaussian, sampled } from '../../mechanisms.ts';
import { group, local, outcomeOf, parallel, partition } from '../../plans.ts';

const poisson = sampled(gaussian(1), ['1', '100']);
const replaced = sampled(gaussian(1), ['1', '100'], 'without-replacement');

const QUERY = atDelta('1e-6');

/** What compose and plan say of a plan: the code of a refusal, or the claim. */
function told(...nodes: readonly PlanNode[]): readonly (string | number)[] {
  const composed = outcomeOf(nodes, QUERY);
  const priced = pricePlan({ nodes, adaptivity: 'adaptive', order: 'any', setting: USUAL_SETTING }, QUERY);
  return [
    composed.kind === 'answer' ? composed.answer.epsilon.upper : composed.refusal.code,
    priced.kind === 'priced' ? priced.answer.epsilon.upper : priced.refusal.code,
  ];
}

const alone = answer([poisson], QUERY).epsilon.upper;
const refusedTwice = (code: string): readonly string[] => [code, code];

describe('a mechanism on samples in a plan', () => {
  it.each([
    ['instances', parallel(1, poisson, { instances: 3 })],
    ['users', local(1, poisson)],
    ['a group of instances', group(parallel(1, poisson))],
    ['parts of which a record that is replaced leaves one for another', partition([replaced, replaced])],
  ])('is refused in %s, by compose and by plan', (_, node) => {
    expect(told(node)).toEqual(refusedTwice('sampled-in-structure'));
  });

  it('costs in a group, and in one of several parts, what it costs alone', () => {
    for (const node of [group(poisson), partition([poisson, poisson])]) {
      for (const claim of told(node)) expect(claim).toBeCloseTo(alone, 9);
    }
  });

  it('is refused beside one for other neighbours, wherever they stand', () => {
    expect(told(poisson, replaced)).toEqual(refusedTwice('mixed-neighbours'));
    expect(told(group(poisson), group(dp(1), replaced))).toEqual(refusedTwice('mixed-neighbours'));
  });
});
