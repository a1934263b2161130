import { describe, expect, test } from 'vitest';
import { atDelta, atEpsilon, dp, finitePair, rdp, zcdp } from '../../mechanisms.ts';
import { claim, group, parallel, partition, planAnswer, refusalOf } from '../../plans.ts';

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
    expect(refusalOf(plan, atDelta('1e-5'), { setting }).code).toBe('no-bound');
  });

  test('are named by the answer that rests on their being discrete', () => {
    const answer = planAnswer(plan, atDelta('1e-5'));
    expect(answer.bound).toBe('grouped');
    expect(answer.plan?.theorems.map(({ id }) => id)).toContain('concurrent-fixed');
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
    const floor = 'floor' in refusal && refusal.floor?.solveFor === 'renyi' ? refusal.floor : null;
    expect(floor?.alpha.toNumber()).toBe(64);
    // D_64 of one of 10^6 instances is ln(1 + 10^6 (e^(63 * 6.4) - 1)) / 63, and D_2 is at most D_64.
    expect(floor?.epsilon).toBeLessThanOrEqual(6.6193);
    expect(floor?.epsilon).toBeGreaterThan(6.619);
  });
});

describe('parts of which none ever differs', () => {
  test('need no guarantee', () => {
    const setting = { adaptiveAdversary: 'denied' } as const;
    const answer = planAnswer([partition([dp('0.1', '1e-7', interactive)], 0)], atDelta('1e-6'), { setting });
    expect(claim(answer)).toBe(0);
  });
});
