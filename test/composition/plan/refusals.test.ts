import { describe, expect, it } from 'vitest';
import { pricePlan } from '../../../src/composition/plan/price-plan.ts';
import { USUAL_SETTING } from '../../../src/composition/core/setting.ts';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { answer, atDelta, decimal, dp, finitePair, gaussian, sampled } from '../../mechanisms.ts';
import { families, group, local, outcomeOf, parallel, partition, planAnswer, users } from '../../plans.ts';

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
    ['instances of which two may differ', parallel(2, poisson, { instances: 3 })],
    ['families of instances of which two may differ', families(2, parallel(1, poisson), parallel(1, poisson))],
    ['users of whom two may differ', local(2, poisson)],
    ['one instance of two parts that may differ', families(2, poisson, poisson)],
    ['parts of which a record that is replaced leaves one for another', partition([replaced, replaced])],
    ['such parts inside a user', local(1, partition([replaced, replaced]))],
  ])('is refused in %s, by compose and by plan', (_, node) => {
    expect(told(node)).toEqual(refusedTwice('sampled-in-structure'));
  });

  it.each([
    ['a group', group(poisson), alone],
    ['one of several parts', partition([poisson, poisson]), alone],
    ['one of any number of instances', parallel(1, poisson), alone],
    ['one of a hundred users', local(1, poisson, 100), alone],
    ['one of several different users', users(1, poisson, sampled(gaussian(2), ['1', '100'])), alone],
    ['an instance inside a part', partition([parallel(1, poisson), poisson]), alone],
    ['one user, of whom a record is replaced', local(1, replaced), answer([replaced], QUERY).epsilon.upper],
    ['an instance, of which one is replaced', parallel(1, replaced), answer([replaced], QUERY).epsilon.upper],
  ])('costs in %s what it costs alone', (_, node, expected) => {
    for (const claim of told(node)) expect(claim).toBeCloseTo(expected, 9);
  });

  it('costs as much beside others as in one list with them', () => {
    const beside = answer([poisson, gaussian(3)], QUERY).epsilon.upper;
    for (const node of [local(1, poisson), parallel(1, poisson, { instances: 7 })]) {
      for (const claim of told(node, gaussian(3))) expect(claim).toBeCloseTo(beside, 9);
    }
  });

  /** Two outcomes of randomised response on a Poisson sample that holds a record with probability 1/4. */
  const [yes, no] = [0.75, 0.25];
  const withRecord = [0.25 * yes + 0.75 * no, 0.25 * no + 0.75 * yes];
  const without = [no, yes];

  it('costs no more than two instances of which either may get the record, after an answer of the other', () => {
    const pair: Entry = sampled(finitePair([yes, no], [no, yes], { direction: 'fixed' }), ['1', '4']);
    const deltaOf = (p: readonly number[], q: readonly number[]): number =>
      p.reduce((sum, each, index) => sum + Math.max(0, each - Math.exp(0.05) * q[index]!), 0);
    // The data of the second differ if and only if the first, whose data do not, gave the first of its answers.
    const laws = ([first, second]: readonly [readonly number[], readonly number[]]): number[][] =>
      [first, second].map((law) => [no * law[0]!, no * law[1]!, yes * without[0]!, yes * without[1]!]);
    const [p, q] = laws([withRecord, without]);
    const late = deltaOf(p!, q!);
    const claim = planAnswer([parallel(1, pair)], { solveFor: 'delta', epsilon: decimal('0.05') }).delta;
    expect(late).toBeLessThan(claim.upper);
    expect(claim.upper).toBeCloseTo(Math.max(deltaOf(withRecord, without), deltaOf(without, withRecord)), 12);
  });

  it('is refused beside one for other neighbours, wherever they stand', () => {
    expect(told(poisson, replaced)).toEqual(refusedTwice('mixed-neighbours'));
    expect(told(group(poisson), group(dp(1), replaced))).toEqual(refusedTwice('mixed-neighbours'));
  });
});
