import { describe, expect, test } from 'vitest';
import {
  fewestInstancesBeyond,
  renyiOfOne,
  revealedByOne,
} from '../../../src/composition/attack/counterexamples/counterexamples.ts';
import { remainingDelta, roomFor } from '../../../src/composition/theorems/parallel.ts';
import { failureProbability } from '../../../src/privacy/failure.ts';
import { randomizedResponse } from '../../../src/privacy/randomized-response.ts';
import { atDelta, atEpsilon, decimal, dp, finitePair, gdp, laplace, rdp } from '../../mechanisms.ts';
import { claim, group, local, parallel, partition, planAnswer, refusalOf, users } from '../../plans.ts';

// The worked cases of the notes on "Concurrent Composition for Differentially Private Continual Mechanisms", by number.

const continual = { kind: 'continual' } as const;
const interactive = { kind: 'interactive' } as const;

/** Equal to so many digits of a number that is given to twelve. */
const near = (actual: number, expected: number, digits = 11): void => {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(Math.abs(expected) * 10 ** -digits);
};

describe('mechanisms fixed in advance, or their parameters', () => {
  test('TC-1 the probabilities of randomized response', () => {
    /** Revealed, true and false without being revealed. */
    const of = (epsilon: string, delta: number): number[] => {
      const { minus } = randomizedResponse(decimal(epsilon));
      return [delta, (1 - delta) * minus.complement, (1 - delta) * minus.value];
    };
    for (const [epsilon, delta, truth, lie] of [
      ['1', 0.1, 0.657952720767, 0.242047279233],
      ['0', 0.25, 0.375, 0.375],
      ['0.5', 1e-6, 0.622458708743, 0.377540291257],
    ] as const) {
      const [revealed, ...rest] = of(epsilon, delta);
      expect(revealed).toBe(delta);
      near(rest[0] ?? NaN, truth);
      near(rest[1] ?? NaN, lie);
    }
  });

  test('TC-2 three of (1/3, 0) cost (1, 0) at most, and nothing is left at epsilon 1', () => {
    const three = [group(dp('0.333333333333333333', 0, { count: 3, ...continual }))];
    expect(claim(planAnswer(three, atEpsilon(1)))).toBe(0);
    near(claim(planAnswer(three, atDelta(0))), 1);
  });

  test('TC-3 two of (1, 0) at epsilon 1 and 0', () => {
    const two = [group(dp(1, 0, { count: 2, ...continual }))];
    near(claim(planAnswer(two, atEpsilon(1))), 0.337834712147);
    near(claim(planAnswer(two, atEpsilon(0))), 0.46211715726);
  });

  test('TC-4 (0.5, 1e-6) and (1, 1e-5)', () => {
    const both = [group(dp('0.5', '1e-6', continual), dp(1, '1e-5', continual))];
    expect(planAnswer(both, atEpsilon('1.5')).delta.exact).toBe('0.00001099999');
    near(claim(planAnswer(both, atEpsilon('1.2'))), 0.117951468666);
  });

  test('TC-5 a hundred of (0.1, 0), and of (0.1, 1e-8)', () => {
    near(claim(planAnswer([group(dp('0.1', 0, { count: 100, ...continual }))], atDelta('1e-6'))), 4.77456758811);
    near(claim(planAnswer([group(dp('0.1', '1e-8', { count: 100, ...continual }))], atDelta('2e-6'))), 4.77456739012);
  });

  test('TC-6 a budget of parameters, taken in any order and once each', () => {
    const plan = [group(dp('0.3', '1e-6', continual), dp('0.7', 0, continual))];
    expect(planAnswer(plan, atDelta('1e-6')).epsilon.exact).toBe('1');
  });
});

describe('k-sparse parallel composition', () => {
  test('TC-7 any number of pure continual mechanisms, two of which differ', () => {
    const plan = [parallel(2, dp('0.5', 0, continual))];
    expect(planAnswer(plan, atDelta(0)).epsilon.exact).toBe('1');
    near(claim(planAnswer(plan, atEpsilon('0.5'))), 0.152451906799);
  });

  test('TC-8 is refused for approximate continual mechanisms without number or cap', () => {
    const refusal = refusalOf([parallel(1, dp(1, '1e-6', continual))], atEpsilon(1));
    expect(refusal).toMatchObject({
      code: 'unbounded-approximate',
      impossibilityBound: { instances: 1e6, epsilon: 'any' },
    });
    if (!('impossibilityBound' in refusal) || refusal.impossibilityBound?.solveFor !== 'delta')
      throw new Error('there is no floor');
    near(refusal.impossibilityBound.delta, 0.632120742768355);
    near(revealedByOne(decimal('1e-5'), 1000), 0.00995021575365242);
    near(revealedByOne(decimal('1e-9'), 1e9), 0.632120559012497);
    expect(fewestInstancesBeyond(decimal('0.5'), decimal('1e-6'))).toBe(693147);
  });

  test('TC-10 no epsilon is large enough at delta 1e-5 from the eleventh instance of delta 1e-6', () => {
    near(revealedByOne(decimal('1e-6'), 10), 9.99995500012e-6);
    near(revealedByOne(decimal('1e-6'), 11), 1.0999945000165e-5);
    expect(fewestInstancesBeyond(decimal('1e-5'), decimal('1e-6'))).toBe(11);
    const instances = (count: number) => [parallel(1, dp(1, '1e-6', continual), { instances: count })];
    expect(claim(planAnswer(instances(10), atDelta('1e-5')))).toBeLessThanOrEqual(1);
    expect(claim(planAnswer(instances(11), atDelta('1e-5')))).toBe(Infinity);
  });

  test('TC-11 different instances reveal with the product of their deltas', () => {
    const deltas = ['1e-3', '2e-3', '5e-4'];
    const failure = failureProbability(deltas.map((delta) => ({ delta: decimal(delta), count: 1 })));
    expect(failure.lower.toString()).toBe('0.003496501');
    const parts = partition(deltas.map((delta) => dp(1, delta, continual)));
    expect(planAnswer([parts], atEpsilon(1)).delta.lower).toBeCloseTo(0.003496501, 15);
  });

  test('TC-12 the product form under a cap, not the printed sum', () => {
    const plan = [parallel(2, dp(1, '0.05', continual), { deltaCap: '0.05' })];
    near(claim(planAnswer(plan, atEpsilon(1))), 0.37094297654);
  });

  test('TC-14 a thousand continual mechanisms of (1, 1e-6) under their own cap, and interactive ones', () => {
    const each = dp(1, '1e-6', continual);
    const number = planAnswer([parallel(1, each, { instances: 1000 })], atEpsilon(1));
    near(claim(number), 9.99500666125591e-4, 14);
    expect(number.tight).toBe(true);
    const cap = failureProbability([{ delta: decimal('1e-6'), count: 1000 }]).upper.toString();
    near(claim(planAnswer([parallel(1, each, { deltaCap: cap })], atEpsilon(1))), 9.99500666125591e-4, 14);
    const same = planAnswer([parallel(1, dp(1, '1e-6', interactive), { instances: 1000 })], atEpsilon(1));
    expect(same.delta.exact).toBe('0.000001');
  });

  test('TC-15 fifty instances of which three differ: continual, interactive, and all of them', () => {
    const each = dp('0.5', '1e-7', continual);
    near(claim(planAnswer([parallel(3, each, { instances: 50 })], atDelta('1e-5'))), 1.49997926783);
    const static_ = parallel(3, dp('0.5', '1e-7', interactive), { instances: 50 });
    near(claim(planAnswer([static_], atDelta('1e-5'))), 1.49995977948);
    near(claim(planAnswer([parallel(50, each, { instances: 50 })], atDelta('1e-5'))), 19.4877813968);
  });

  test('TC-16 what is left under a cap as instances are created', () => {
    const cap = decimal('1e-5');
    const after = (count: number) => remainingDelta(cap, [{ delta: decimal('2e-6'), count }]).toNumber();
    near(after(4), 2.00004000024e-6);
    near(after(5), 4.000032000168e-11);
    expect(roomFor(cap, decimal('2e-6'))).toBe(5);
    expect(failureProbability([{ delta: decimal('2e-6'), count: 5 }]).upper.toNumber()).toBeCloseTo(
      9.99996000008e-6,
      19,
    );
  });

  test('TC-17 the product form makes room that a sum would not', () => {
    expect(roomFor(decimal('0.28'), decimal('0.1'))).toBe(3);
    expect(roomFor(decimal('0.27'), decimal('0.1'))).toBe(2);
  });

  test('TC-18 instances without end whose deltas halve stay under a cap', () => {
    const halving = Array.from({ length: 200 }, (_, j) => ({
      delta: decimal('1e-6').div(decimal(2).pow(j + 1)),
      count: 1,
    }));
    near(failureProbability(halving).upper.toNumber(), 9.99999666666714e-7, 14);
    const plan = [parallel(1, dp(1, '5e-7', continual), { deltaCap: '9.99999666666714e-7' })];
    near(claim(planAnswer(plan, atEpsilon(1))), 9.99999666666714e-7, 14);
  });

  test('TC-19 any number of interactive mechanisms cost what the one that differs costs', () => {
    const answer = planAnswer([parallel(1, dp(1, '1e-6', interactive))], atDelta('1e-6'));
    expect([answer.epsilon.exact, answer.tight]).toEqual(['1', true]);
    expect(planAnswer([parallel(1, dp(1, '0.1', interactive), { instances: 2 })], atEpsilon(1)).delta.exact).toBe(
      '0.1',
    );
    const late = planAnswer([parallel(1, dp(1, '0.1', continual), { instances: 2 })], atEpsilon(1));
    expect(late.delta.exact).toBe('0.19');
  });

  test('TC-20 three of any number of interactive (0.4, 1e-7)', () => {
    const plan = [parallel(3, dp('0.4', '1e-7', interactive))];
    near(claim(planAnswer(plan, atEpsilon('1.2'))), 2.99999970000001e-7, 14);
    near(claim(planAnswer(plan, atDelta('1e-3'))), 1.19533036963);
  });

  test('TC-21 approximate instances whose data never differ cost no delta beside pure ones', () => {
    const plan = [parallel(2, dp('0.5', 0, continual)), parallel(0, dp(1, '1e-6', continual))];
    expect(planAnswer(plan, atDelta(0)).epsilon.exact).toBe('1');
  });

  test('TC-22 neighbours in one order only: every delta counts twice', () => {
    const ln2 = '0.693147180559945309417232121458';
    const plan = [parallel(2, dp(ln2, '0.25', continual), { instances: 3 })];
    const naive = planAnswer(plan, atEpsilon(0));
    near(claim(naive), 23 / 32);
    const safe = planAnswer(plan, atEpsilon(0), { setting: { symmetric: 'denied' } });
    // With every delta twice 11/12; as if all three differed, which needs no symmetry, 25/32.
    near(claim(safe), 25 / 32);
    expect(safe.delta.lower).toBeLessThanOrEqual(3 / 4);
  });
});

describe('Renyi and trade-off guarantees', () => {
  const renyi = (...epsilons: string[]) => epsilons.map((epsilon) => rdp([[8, epsilon]], continual));

  test('TC-23 orders add up, for interactive instances those that differ', () => {
    for (const query of [atDelta('1e-6'), atEpsilon(2)]) {
      near(
        claim(planAnswer([group(...renyi('0.2', '0.3', '0.5'))], query)),
        claim(planAnswer(renyi('1.0'), query)),
        14,
      );
      const two = parallel(2, rdp([[10, '0.25']], interactive));
      near(claim(planAnswer([two], query)), claim(planAnswer([rdp([[10, '0.5']])], query)), 14);
    }
  });

  test('TC-24 is refused for continual mechanisms without number, with the Renyi lower bound', () => {
    const refusal = refusalOf([parallel(1, rdp([[2, '0.1']], continual))], atDelta('1e-6'));
    expect(refusal).toMatchObject({
      code: 'unbounded-renyi',
      impossibilityBound: { instances: 1e6, solveFor: 'renyi' },
    });
    const floor =
      'impossibilityBound' in refusal && refusal.impossibilityBound?.solveFor === 'renyi'
        ? refusal.impossibilityBound.epsilon
        : NaN;
    near(floor, 11.56335161, 9);
    near(renyiOfOne(decimal(2), decimal('0.1'), 10), 0.7186731925, 9);
    near(renyiOfOne(decimal(2), decimal('0.1'), 1000), 4.66505023, 8);
    near(renyiOfOne(decimal(8), decimal('0.5'), 1000), 1.482446243, 9);
    // Of a thousand, one of which may differ, the lower bound is attained; of which two may, each set of two pays.
    const thousand = parallel(1, rdp([[2, '0.1']], continual), { instances: 1000 });
    const all = rdp([[2, renyiOfOne(decimal(2), decimal('0.1'), 1000)]]);
    near(claim(planAnswer([thousand], atDelta('1e-6'))), claim(planAnswer([all], atDelta('1e-6'))), 13);
    const two = parallel(2, rdp([[2, '0.1']], continual), { instances: 1000 });
    const sets = planAnswer([rdp([[2, '0.2']])], atDelta(String(1e-6 / 499_500)));
    near(claim(planAnswer([two], atDelta('1e-6'))), claim(sets), 12);
  });

  test('TC-26 Renyi DP of order infinity is pure, and of epsilon 0 nothing', () => {
    expect(planAnswer([parallel(2, dp('0.3', 0, continual))], atDelta(0)).epsilon.exact).toBe('0.6');
    expect(claim(planAnswer([parallel(2, rdp([[4, 0]], continual))], atDelta(0)))).toBe(0);
  });

  test('TC-27 the trade-off function of (1, 0.1)-DP, and of two RR(1)', () => {
    /** The type II error at type I error `alpha` that the curve leaves at the epsilons where it has corners. */
    const tradeOff = (delta: (epsilon: number) => number, corners: readonly number[], alpha: number): number =>
      Math.max(
        0,
        ...corners.flatMap((epsilon) => [
          1 - delta(epsilon) - Math.exp(epsilon) * alpha,
          Math.exp(-epsilon) * (1 - delta(epsilon) - alpha),
        ]),
      );
    const curve = (nodes: Parameters<typeof planAnswer>[0]) => (epsilon: number) =>
      claim(planAnswer(nodes, atEpsilon(epsilon), { setting: { finiteCommunication: 'stated' } }));
    const one = curve([group(dp(1, '0.1', continual))]);
    near(tradeOff(one, [1], 0), 0.9);
    near(tradeOff(one, [1], 0.2), 0.356343634308);
    near(tradeOff(one, [1], 0.5), 0.147151776469);
    expect(tradeOff(one, [1], 0.9)).toBeCloseTo(0, 12);
    const two = curve([group(dp(1, 0, { count: 2, ...continual }))]);
    near(two(1), 0.337834712147);
    const corners = [0, 2];
    near(tradeOff(two, corners, 0), 1);
    near(tradeOff(two, corners, 0.0723294881285), 0.465553354611);
    near(tradeOff(two, corners, 0.465553354611), 0.0723294881285);
  });

  test('TC-28 trade-off functions need finite communication, and fail for continual instances without number', () => {
    const pair = finitePair(['0.5', '0.5'], ['0.6', '0.4'], { ...continual, count: 100 });
    const finite = { setting: { finiteCommunication: 'stated' } } as const;
    // Without it a pair has its largest ratio, and the Renyi guarantees of its losses.
    const ratio = claim(planAnswer([pair], atDelta('1e-6')));
    expect(ratio).toBeLessThan(100 * Math.log(1.25));
    expect(claim(planAnswer([pair], atDelta('1e-6'), finite))).toBeLessThan(ratio);
    expect(refusalOf([parallel(1, dp(0, '0.01', continual))], atEpsilon(1), finite).code).toBe('unbounded-approximate');
    near(revealedByOne(decimal('0.01'), 100), 0.63396765872677);
    const gaussian = refusalOf([parallel(1, gdp('0.5', continual))], atEpsilon(1), finite);
    expect(gaussian).toMatchObject({ code: 'unbounded-f-dp', impossibilityBound: { solveFor: 'delta' } });
    const two = parallel(2, gdp('0.5', interactive));
    near(
      claim(planAnswer([two], atDelta('1e-6'), finite)),
      claim(planAnswer([gdp('0.5', { count: 2 })], atDelta('1e-6'))),
      14,
    );
  });
});

describe('settings without a theorem', () => {
  test('TC-30 parameters adaptively chosen, flat or with structure', () => {
    expect(refusalOf([dp('0.1')], atDelta('1e-6'), { adaptivity: 'parameters' }).code).toBe('adaptive-parameters');
    const plan = [parallel(1, dp('0.1', 0, continual))];
    expect(refusalOf(plan, atDelta('1e-6'), { adaptivity: 'parameters' }).code).toBe('adaptive-parameters-in-parallel');
  });

  test('TC-42 guarantees against fixed questions only', () => {
    const oblivious = { setting: { adaptiveAdversary: 'denied' } } as const;
    expect(refusalOf([dp(1, '0.1', interactive)], atDelta('1e-6'), oblivious)).toMatchObject({
      code: 'oblivious-guarantee',
      path: 'mechanisms[0]',
    });
    expect(planAnswer([dp(1, 0, interactive), dp(1, '0.1')], atDelta('0.1'), oblivious).epsilon.exact).toBe('2');
  });
});

describe('systems of several parts', () => {
  const third = '0.333333333333333333333333333333';
  const counters = dp('0.0833333333333333333333333333333', '2.5e-7', { count: 4, kind: 'continual' });
  const check = parallel(1, laplace(3));

  test('TC-33 approximate sparse vector instances: refused without number, covered with twenty', () => {
    const svt = dp(third, '1e-8', continual);
    const without = [group(counters), parallel(1, svt, { label: 'svt' }), check];
    expect(refusalOf(without, atEpsilon(1))).toMatchObject({ code: 'unbounded-approximate', path: 'mechanisms[1]' });
    const twenty = [group(counters), parallel(1, svt, { instances: 20 }), check];
    // Exactly 1 - (1 - 2.5e-7)^4 (1 - 1e-8)^20; the notes have it from doubles, right to nine digits.
    near(claim(planAnswer(twenty, atEpsilon(1))), 1.199999406000158e-6, 14);
  });

  test('TC-34 approximate noise on a check, any number of times, costs its delta once', () => {
    const plan = [group(counters), parallel(1, dp(third, 0, continual)), parallel(1, dp(third, '1e-7'))];
    // Exactly 1 - (1 - 2.5e-7)^4 (1 - 1e-7); the notes have it from doubles, right to ten digits.
    near(claim(planAnswer(plan, atEpsilon(1))), 1.0999995250001e-6, 14);
  });

  test('TC-36 the local model: two users differ, alike or not', () => {
    const pure = [local(2, dp('0.5', 0, interactive), 10_000)];
    expect(planAnswer(pure, atDelta(0)).epsilon.exact).toBe('1');
    near(claim(planAnswer(pure, atEpsilon('0.5'))), 0.152451906799);
    const approximate = planAnswer([local(2, dp('0.5', '1e-6', interactive))], atEpsilon(1));
    expect(approximate.delta.exact).toBe('0.000001999999');
    const different = users(2, dp('0.2', 0, interactive), dp('0.5', 0, interactive), dp('0.9', 0, interactive));
    expect(planAnswer([different], atDelta(0)).epsilon.exact).toBe('1.4');
  });
});
