import { fc } from '../../reference/properties.ts';
import { describe, expect, test } from 'vitest';
import { Arithmetic } from '../../../src/bounds/precise/interval.ts';
import { ControlFunction, TOO_LARGE, type Game } from '../../reference/verifier/control-function.ts';
import { hockeyStick } from '../../reference/verifier/hockey-stick.ts';
import { renyiMoment } from '../../reference/verifier/renyi-moment.ts';
import { FiniteMechanism } from '../../reference/verifier/finite-mechanism.ts';
import { PairVerification } from '../../reference/verifier/pair-verification.ts';
import { setsOf } from '../../../src/composition/plan/cost.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import { atDelta, atEpsilon, dp, gaussian, gdp, rdp, zcdp } from '../../mechanisms.ts';
import { claim, group, local, parallel, partition, planAnswer, users } from '../../plans.ts';
import { shareOf } from '../../reference/share.ts';
import { mechanisms, verifications } from '../../reference/verifier/arbitraries.ts';

// A limited number of continual instances with Renyi or trade-off guarantees, some of which may start to differ late.

const continual = { kind: 'continual' } as const;
const finite = { setting: { finiteCommunication: 'stated' } } as const;

describe('of l copies of any finite mechanism, k of which may differ', () => {
  const games = fc.record({
    mechanism: mechanisms.map((description) => new FiniteMechanism(description)),
    verification: verifications.map((description) => new PairVerification(description)),
    copies: fc.integer({ min: 2, max: 3 }),
  });
  const most = 3_000;

  test('delta is at most that of k copies times the number of sets of k', () => {
    let looked = 0;
    fc.assert(
      fc.property(games, fc.integer({ min: 1, max: 2 }), fc.constantFrom('1', '3/2', '3'), (game, sparsity, factor) => {
        const [numerator, denominator = '1'] = factor.split('/');
        const criterion = hockeyStick(Rational.of(BigInt(numerator!), BigInt(denominator)));
        const all: Game = { ...game, sparsity, rounds: 3 };
        for (const bit of [0, 1] as const) {
          const together = new ControlFunction(all, criterion, bit, most).start();
          const some = new ControlFunction({ ...all, copies: sparsity }, criterion, bit, most).start();
          if (together === TOO_LARGE || some === TOO_LARGE) continue;
          looked++;
          const sets = Rational.of(BigInt(setsOf(game.copies, sparsity).toString()));
          expect(together.compare(some.times(sets))).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 150 },
    );
    expect(looked).toBeGreaterThan(shareOf(150));
  });

  test('the Renyi moment of one that differs is at most 1 and l times what one exceeds 1 by', () => {
    const arithmetic = new Arithmetic(20);
    let looked = 0;
    fc.assert(
      fc.property(games, fc.constantFrom('1.5', '2', '5'), (game, alpha) => {
        const criterion = renyiMoment(new Decimal(alpha), arithmetic);
        const all: Game = { ...game, sparsity: 1, rounds: 3 };
        for (const bit of [0, 1] as const) {
          const together = new ControlFunction(all, criterion, bit, most).start();
          const one = new ControlFunction({ ...all, copies: 1 }, criterion, bit, most).start();
          if (together === TOO_LARGE || one === TOO_LARGE || !one.upper.isFinite()) continue;
          looked++;
          const bound = one.upper.minus(1).times(game.copies).plus(1);
          expect(together.lower.lte(bound.times('1.0000000001'))).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
    expect(looked).toBeGreaterThanOrEqual(shareOf(25));
  });
});

describe('instances of which one may differ late', () => {
  test('of Renyi DP cost hardly more than one', () => {
    const plan = [parallel(1, rdp([[12, '0.2']], continual), { instances: 1000 })];
    const answer = planAnswer(plan, atDelta('1e-7'));
    expect(claim(answer)).toBeCloseTo(1.969682463, 8);
    expect(answer.plan?.theorems.map(({ id }) => id)).toContain('parallel-renyi-one');
    expect(answer.epsilon.lower).toBeGreaterThan(1.95);
  });

  test('of Gaussian noise with finite communication pay their curve once for each instance', () => {
    const answer = planAnswer([parallel(1, gaussian(10, continual), { instances: 1000 })], atDelta('1e-6'), finite);
    expect(claim(answer)).toBeCloseTo(0.535148231555, 9);
    expect(answer.plan?.theorems.map(({ id }) => id)).toContain('parallel-sets');
    const one = planAnswer([gaussian(10)], atEpsilon(String(claim(answer))));
    expect(one.delta.upper * 1000).toBeCloseTo(1e-6, 12);
    const delta = planAnswer(
      [parallel(1, gaussian(10, continual), { instances: 1000 })],
      atEpsilon(String(claim(answer))),
      finite,
    );
    expect(claim(delta)).toBeCloseTo(1e-6, 12);
  });

  test.each([
    ['zcdp', zcdp('0.005', continual), {}],
    ['gdp', gdp('0.1', continual), finite],
    ['gaussian', gaussian(10, continual), {}],
    [
      'rdp',
      rdp(
        [
          [4, '0.05'],
          [32, '0.3'],
        ],
        continual,
      ),
      {},
    ],
  ] as const)('never cost less than a mechanism reaches, nor more than all of them: %s', (_, entry, options) => {
    for (const instances of [2, 10, 1000]) {
      for (const query of [atDelta('1e-6'), atEpsilon('0.7')]) {
        const answer = planAnswer([parallel(1, entry, { instances })], query, options);
        const bracket = answer[query.solveFor];
        expect(bracket.lower ?? 0).toBeLessThanOrEqual(bracket.upper);
        const all = planAnswer([parallel(instances, entry, { instances })], query, options);
        expect(claim(answer)).toBeLessThanOrEqual(claim(all) * (1 + 1e-9));
        const alone = planAnswer([entry], query, options);
        expect(claim(answer)).toBeGreaterThanOrEqual(claim(alone) * (1 - 1e-9));
      }
    }
  });

  test('may stand in instances, and in parts, of which only some differ', () => {
    const query = atDelta('1e-6');
    const inner = parallel(1, gdp('0.1', continual), { instances: 10 });
    const nested = claim(planAnswer([parallel(1, inner, { instances: 100 })], query, finite));
    expect(nested).toBeCloseTo(
      claim(planAnswer([parallel(1, gdp('0.1', continual), { instances: 1000 })], query, finite)),
      9,
    );
    const users = claim(planAnswer([local(1, gdp('0.1', continual), 1000)], query, finite));
    expect(users).toBeCloseTo(nested, 9);
    const parts = claim(planAnswer([partition([inner, inner, gdp('0.05', continual)])], query, finite));
    const thirty = claim(planAnswer([parallel(1, gdp('0.1', continual), { instances: 30 })], query, finite));
    expect(parts).toBeLessThanOrEqual(thirty * (1 + 1e-9));
    expect(parts).toBeGreaterThanOrEqual(claim(planAnswer([inner], query, finite)));
  });

  test('pay beside other mechanisms', () => {
    const plan = [parallel(2, gdp('0.1', continual), { instances: 50 }), group(gdp('0.3', { kind: 'interactive' }))];
    const query = atDelta('1e-6');
    const sets = 1225;
    const curve = planAnswer([gdp('0.1', { count: 2 }), gdp('0.3')], atDelta(String(1e-6 / sets)));
    expect(claim(planAnswer(plan, query, finite))).toBeCloseTo(claim(curve), 9);
  });
});

describe('instances whose sets are paid inside a part that differs', () => {
  // The first message makes one instance differ; the others are gates that answer by RR(ln 8.594) with probability
  // 7.1527e-5 each, and the first that opens gets the differing data: 0.0641639 at epsilon 2, within 0.5-GDP each.
  const inside = parallel(2, gdp('0.5', continual), { instances: 10_000 });
  const once = (of: typeof inside) => parallel(1, of, { instances: 3, firstPairConsistent: true });

  test('are paid in a partition, and by users who run different things', () => {
    for (const parts of [
      partition([once(inside), dp('0.1')]),
      partition([once(inside), dp('0.01')]),
      users(1, once(inside), dp('0.1')),
    ]) {
      expect(planAnswer([parts], atEpsilon(2), finite).delta.upper).toBeGreaterThan(0.0641639);
    }
  });

  test('cost no less there than alone', () => {
    const alone = once(parallel(1, gdp(1, continual), { instances: 50 }));
    const cost = claim(planAnswer([alone], atEpsilon(4), finite));
    expect(cost).toBeGreaterThan(2e-3);
    expect(claim(planAnswer([partition([alone, dp('0.1')])], atEpsilon(4), finite))).toBeGreaterThanOrEqual(cost);
  });
});

describe('instances of which each pays, as neighbours are not symmetric', () => {
  const each = parallel(1, dp(1, '1e-3', continual), { instances: 10 });
  const lopsided = { setting: { symmetric: 'denied' } } as const;
  // All ten may fail: 1 - (1 - 1e-3)^10.
  const failing = 0.00995511979;

  test('pay for every instance, alone and beside others, and each total is at least what is attained', () => {
    for (const plan of [[each], [each, dp('0.01')], [local(1, dp(1, '1e-3', continual), 10), dp('0.01')]]) {
      const { delta } = planAnswer(plan, atEpsilon(1), lopsided);
      expect(delta.upper).toBeGreaterThanOrEqual(failing);
      expect(delta.lower).toBeLessThanOrEqual(delta.upper);
    }
    expect(planAnswer([each, dp('0.01')], atDelta('0.005'), lopsided).epsilon.upper).toBe(Infinity);
  });
});
