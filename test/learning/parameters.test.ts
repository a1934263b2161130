import { describe, expect, it } from 'vitest';
import { exactAccounting } from '../../src/learning/accounting/accounting.ts';
import { guaranteesOf } from '../../src/learning/accounting/resampling.ts';
import type { ConvexProblem, ExpertsProblem, Measure, NamedSetting, WithY } from '../../src/learning/core/setting.ts';
import { planForConvex, planForExperts, type Plan, type PlanRow } from '../../src/learning/planning/plan.ts';
import { safeRegretOfExperts } from '../../src/learning/planning/regret.ts';
import {
  namedForConvex,
  namedForExperts,
  repairedForConvex,
  repairedForExperts,
} from '../../src/learning/theorems/parameters.ts';
import { covers, lemma311, theorem32 } from '../../src/learning/theorems/theorem-3-2.ts';
import { fc } from '../reference/properties.ts';
import { d, given, MULTIPLICATIVE, near, scaled } from './helpers.ts';

const inputOf = ({ setting, delta1, delta0 }: NamedSetting<Measure, WithY>) => ({
  ...setting,
  batch: d(setting.batch),
  delta1,
  delta0,
});

const rounds = fc.oneof(
  fc.integer({ min: 1, max: 20 }),
  fc.double({ min: 1, max: 12, noNaN: true }).map((log) => Math.round(10 ** log)),
);

const experts = (): fc.Arbitrary<ExpertsProblem> =>
  fc.record({
    problem: fc.constant('ope' as const),
    rounds,
    experts: fc.integer({ min: 2, max: 100_000 }),
    epsilon: scaled(1e-6, 1000),
    delta: scaled(1e-20, 0.9),
  });

const convex = (): fc.Arbitrary<ConvexProblem> =>
  fc.record({
    problem: fc.constant('oco' as const),
    rounds,
    dimension: fc.integer({ min: 1, max: 1000 }),
    lipschitz: scaled(1e-3, 1e3),
    diameter: scaled(1e-3, 1e3),
    epsilon: scaled(1e-6, 1000),
    delta: scaled(1e-20, 0.9),
  });

describe('repaired parameters', () => {
  it('always satisfy every hypothesis of Theorem 3.2, which then gives the target', () => {
    fc.assert(
      fc.property(experts(), (problem) => {
        fc.pre(problem.rounds > 1);
        const named = given(repairedForExperts(problem));
        const theorem = theorem32(inputOf(named));
        expect(theorem.preconditions.filter(({ holds }) => !holds)).toEqual([]);
        expect(theorem.epsilon.upper).toBeLessThanOrEqual(problem.epsilon.toNumber());
        expect(theorem.delta.lower).toBeLessThanOrEqual(problem.delta.toNumber());
        expect(named.setting.fakeSwitch.lte(1)).toBe(true);
      }),
      { seed: 21, numRuns: 500 },
    );
  });

  it('do so for convex losses too, and the measure moves by no more than their eta', () => {
    fc.assert(
      fc.property(convex(), (problem) => {
        fc.pre(problem.rounds > 1);
        const named = given(repairedForConvex(problem));
        const theorem = theorem32(inputOf(named));
        expect(covers(theorem)).toBe(true);
        expect(theorem.epsilon.upper).toBeLessThanOrEqual(problem.epsilon.toNumber());
        expect(theorem.delta.lower).toBeLessThanOrEqual(problem.delta.toNumber() * (1 + 1e-9));
        expect(lemma311(named.measure, named.delta0).upper).toBeLessThanOrEqual(named.setting.eta.toNumber());
      }),
      { seed: 22, numRuns: 300 },
    );
  });

  it('are none for one round, of which T p / B is below 1 with every p that the theorem is about', () => {
    const target = { rounds: 1, epsilon: d(1), delta: d('1e-6') };
    const size = { dimension: 3, lipschitz: d(1), diameter: d(1) };
    const none = { id: 'repaired', reason: 'fake-switch-probability', fakeSwitch: 1 };
    expect(repairedForExperts({ problem: 'ope', experts: 5, ...target })).toEqual(none);
    expect(repairedForConvex({ problem: 'oco', ...size, ...target })).toEqual(none);
  });

  it('are about those of Theorem 3.10 where that is what they repair', () => {
    const problem = { problem: 'ope', rounds: 1e6, experts: 1000, epsilon: d('0.1'), delta: d('1e-8') } as const;
    const [repaired, printed] = (['repaired', 'theorem-3.10-proof'] as const).map((id) => namedForExperts(id, problem));
    if ('reason' in repaired! || 'reason' in printed!) throw new Error('no parameters');
    expect(repaired!.setting.eta.lt(printed!.setting.eta)).toBe(true);
    expect(repaired!.setting.eta.gt(printed!.setting.eta.div(5))).toBe(true);
  });
});

describe('parameters that a formula gives', () => {
  it('are none where p would be above 1', () => {
    const problem = { problem: 'ope', rounds: 4, experts: 1000, epsilon: d('0.1'), delta: d('0.5') } as const;
    expect(namedForExperts('theorem-3.10', problem)).toMatchObject({
      id: 'theorem-3.10',
      reason: 'fake-switch-probability',
    });
    const losses = { ...problem, problem: 'oco', dimension: 3, lipschitz: d(1), diameter: d(1) } as const;
    expect(namedForConvex('theorem-3.12', { ...losses, rounds: 1, epsilon: d('0.001') })).toMatchObject({
      reason: 'fake-switch-probability',
    });
  });
});

/** What is said to keep the regret from being less by one parameter alone does. */
function isAtItsLimit({ problem: { epsilon, delta } }: Plan, { audit: { setting, measure }, chosen }: PlanRow): void {
  const { limit } = chosen!;
  if (limit.by === 'one-batch') expect(setting.batch).toBe(setting.rounds);
  if (limit.by !== 'privacy') return;
  const next = limit.parameter === 'eta' ? { ...setting, eta: limit.next } : setting;
  const other =
    measure.type === 'regularised-multiplicative-weights' ? { ...measure, lambda: limit.next } : MULTIPLICATIVE;
  const { id } = chosen!.named;
  const guarantee = guaranteesOf(other, next.eta).find(({ kind }) => id.endsWith(kind))!;
  expect(exactAccounting(next, other, guarantee, 'upper').delta(epsilon).upper).toBeGreaterThan(delta.toNumber());
}

/** What must hold of every plan. */
function isSound(plan: Plan): void {
  const { problem, rows, best } = plan;
  for (const row of rows) {
    const { audit, meetsTarget, chosen } = row;
    if (chosen !== null) isAtItsLimit(plan, row);
    const least = Math.min(...audit.accounting.map(({ epsilon }) => epsilon.upper));
    expect(meetsTarget).toBe(least <= problem.epsilon.toNumber());
    if (chosen !== null) expect(meetsTarget, audit.id ?? '').toBe(true);
  }
  expect(best).not.toBeNull();
  for (const { meetsTarget, regret } of rows) {
    if (meetsTarget) expect(best!.regret).toBeLessThanOrEqual(regret);
  }
  expect(best!.chosen).not.toBeNull();
}

describe('the best parameters', () => {
  it.each([
    [1e6, 1000, '0.1', '1e-8'],
    [1e5, 100, '0.5', '1e-6'],
    [1000, 10, '5', '1e-6'],
    [100, 2, '0.01', '0.5'],
    [10, 2, '1000', '1e-300'],
    [2, 2, '1e-12', '1e-12'],
    [1, 5, '1', '1e-6'],
  ])(
    'for %d rounds of %d experts at (%s, %s) are private by exact accounting, and have the least safe regret',
    (...of) => {
      const [count, size, epsilon, delta] = of;
      isSound(planForExperts({ problem: 'ope', rounds: count, experts: size, epsilon: d(epsilon), delta: d(delta) }));
    },
  );

  it.each([
    [1e6, 10, '1', '1e-6'],
    [1e5, 100, '0.05', '1e-8'],
    [100, 2, '10', '0.1'],
    [1, 1, '1', '1e-6'],
  ])('for %d rounds of convex losses in dimension %d at (%s, %s) are so too', (count, dimension, epsilon, delta) => {
    const size = { lipschitz: d(3), diameter: d('0.5') };
    isSound(planForConvex({ problem: 'oco', rounds: count, dimension, ...size, epsilon: d(epsilon), delta: d(delta) }));
  });

  it('have less than a fifth of the regret of those in the proof of Theorem 3.10', () => {
    const plan = planForExperts({ problem: 'ope', rounds: 1e6, experts: 1000, epsilon: d('0.1'), delta: d('1e-8') });
    const safe = (id: string): number => plan.rows.find(({ audit }) => audit.id === id)?.regret ?? Infinity;
    near(safe('theorem-3.10-proof'), 103_442, 1e-4);
    // Without y another search found 15,016.
    expect(safe('without-y-bounded-range')).toBeLessThan(15_016);
    expect(safe('without-y-randomized-response')).toBeLessThan(20_300);
    expect(plan.best?.audit.id).toBe('without-y-bounded-range');
    expect(plan.rows.map(({ audit }) => audit.id)).toEqual([
      'theorem-3.10',
      'theorem-3.10-proof',
      'repaired',
      'without-y-randomized-response',
      'without-y-bounded-range',
    ]);
  });

  it.each([
    [10_000, 50, '0.5', '1e-6', 531.1],
    [10, 4, '0.3', '0.05', 6.5],
  ])('have little regret without y: for %d rounds of %d experts at (%s, %s)', (...of) => {
    const [count, size, epsilon, delta, most] = of;
    const problem = { problem: 'ope', rounds: count, experts: size, epsilon: d(epsilon), delta: d(delta) } as const;
    const { best } = planForExperts(problem);
    expect(best!.regret).toBeLessThan(most);
    expect(best!.audit.id).toBe('without-y-bounded-range');
  });

  it('are no worse than their neighbours', () => {
    const problem = { problem: 'ope', rounds: 1e5, experts: 100, epsilon: d('0.5'), delta: d('1e-6') } as const;
    for (const { chosen, audit } of planForExperts(problem).rows) {
      if (chosen === null) continue;
      const safe: number = safeRegretOfExperts(audit.setting, 100);
      for (const { regret } of chosen.others) expect(regret).toBeGreaterThan(safe * 0.98);
    }
  });

  it('are the same each time', () => {
    const problem = { problem: 'ope', rounds: 1e4, experts: 10, epsilon: d('0.2'), delta: d('1e-6') } as const;
    expect(JSON.stringify(planForExperts(problem))).toBe(JSON.stringify(planForExperts(problem)));
  });

  it.each([
    [200, 3, '2', '0.5', '1e-3', 258, 245],
    [821, 27, '1', '0.0316', '0.056', 508, 570.1],
    [100_000, 100, '1', '0.05', '1e-8', 33_200, 70_400],
  ])('for %d rounds of convex losses in dimension %d, diameter %s, use up (%s, %s)', (...of) => {
    const [rounds, dimension, diameter, epsilon, delta, safe, guessing] = of;
    const size = { lipschitz: d(1), diameter: d(diameter) };
    const plan = planForConvex({ problem: 'oco', rounds, dimension, ...size, epsilon: d(epsilon), delta: d(delta) });
    const { audit, regret, chosen } = plan.best!;
    expect(audit.accounting[0]!.epsilon.upper / Number(epsilon)).toBeGreaterThan(0.998);
    expect(chosen!.limit).toMatchObject({ by: 'privacy', parameter: 'lambda' });
    expect(regret).toBeLessThan(safe);
    near(plan.guessing, guessing, 1e-3);
  });

  it('play one expert all along where nothing else is private enough', () => {
    const { rows, best, guessing } = planForExperts({
      problem: 'ope',
      rounds: 20,
      experts: 4,
      epsilon: d('1e-9'),
      delta: d('1e-12'),
    });
    expect(best!.regret).toBe(guessing);
    expect(guessing).toBe(15);
    for (const { chosen, audit } of rows) {
      if (chosen === null) continue;
      expect(chosen.limit.by).toBe('one-batch');
      expect(audit.setting.batch).toBe(20);
    }
  });

  it('are looked for with progress', () => {
    const seen: [string, number][] = [];
    const problem = { problem: 'ope', rounds: 100, experts: 10, epsilon: d(1), delta: d('1e-6') } as const;
    planForExperts(problem, (what, share) => seen.push([what, share]));
    expect(seen.map(([what]) => what).at(-1)).toBe('without-y-bounded-range');
    expect(seen.map(([, share]) => Math.round(5 * share))).toEqual([0, 1, 2, 3, 4]);
  });
});
