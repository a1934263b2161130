import { describe, expect, test } from 'vitest';
import { createSession } from '../../../src/bounds/core/session.ts';
import { chosenPart } from '../../../src/composition/plan/chosen-part.ts';
import { pairAbove, pairBelow, type ProfilePoint } from '../../../src/composition/plan/dominating-pair.ts';
import type { FinitePairMechanism } from '../../../src/privacy/mechanism.ts';
import {
  atDelta,
  atEpsilon,
  boundedRange,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  gdp,
  laplace,
  zcdp,
} from '../../mechanisms.ts';
import { claim, group, partition, planAnswer, users } from '../../plans.ts';
import { someOf } from '../../reference/share.ts';

// Parts of which it is decided along the way which one differs, beside other mechanisms.

/** The losses of `count` randomized responses, with their probabilities. */
function losses(epsilon: number, count: number): { loss: number; mass: number }[] {
  const p = 1 / (1 + Math.exp(-epsilon));
  let weights = [1];
  for (let i = 0; i < count; i++) {
    weights = [...weights, 0].map((weight, j) => weight * p + (weights[j - 1] ?? 0) * (1 - p));
  }
  return weights.map((mass, lies) => ({ loss: (count - 2 * lies) * epsilon, mass }));
}

const deltaOf = (list: readonly { loss: number; mass: number }[], epsilon: number): number =>
  list.reduce((sum, { loss, mass }) => sum + (loss > epsilon ? -mass * Math.expm1(epsilon - loss) : 0), 0);

/** E[max over parts of delta_part(epsilon - L)], by brute force. */
const optimum = (
  rest: readonly { loss: number; mass: number }[],
  parts: readonly (readonly { loss: number; mass: number }[])[],
  epsilon: number,
): number =>
  rest.reduce((sum, { loss, mass }) => sum + mass * Math.max(...parts.map((part) => deltaOf(part, epsilon - loss))), 0);

const countries = [dp('0.3', 0, { count: 10 }), dp('1.5'), dp('0.1', 0, { count: 60 })];
const exactCountries = [losses(0.3, 10), losses(1.5, 1), losses(0.1, 60)];

describe('a partition beside other mechanisms', () => {
  const plan = [partition(countries), dp('0.05', 0, { count: 20 })];

  test.each(['0.5', '3.7'])('costs the largest profile of its parts, composed: delta at %s', (epsilon) => {
    const truth = optimum(losses(0.05, 20), exactCountries, Number(epsilon));
    const { delta } = planAnswer(plan, atEpsilon(epsilon));
    expect(delta.upper).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
    expect(delta.lower).toBeLessThanOrEqual(truth * (1 + 1e-12));
    expect(delta.upper).toBeLessThanOrEqual(truth * 1.01);
    expect(delta.lower).toBeGreaterThanOrEqual(truth * 0.98);
  });

  test('and so does its epsilon, which is far below that of its largest sums', () => {
    const { epsilon } = planAnswer(plan, atDelta('1e-6'));
    expect(epsilon.upper).toBeLessThan(3.729);
    expect(epsilon.lower).toBeGreaterThan(3.727);
    for (const [end, sign] of [
      [epsilon.upper, 1],
      [epsilon.lower ?? NaN, -1],
    ] as const) {
      expect(sign * (1e-6 - optimum(losses(0.05, 20), exactCountries, end))).toBeGreaterThanOrEqual(-1e-14);
    }
  });

  test('of users who run different things costs the same', () => {
    const local = [users(1, ...countries), dp('0.05', 0, { count: 20 })];
    expect(claim(planAnswer(local, atDelta('1e-6')))).toBeCloseTo(claim(planAnswer(plan, atDelta('1e-6'))), 9);
  });

  test('of which two differ costs the largest profile of two', () => {
    const pairs = [
      [exactCountries[0]!, exactCountries[1]!],
      [exactCountries[0]!, exactCountries[2]!],
      [exactCountries[1]!, exactCountries[2]!],
    ].map(([a, b]) =>
      a!.flatMap((one) => b!.map((other) => ({ loss: one.loss + other.loss, mass: one.mass * other.mass }))),
    );
    const answer = planAnswer([partition(countries, 2), dp('0.05', 0, { count: 20 })], atEpsilon(5));
    const truth = optimum(losses(0.05, 20), pairs, 5);
    expect(answer.delta.upper).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
    expect(answer.delta.upper).toBeLessThanOrEqual(truth * 1.2);
    expect(answer.delta.lower).toBeLessThanOrEqual(truth * (1 + 1e-12));
  });

  test('of a pair of one order of neighbours: that order cannot be chosen after answers are seen', () => {
    // The value of the whole game, every order of play and one order of neighbours for all: summed up by another program.
    const value = 0.69920701;
    const oneWay = finitePair(['0.095', '0.905'], ['0.729', '0.271'], { direction: 'fixed' });
    const { delta } = planAnswer([dp('0.8', '0.2'), partition([oneWay, dp('0.8', '0.05')])], atEpsilon('0.1'));
    expect(delta.lower).toBeLessThanOrEqual(value + 1e-8);
    expect(delta.upper).toBeGreaterThanOrEqual(value - 1e-8);
  });

  test('of two that each wait for the other, only one can be chosen last', () => {
    // The larger of the two orders of play, each choice made by what was answered before: summed up by another program.
    const value = 0.2824275826141906;
    const two = [partition([dp('0.41'), dp('0.92')]), partition([dp('0.86'), dp('0.58', '0.05')])];
    const { delta } = planAnswer([dp('0.28', '0.001'), ...two], atEpsilon('1.02'));
    expect(delta.lower).toBeLessThanOrEqual(value * (1 + 1e-12));
    expect(delta.upper).toBeGreaterThanOrEqual(value * (1 - 1e-12));
  });

  test('is not moved by company that says nothing', () => {
    for (const query of someOf([atDelta('1e-6'), atEpsilon(3)], 1)) {
      const alone = claim(planAnswer([partition(countries)], query));
      expect(claim(planAnswer([partition(countries), dp(0)], query))).toBe(alone);
      expect(claim(planAnswer([group(partition(countries), dp(0)), gaussian(1, { count: 1 })], query))).toBeGreaterThan(
        alone,
      );
    }
  });

  test.each([
    ['noise', [laplace(2, { count: 4 }), dp(2), discreteLaplace(3, 2)], [gaussian(4)]],
    ['noise without a largest loss', [gaussian(1), laplace(1)], [dp('0.1', 0, { count: 5 })]],
    ['mechanisms that may fail', [dp(1, '1e-5'), dp('0.5', '1e-4', { count: 2 })], [dp('0.2', '1e-5', { count: 3 })]],
    ['guarantees', [zcdp('0.1'), dp(1)], [laplace(4)]],
    ['bounded range', [boundedRange('0.5', { count: 4 }), dp('0.5')], [boundedRange('0.2', { count: 5 })]],
  ] as const)('costs no less than any of its parts does there, and no more than all: %s', (_, parts, rest) => {
    for (const query of [parts.length === 2 ? atDelta('1e-3') : atEpsilon('1.5')]) {
      const answer = planAnswer([partition(parts), ...rest], query, { tolerance: 1e-3 });
      const each = parts.map((part) => claim(planAnswer([part, ...rest], query, { tolerance: 1e-3 })));
      expect(claim(answer)).toBeGreaterThanOrEqual(Math.max(...each) * (1 - 2e-3));
      expect(claim(answer)).toBeLessThanOrEqual(claim(planAnswer([...parts, ...rest], query)) * (1 + 1e-9));
      expect(answer[query.solveFor].lower ?? 0).toBeLessThanOrEqual(claim(answer));
    }
  });
});

describe('the pair of a sampled profile', () => {
  const exact = (epsilon: number): number =>
    Math.max(deltaOf(losses(0.3, 10), epsilon), deltaOf(losses(1.5, 1), epsilon));
  const points = Array.from({ length: 121 }, (_, i): ProfilePoint => {
    const epsilon = (i - 60) / 20;
    return { epsilon, lower: exact(epsilon) * (1 - 1e-13), upper: exact(epsilon) * (1 + 1e-13) };
  });
  const curve = ({ p, q }: FinitePairMechanism, epsilon: number): number =>
    p.reduce((sum, mass, i) => sum + Math.max(0, mass.toNumber() - Math.exp(epsilon) * q[i]!.toNumber()), 0);
  const between = Array.from({ length: 601 }, (_, i) => (i - 300) / 90);

  test('is a pair', () => {
    for (const { p, q } of [pairAbove(points), pairBelow(points, 0.05)]) {
      for (const side of [p, q]) {
        expect(side.reduce((sum, mass) => sum.plus(mass)).toString()).toBe('1');
        expect(side.every((mass) => mass.gte(0))).toBe(true);
      }
    }
  });
  test('is nowhere below, or nowhere above it', () => {
    const [above, below] = [pairAbove(points), pairBelow(points, 0.05)];
    for (const epsilon of between) {
      expect(curve(above, epsilon)).toBeGreaterThanOrEqual(exact(epsilon) * (1 - 1e-12) - 1e-15);
      expect(curve(below, epsilon)).toBeLessThanOrEqual(exact(epsilon) * (1 + 1e-12) + 1e-15);
    }
  });
});

test('Parts whose losses are limited are sampled once in a session, whatever is asked', () => {
  const session = createSession();
  const choices = [dp('0.3', 0, { count: 2 }), laplace(2)].map((entry) => [entry]);
  const [one, other] = ['1', '0.5'].map((epsilon) => chosenPart(atEpsilon(epsilon), { session }).above(choices));
  expect(one!.mechanism).toBe(other!.mechanism);
  expect(chosenPart(atEpsilon('1'), {}).above(choices)).toStrictEqual(one);
});

test('What time cut short is not kept for whoever has more of it', () => {
  const session = createSession();
  const choices = [dp('0.3', 0, { count: 2 }), laplace(2)].map((entry) => [entry]);
  chosenPart(atEpsilon('1'), { session, exhausted: () => true }).above(choices);
  expect(chosenPart(atEpsilon('1'), { session }).above(choices)).toStrictEqual(
    chosenPart(atEpsilon('1'), {}).above(choices),
  );
});

describe('parts that hold conversations with noise', () => {
  const conversation = { kind: 'interactive' } as const;

  test.each([
    [
      'Gaussian DP beside Laplace noise',
      [gdp('0.1', { ...conversation, count: 3 }), gdp('0.1', { ...conversation, count: 3 })],
      [laplace(1, { count: 4 })],
    ],
    [
      'Gaussian noise beside Gaussian noise',
      [gaussian(2, conversation), gaussian('2.0000001', conversation)],
      [gaussian(2)],
    ],
    [
      'zCDP beside Laplace noise',
      [zcdp('0.1', conversation), zcdp('0.1000001', conversation)],
      [laplace(1, { count: 5 })],
    ],
  ])('cost no less in one list than one of them in a list: %s', (_, parts, rest) => {
    const query = atEpsilon(1);
    const listed = planAnswer([parts[0]!, ...rest], query).delta.upper;
    const { flattened } = planAnswer([partition(parts), ...rest], query).plan!;
    expect(flattened!.upper).toBeGreaterThanOrEqual(listed * (1 - 1e-9));
  });
});
