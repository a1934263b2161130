import { describe, expect, it } from 'vitest';
import { dpOptimal } from '../../src/bounds/dp-optimal/dp-optimal.ts';
import { convert, convertGuarantee, convertSpent } from '../../src/ledger/conversions.ts';
import { loss, lossAtDistance } from '../../src/ledger/loss.ts';
import type { LedgerState } from '../../src/ledger/state.ts';
import type { Deltas } from '../../src/ledger/rules/terms.ts';
import type { Query } from '../../src/privacy/curve.ts';
import { atDelta, atEpsilon, decimal, dp, gaussian, rdp, type Text } from '../mechanisms.ts';
import {
  approximateDpRule,
  basic,
  compositorTerms,
  filterTerms,
  launched,
  odometerTerms,
  opened,
  pure,
  zcdpFilter,
  zcdpOptimalRule,
} from './helpers.ts';

const AT: Query = { solveFor: 'epsilon', delta: decimal('1e-6') };
const sequential = { concurrency: 'sequential' } as const;
const spent = (state: LedgerState, query: Query = AT) => convertSpent(state.terms, loss(state), query);

describe('what was spent, as (epsilon, delta)-DP', () => {
  it.each<[string, LedgerState]>([
    ['pure', launched(pure(1), dp('0.1'))],
    ['zcdp', launched(zcdpFilter(1), gaussian(4))],
    ['gdp', launched(opened(odometerTerms({ id: 'gdp' })), gaussian(4))],
    ['rdp', launched(opened(odometerTerms({ id: 'rdp', alpha: decimal(8) })), gaussian(4))],
    ['approximate-dp', launched(opened(odometerTerms(approximateDpRule('1e-6', '5e-7'))), dp('0.1', '1e-7'))],
    ['zcdp-optimal', launched(opened(odometerTerms(zcdpOptimalRule('1e-6', '5e-7'))), dp('0.1', '1e-7'))],
    ['rdp-curve of one order', launched(opened(odometerTerms({ id: 'rdp-curve', alphas: [decimal(8)] })), gaussian(4))],
    ['basic without a delta', launched(basic(1, 0), dp('0.1'))],
    ['a compositor', opened(compositorTerms('basic', [dp('0.1')], ['0.1', 0]))],
  ])('is told where it is one number: %s', (_, state) => {
    const told = spent(state);
    if ('refusal' in told) throw new Error(told.refusal.code);
    expect(told.upper).toBeLessThanOrEqual(convert(loss(state).spent, AT).upper);
  });

  it.each<[string, LedgerState]>([
    ['rdp-curve', opened(odometerTerms({ id: 'rdp-curve', alphas: [decimal(3), decimal(33)] }))],
    ['basic', opened(odometerTerms({ id: 'basic', deltas: 'sum' }))],
    ['basic', basic(1, '1e-6')],
    [
      'approximate-rdp',
      opened(odometerTerms({ id: 'approximate-rdp', alpha: decimal(33), deltas: 'sum' }, sequential)),
    ],
    [
      'approximate-zcdp',
      opened(
        filterTerms(
          { id: 'approximate-zcdp', deltas: 'product' },
          { rho: decimal(1), delta: decimal('1e-6') },
          sequential,
        ),
      ),
    ],
  ])('is refused where it is several, also while but one of them has grown: %s', (rule, state) => {
    const refusal = { code: 'no-theorem', reason: 'several-coordinates', rule };
    expect(spent(launched(state, dp('0.01')))).toEqual({ kind: 'refused', refusal });
  });

  it('would else be less than the truth: the best conversion of either path says 0.01, and the whole has a third more', () => {
    const odometer = opened(odometerTerms({ id: 'approximate-rdp', alpha: decimal(33), deltas: 'sum' }, sequential));
    const [first, p, loss1] = [0.1, 0.6433443270158117 * (1 - 1e-4), 1.93];
    const q = p * Math.exp(-loss1);
    const divergence = (a: number, x: number, y: number): number =>
      Math.log(x ** a * y ** (1 - a) + (1 - x) ** a * (1 - y) ** (1 - a)) / (a - 1);
    const renyi = Math.max(divergence(33, p, q), divergence(33, q, p)) * (1 + 1e-12);
    const plus = launched(odometer, dp('0.1'), rdp([[33, renyi.toPrecision(17)]]));
    const minus = launched(odometer, dp('0.1'), dp(0, '0.009999'));
    const seen = [plus, minus].map(
      (state) => convert(loss(state).spent, { solveFor: 'delta', epsilon: decimal(2) }).upper,
    );
    const chance = 1 / (1 + Math.exp(-first));
    const truth = chance * (p - Math.exp(2 - first) * q) + (1 - chance) * 0.009999;
    expect(Math.max(...seen)).toBeLessThan(0.0101);
    expect(truth).toBeGreaterThan(0.0133);
  });
});

/** ln of lambda^lambda / (1 + lambda)^(1 + lambda). */
const logFactor = (lambda: number): number => lambda * Math.log(lambda) - (1 + lambda) * Math.log1p(lambda);

const GRID = Array.from({ length: 1201 }, (_, i) => 10 ** (-6 + i / 100));

/** The least value of a function of the order on a grid, and on a finer one around the best of it. */
function least(value: (lambda: number) => number): number {
  const best = GRID.reduce((a, b) => (value(b) < value(a) ? b : a));
  const around = Array.from({ length: 40_001 }, (_, i) => best * 1.03 ** (i / 20_000 - 1));
  return around.reduce((smallest, x) => Math.min(smallest, value(x)), Infinity);
}

/** The optimal conversion of rho-zCDP, in plain doubles. */
const epsilonOf = (rho: number, delta: number): number =>
  Math.max(
    0,
    least((x) => (x * (1 + x) * rho + logFactor(x) - Math.log(delta)) / x),
  );
const deltaOf = (rho: number, epsilon: number): number =>
  Math.exp(least((x) => x * (1 + x) * rho - x * epsilon + logFactor(x)));

const rhoOf = (...epsilons: readonly number[]): number => epsilons.reduce((sum, e) => sum + e * Math.tanh(e / 2), 0);
const squares = (...epsilons: readonly number[]): number => epsilons.reduce((sum, e) => sum + e * e, 0);

const upperOf = (found: ReturnType<typeof convertSpent>): number => {
  if ('refusal' in found) throw new Error(found.refusal.code);
  return found.upper;
};

const guaranteed = (state: LedgerState, query: Query): number => convertGuarantee(loss(state), query)!.upper;

/** `found` is on the safe side of `expected`, and hardly more. */
function near(found: number, expected: number): void {
  expect(found).toBeGreaterThanOrEqual(expected * (1 - 1e-6));
  expect(found).toBeLessThanOrEqual(expected * (1 + 1e-6));
}

const SIZES = [0.1, 0.05, 0.2];
const launches = SIZES.map((size) => dp(String(size)));

type Own = typeof zcdpOptimalRule | typeof approximateDpRule;
const CONVERTING: readonly (readonly [string, Own, number])[] = [
  ['zcdp-optimal', zcdpOptimalRule, rhoOf(...SIZES)],
  ['approximate-dp', approximateDpRule, squares(...SIZES) / 2],
];

describe.each(CONVERTING)('a loss that %s tells at one delta', (_, rule, rho) => {
  const filter = (deltaPrime: Text = '1e-6', deltas: Deltas = 'sum'): LedgerState =>
    opened(filterTerms(rule('1e-6', deltaPrime, deltas) as never, { epsilon: decimal(2) }));

  it.each(['1e-6', '1e-8', '1e-12', '1e-3', '0.3'])('is told at %s by the sum behind it', (delta) => {
    const states = [filter(), opened(odometerTerms(rule('1e-6')))].map((state) => launched(state, ...launches));
    for (const state of states) near(upperOf(spent(state, atDelta(delta))), epsilonOf(rho, Number(delta)));
  });

  it.each([0.3, 1, 3])('is told at epsilon %f, and so is the budget', (epsilon) => {
    const state = launched(filter(), ...launches);
    near(upperOf(spent(state, atEpsilon(epsilon))), deltaOf(rho, epsilon));
    const most = convert(loss(state).guarantee!, atEpsilon(epsilon)).upper;
    expect(guaranteed(state, atEpsilon(epsilon))).toBeLessThan(most);
  });

  it('is nothing while nothing was launched', () => {
    expect(upperOf(spent(filter(), atDelta('1e-8')))).toBe(0);
    expect(upperOf(spent(filter(), atDelta(0)))).toBe(0);
  });

  it('is not told below the share of delta that its mechanisms may have of their own, and above it without that', () => {
    for (const [deltas, share] of [
      ['sum', 4e-7],
      ['product', 4e-7 / (1 - 6e-7)],
    ] as const) {
      const state = launched(filter('6e-7', deltas), ...launches);
      for (const found of [
        (query: Query) => upperOf(spent(state, query)),
        (query: Query) => guaranteed(state, query),
      ]) {
        expect(found(atDelta('1e-8'))).toBe(Infinity);
        expect(found(atDelta('4e-7'))).toBe(Infinity);
        expect(found(atDelta('4.1e-7'))).toBeLessThan(Infinity);
      }
      for (const delta of [4.1e-7, 1e-6, 1e-4]) {
        near(upperOf(spent(state, atDelta(delta))), epsilonOf(rho, (delta - share) / (1 - share)));
      }
    }
  });

  it('is told for data further apart too', () => {
    const terms = odometerTerms(rule('1e-6'));
    const found = lossAtDistance(terms, launches, decimal(2));
    if ('refusal' in found) throw new Error(found.refusal.code);
    const doubled = SIZES.map((size) => 2 * size);
    const own = rule === zcdpOptimalRule ? rhoOf(...doubled) : squares(...doubled) / 2;
    near(upperOf(convertSpent(terms, found, atDelta('1e-8'))), epsilonOf(own, 1e-8));
  });

  it('is not told once the own deltas exceed what there is', () => {
    const state = launched(opened(odometerTerms(rule('1e-6'))), dp('0.1', '1e-7'));
    expect(upperOf(spent(state, atDelta('1e-3')))).toBe(Infinity);
  });

  it('claims no lower bound, as the rule knows none', () => {
    const state = launched(filter(), ...launches);
    for (const query of [atDelta('1e-8'), atEpsilon(1)]) {
      expect(convertGuarantee(loss(state), query)!.lower).toBeNull();
      expect(spent(state, query)).toMatchObject({ lower: null });
    }
  });
});

describe('a budget of optimal conversion', () => {
  it.each([
    ['1', '1e-6', '1e-8'],
    ['1', '1e-6', '1e-12'],
    ['0.1', '1e-10', '1e-20'],
    ['20', '1e-3', '1e-9'],
  ])('of (%s, %s) is one at delta %s too: that of the largest rho it allows', (epsilon, delta, other) => {
    const [e, d] = [Number(epsilon), Number(delta)];
    const rho = -least((x) => (logFactor(x) - x * e - Math.log(d)) / (x * (1 + x)));
    const state = opened(filterTerms(zcdpOptimalRule(delta), { epsilon: decimal(epsilon) }));
    near(guaranteed(state, atDelta(other)), epsilonOf(rho, Number(other)));
    expect(guaranteed(state, atDelta(delta))).toBeLessThanOrEqual(e);
  });
});

describe('a compositor', () => {
  const declared = [{ ...dp('0.1'), count: 100 }];
  const state = opened(compositorTerms('dp-optimal', declared, ['4.8', '1e-6']));

  it('is told at every delta by the bound that certified it', () => {
    const whole = { entries: declared, adaptivity: 'adaptive', order: 'any' } as const;
    const applied = dpOptimal.apply(whole, { exhausted: () => true });
    if ('reason' in applied) throw new Error('does not apply');
    for (const query of [atDelta('1e-6'), atDelta('1e-8'), atEpsilon(3), atEpsilon(6)]) {
      const { upper } =
        query.solveFor === 'epsilon' ? applied.curve.epsilon(query.delta) : applied.curve.delta(query.epsilon);
      near(guaranteed(state, query), upper);
      near(upperOf(spent(state, query)), upper);
    }
  });

  it('is never told above its budget', () => {
    const loose = opened(compositorTerms('basic', declared, ['11', '1e-6']));
    for (const query of [atDelta('1e-6'), atDelta('0.1'), atEpsilon(11)]) {
      const { upper } = convert(loss(loose).guarantee!, query);
      expect(guaranteed(loose, query)).toBeLessThanOrEqual(upper);
    }
  });

  it('claims no lower bound: what it declares may be less than its budget', () => {
    expect(spent(state, atDelta('1e-8'))).toMatchObject({ lower: null });
  });
});
