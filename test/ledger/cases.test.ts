import { describe, expect, it } from 'vitest';
import { adaptiveCounterexample } from '../../src/ledger/rules/adaptive-counterexample.ts';
import { convert, nest, toFilter } from '../../src/ledger/conversions.ts';
import { loss, lossAtDistance, remaining } from '../../src/ledger/loss.ts';
import { epsilonOfSquares, largestSquareSum, largestRho } from '../../src/ledger/rules/converting-rules.ts';
import { check, spend } from '../../src/ledger/decide.ts';
import type { LedgerState, Decision, Refused } from '../../src/ledger/state.ts';
import type { Opened } from '../../src/ledger/open.ts';
import { atDelta, atEpsilon, decimal, dp, gaussian, gdp, laplace, rdp, zcdp, type Text } from '../mechanisms.ts';
import {
  acceptedInARow,
  approximateDp,
  approximateDpRule,
  basic,
  codeOf,
  compositorTerms,
  epsilonSpent,
  filterTerms,
  howMany,
  largestNext,
  launched,
  odometerTerms,
  opened,
  pure,
  refusalOf,
  refused,
  spentOf,
  zcdpFilter,
  zcdpOptimal,
} from './helpers.ts';

const near = (actual: number, expected: number): void => {
  expect(Math.abs(actual / expected - 1)).toBeLessThan(5e-14);
};

const odometer = (delta: Text, deltaPrime: Text): LedgerState =>
  opened(odometerTerms(approximateDpRule(delta, deltaPrime)));

/** The launches of A-10. */
const TRACE = [dp('0.1'), dp('0.2', '1e-6'), dp('0.3', '1e-6'), dp('0.1', '3e-6'), dp('0.05', '1e-6')];

describe('the filter and the odometer of approximate differential privacy', () => {
  it('A-01 reads 2.0368103508549056 after 0.1, 0.2 and 0.3', () => {
    near(epsilonSpent(launched(odometer('1e-6', '1e-6'), dp('0.1'), dp('0.2'), dp('0.3'))), 2.0368103508549056);
  });
  it('A-02 depends on the sum of squares alone: four times 0.25 read as one 0.5', () => {
    const four = launched(odometer('1e-5', '1e-5'), dp('0.25', 0, { count: 4 }));
    const one = launched(odometer('1e-5', '1e-5'), dp('0.5'));
    expect(spentOf(four)).toEqual(spentOf(one));
    near(epsilonSpent(one), 2.5242629560940406);
  });
  it('A-03 has room for squares up to 2 (sqrt(L + 1) - sqrt(L))^2', () => {
    near(largestSquareSum(decimal(1), decimal('1e-6')).toNumber(), 0.034937809538246864);
  });
  it('A-04 accepts 349 launches of 0.01 in a budget of (1, 1e-6), and refuses the 350th', () => {
    const start = approximateDp(1, '1e-6');
    expect(acceptedInARow(start, dp('0.01'))).toBe(349);
    const full = launched(start, dp('0.01', 0, { count: 349 }));
    expect(codeOf(spend(full, dp('0.01')))).toBe('insufficient-budget');
    expect(epsilonSpent(full)).toBeCloseTo(0.99944931, 8);
    expect(epsilonOfSquares(decimal('0.035'), decimal('1e-6')).toNumber()).toBeCloseTo(1.00090518, 8);
  });
  it.each([
    ['0.02', 87, 50],
    ['0.05', 13, 20],
    ['0.1', 3, 10],
  ])('A-05 of launches of %s accepts %i, and basic composition %i', (each, accepted, byBasic) => {
    expect(acceptedInARow(approximateDp(1, '1e-6'), dp(each))).toBe(accepted);
    expect(howMany(approximateDp(1, '1e-6'), dp(each))).toBe(String(accepted));
    expect(acceptedInARow(pure(1), dp(each))).toBe(byBasic);
    expect(howMany(pure(1), dp(each))).toBe(String(byBasic));
  });
  it('A-06 leaves 0.1579170970422356 for the next one after 0.1, rounded down', () => {
    const state = launched(approximateDp(1, '1e-6'), dp('0.1'));
    const next = largestNext(state, { type: 'dp', delta: decimal(0) });
    expect(next.toSignificantDigits(15, 1).toString()).toBe('0.157917097042235');
    expect(codeOf(check(state, dp(next.toString())))).toBe('accepted');
    expect(codeOf(check(state, dp(next.plus('1e-20').toString())))).toBe('insufficient-budget');
  });
  it('A-07 accepts 0.1 in a budget of 1, which the printed inequality would refuse', () => {
    near(epsilonSpent(launched(approximateDp(1, '1e-6'), dp('0.1'))), 0.5306521769756932);
  });
  it('A-08 counts the d_i exactly: five of 1e-7 beside a conversion of 5e-7 are 1e-6', () => {
    const five = launched(approximateDp(1, '1e-6', '5e-7'), dp('0.01', '1e-7', { count: 5 }));
    expect(refused(spend(five, dp('0.01', '1e-7'))).refusal).toMatchObject({
      code: 'insufficient-budget',
      coordinate: 'delta',
      total: '0.0000011',
    });
    expect(codeOf(spend(five, dp('0.01')))).toBe('accepted');
  });
  it('A-10 follows the trace of five launches in a budget of (2, 1e-5)', () => {
    let state = approximateDp(2, '1e-5', '5e-6');
    const read = TRACE.slice(0, 4).map((entry) => {
      state = launched(state, entry);
      return [epsilonSpent(state).toFixed(8), state.spent[1]!.toString()];
    });
    expect(read).toEqual([
      ['0.49908648', '0.000005'],
      ['1.12981096', '0.000006'],
      ['1.91870234', '0.000007'],
      ['1.98858872', '0.00001'],
    ]);
    expect(codeOf(spend(state, TRACE[4]!))).toBe('insufficient-budget');
    expect(epsilonOfSquares(decimal('0.1525'), decimal('5e-6')).toNumber()).toBeCloseTo(2.0057194, 8);
  });
  it('A-11 after a refusal goes on with what fits, or has halted, as the terms say', () => {
    const after = (onExcess: 'refuse' | 'halt'): Decision => {
      const state = launched(approximateDp(2, '1e-5', '5e-6', { onExcess }), ...TRACE.slice(0, 4));
      return spend(refused(spend(state, TRACE[4]!)).state, dp('0.04'));
    };
    const [refusing, halting] = [after('refuse'), after('halt')];
    expect(refusing.kind).toBe('accepted');
    near(epsilonSpent(refusing.state), 1.9995674563534829);
    expect(refused(halting).refusal).toEqual({ code: 'halted', because: 'insufficient-budget' });

    const before = launched(approximateDp(2, '1e-5', '5e-6'), ...TRACE.slice(0, 4));
    near(largestSquareSum(decimal(2), decimal('5e-6')).toNumber(), 0.151663198399602);
    expect(largestNext(before, { type: 'dp', delta: decimal(0) }).toNumber()).toBeCloseTo(0.0407823295, 10);
  });
  it('A-13 as an odometer reads (Infinity, Infinity) once the d_i exceed their share', () => {
    const one = launched(odometer('1e-6', '5e-7'), dp('0.1', '3e-7'));
    expect(spentOf(one)).toMatchObject({ delta: decimal('1e-6') });
    const two = launched(one, dp('0.1', '3e-7'));
    expect(JSON.stringify(spentOf(two))).toBe('{"type":"dp","epsilon":"Infinity","delta":"Infinity"}');
  });
  it('A-14 as a filter made from an odometer accepts and refuses what the filter does', () => {
    const converted = (state: LedgerState): Opened | Refused =>
      toFilter(state, 'approximate-dp', { epsilon: decimal(2) }, 'refuse');
    let reading = odometer('1e-5', '5e-6');
    let filter = approximateDp(2, '1e-5', '5e-6');
    for (const entry of TRACE) {
      const decision = spend(filter, entry);
      reading = launched(reading, entry);
      expect(converted(reading).kind === 'opened').toBe(decision.kind === 'accepted');
      filter = decision.state;
    }
    expect(converted(reading)).toMatchObject({ refusal: { code: 'insufficient-budget' } });
  });
  it('A-22 nested costs more than flat: two children of eight 0.05 each', () => {
    const child = launched(odometer('2.5e-7', '2.5e-7'), dp('0.05', 0, { count: 8 }));
    expect(epsilonSpent(child)).toBeCloseTo(0.7897898414, 10);
    const budget = { epsilon: decimal('0.7897898414') };
    const terms = filterTerms(approximateDpRule('2.5e-7'), budget);
    const first = nest(odometer('1e-6', '5e-7'), [terms]);
    const second = first.kind === 'accepted' ? nest(first.parent.state, [terms]) : first;
    expect(second.kind === 'accepted' && epsilonSpent(second.parent.state)).toBeCloseTo(6.6404236518, 8);
    expect(epsilonSpent(launched(odometer('1e-6', '1e-6'), dp('0.05', 0, { count: 16 })))).toBeCloseTo(1.071304354, 9);
    expect(epsilonSpent(launched(pure('0.8'), dp('0.05', 0, { count: 16 })))).toBe(0.8);
  });
});

describe('rules that add up', () => {
  it('A-09 fit 0.1 three times into 0.3, and then nothing more', () => {
    const full = launched(pure('0.3'), dp('0.1'), dp('0.1'), dp('0.1'));
    expect(spentOf(full)).toEqual({ type: 'dp', epsilon: decimal('0.3'), delta: decimal(0) });
    expect(codeOf(spend(full, dp('1e-9')))).toBe('insufficient-budget');
    expect(codeOf(spend(full, dp(0)))).toBe('accepted');
  });
  it('A-15 take a loss within a budget in both coordinates, equality included', () => {
    const within = (spent: readonly [Text, Text], budget: readonly [Text, Text]): boolean => {
      const state = launched(opened(odometerTerms({ id: 'basic', deltas: 'sum' })), dp(...spent));
      const [epsilon, delta] = [decimal(budget[0]), decimal(budget[1])];
      return toFilter(state, 'basic', { epsilon, delta }, 'refuse').kind === 'opened';
    };
    expect(within(['0.5', '1e-6'], [1, '1e-7'])).toBe(false);
    expect(within([1, '1e-6'], [1, '1e-6'])).toBe(true);
  });
  it('A-16 read 0, 1.5 and 3 at order 3 after Gaussian noise of sigma 1, of which a budget of 2 takes one', () => {
    const rule = { id: 'rdp', alpha: decimal(3) } as const;
    const start = opened(odometerTerms(rule));
    const readings = [start, launched(start, gaussian(1)), launched(start, gaussian(1), gaussian(1))].map(spentOf);
    expect(JSON.stringify(readings.map((each) => each.type === 'rdp' && each.orders[0]!.epsilon))).toBe(
      '["0","1.5","3"]',
    );
    expect(acceptedInARow(opened(filterTerms(rule, { epsilon: decimal(2) })), gaussian(1))).toBe(1);
  });
  it('A-17 take every map at a distance of 2', () => {
    const two = decimal(2);
    const at = (terms: Parameters<typeof lossAtDistance>[0], entry: Parameters<typeof spend>[1]) => {
      const answer = lossAtDistance(terms, [entry], two);
      return 'spent' in answer ? JSON.stringify(answer.spent) : answer.refusal.code;
    };
    expect(at(odometerTerms({ id: 'pure' }), laplace(2))).toBe('{"type":"dp","epsilon":"1","delta":"0"}');
    expect(at(odometerTerms({ id: 'zcdp' }), gaussian(2))).toBe('{"type":"zcdp","rho":"0.5"}');
    expect(at(odometerTerms({ id: 'rdp', alpha: decimal(3) }), gaussian(1))).toBe(
      '{"type":"rdp","orders":[{"alpha":"3","epsilon":"6"}]}',
    );
  });
  it('A-18 leave a rho of 0.05 of 0.1, and convert the budget', () => {
    const state = launched(zcdpFilter('0.1'), zcdp('0.02'), zcdp('0.03'));
    const left = remaining(state, { form: 'left' });
    expect(JSON.stringify(left)).toBe('{"form":"left","left":{"type":"zcdp","rho":"0.05"}}');
    near(convert(loss(state).guarantee!, atDelta('1e-6')).upper, 2.1419389283854735);
    // rho + 2 sqrt(rho L), what the rule of approximate DP converts with
    near(epsilonOfSquares(decimal('0.2'), decimal('1e-6')).toNumber(), 2.4507880004767997);
  });
  it('A-19 convert a Renyi epsilon of 0.4 at order 8', () => {
    const state = opened(filterTerms({ id: 'rdp', alpha: decimal(8) }, { epsilon: decimal('0.4') }));
    near(convert(loss(state).guarantee!, atDelta('1e-6')).upper, 1.9430498954161113);
  });
  it.each(['refuse', 'halt'] as const)('A-20 refuse the third of at most two mechanisms (%s)', (onExcess) => {
    const two = launched(pure(1, { maxMechanisms: 2, onExcess }), dp('0.1'), dp('0.1'));
    const third = refused(spend(two, dp('0.1')));
    expect(third.refusal).toEqual({ code: 'count-limit', limit: 2, launched: 2, asked: 1 });
    expect(third.halts).toBe(onExcess === 'halt');
    expect(codeOf(spend(third.state, dp('0.1')))).toBe(onExcess === 'halt' ? 'halted' : 'count-limit');
  });
  it('A-21 cost the same nested and flat: two children of eight noises of 0.05 each', () => {
    const child = filterTerms({ id: 'zcdp' }, { rho: decimal('0.01') });
    const first = nest(zcdpFilter('0.02'), [child]);
    const second = first.kind === 'accepted' ? nest(first.parent.state, [child]) : first;
    if (second.kind !== 'accepted') throw new Error('refused');
    expect(spentOf(second.parent.state)).toEqual({ type: 'zcdp', rho: decimal('0.02') });
    expect(acceptedInARow(second.children[0]!, gaussian(20))).toBe(8);
    expect(acceptedInARow(zcdpFilter('0.02'), gaussian(20))).toBe(16);
    expect(codeOf(spend(second.parent.state, gaussian(20)))).toBe('insufficient-budget');
  });
  it('A-23 charge parallel children once, for the largest of them', () => {
    const child = (epsilon: Text) => filterTerms({ id: 'pure' }, { epsilon: decimal(epsilon) });
    const nested = nest(pure('0.5'), [child('0.3'), child('0.5'), child('0.2')]);
    if (nested.kind !== 'accepted') throw new Error('refused');
    expect(spentOf(nested.parent.state)).toEqual({ type: 'dp', epsilon: decimal('0.5'), delta: decimal(0) });
    expect(nested.children).toHaveLength(3);
    expect(nested.parent.caveats).toContain('disjoint-parts');
  });
  it('A-24 guarantee the trade-off curve of their budget', () => {
    const guarantee = loss(basic(1, '0.01')).guarantee!;
    // The type II error is the largest 1 - delta(eps) - e^eps alpha, over all real eps.
    const f = (alpha: number): number =>
      Math.max(0, ...[-1, 0, 1].map((eps) => 1 - convert(guarantee, atEpsilon(eps)).upper - Math.exp(eps) * alpha));
    const fixed = 0.26625200715629516;
    const values = [0, 0.1, 0.5, 0.99, 1, fixed].map(f);
    [0.99, 0.7181718171540954, 0.18026092617400674, 0, 0, fixed].forEach((expected, i) => {
      expect(values[i]).toBeCloseTo(expected, 14);
    });
  });
  it('A-28 fit 25 mechanisms of 0.1-Gaussian privacy into 0.5, whose delta(1) is 0.00683', () => {
    const state = opened(filterTerms({ id: 'gdp' }, { mu: decimal('0.5') }));
    expect(acceptedInARow(state, gdp('0.1'))).toBe(25);
    near(convert(loss(state).guarantee!, atEpsilon(1)).upper, 0.006829594983114591);
  });
  it('A-30 let two callers both check, but only one spend from the same budget', () => {
    const state = pure(1);
    expect([codeOf(check(state, dp('0.6'))), codeOf(check(state, dp('0.6')))]).toEqual(['accepted', 'accepted']);
    const first = spend(state, dp('0.6'));
    expect([codeOf(first), codeOf(spend(first.state, dp('0.6')))]).toEqual(['accepted', 'insufficient-budget']);
  });
});

describe('rules for fixed parameters', () => {
  it('A-25 are refused where parameters are adaptively chosen, with a run that breaks them', () => {
    for (const mode of ['filter', 'odometer'] as const) {
      for (const bound of ['dp-optimal', 'advanced-kov', 'loss-distribution'] as const) {
        expect(refusalOf({ mode, bound })).toMatchObject({ code: 'no-theorem', reason: 'adaptive-parameters', bound });
      }
    }
    const { branches, truth, budget } = adaptiveCounterexample();
    expect(branches.map(({ seen }) => seen.upper.toFixed(10))).toEqual(['0.0499722257', '0.0496805808']);
    expect(truth.lower.toFixed(10)).toBe('0.0698594987');
    expect(branches.every(({ seen }) => budget.delta.gte(seen.upper))).toBe(true);
    expect(budget.delta.lt(truth.lower)).toBe(true);
  });
  it('A-25 are broken at (2, 0.05) too', () => {
    const { branches, truth } = adaptiveCounterexample({
      epsilon: decimal(2),
      delta: decimal('0.05'),
      first: decimal('0.1'),
      plus: { epsilon: decimal('2.014'), count: 1 },
      minus: { epsilon: decimal('0.538'), count: 5 },
    });
    expect(branches.map(({ seen }) => seen.upper.toFixed(7))).toEqual(['0.0499026', '0.0499965']);
    expect(truth.lower.toFixed(7)).toBe('0.0711385');
  });
  it('A-25 are allowed where all parameters are declared at the start', () => {
    const declared = [dp('0.1', 0, { count: 10 })];
    const state = opened(compositorTerms('dp-optimal', declared, [1, '1e-6']));
    expect(acceptedInARow(state, dp('0.1'))).toBe(10);
  });
});

describe('the zCDP filter with optimal conversion', () => {
  it.each([
    [1, '1e-6', 0.024355970359538],
    ['0.5', '1e-8', 0.004578181040251],
    [2, '1e-5', 0.108256363823057],
  ])('A-27 has a rho of %s, %s of %d', (epsilon, delta, expected) => {
    expect(Math.abs(largestRho(decimal(epsilon), decimal(delta)).toNumber() / expected - 1)).toBeLessThan(1e-12);
  });
  it.each([
    ['0.01', 487],
    ['0.02', 121],
    ['0.05', 19],
    ['0.1', 4],
  ])('A-27 accepts, of launches of %s in a budget of (1, 1e-6), %i', (each, count) => {
    expect(acceptedInARow(zcdpOptimal(1, '1e-6'), dp(each))).toBe(count);
  });
});

describe('open questions', () => {
  it.each([
    [{ id: 'approximate-zcdp', deltas: 'sum' } as const, { rho: decimal('0.1'), delta: decimal('1e-6') }],
    [
      { id: 'approximate-rdp', alpha: decimal(8), deltas: 'sum' } as const,
      { epsilon: decimal('0.4'), delta: decimal('1e-6') },
    ],
  ])('A-29 are refused concurrently and allowed sequentially: %o', (rule, budget) => {
    const terms = (concurrency: 'concurrent' | 'sequential') =>
      filterTerms<'approximate-zcdp' | 'approximate-rdp'>(rule, budget, { concurrency });
    expect(refusalOf(terms('concurrent'))).toEqual({ code: 'no-theorem', reason: 'open-question', measure: rule.id });
    expect(opened(terms('sequential')).launched).toBe(0);
  });
});

describe('TC-29: the verification function of Definition 12.2 as a filter over continual mechanisms', () => {
  const continual = { kind: 'continual' } as const;

  it('adds epsilons and deltas: three of (0.3, 2e-6) within (1, 1e-5), the fourth ends it', () => {
    const each = dp('0.3', '2e-6', continual);
    const three = launched(basic(1, '1e-5', 'sum', { onExcess: 'halt' }), each, each, each);
    expect(spentOf(three)).toMatchObject({ epsilon: decimal('0.9'), delta: decimal('6e-6') });
    const fourth = refused(spend(three, each));
    expect(codeOf(fourth)).toBe('insufficient-budget');
    expect(codeOf(spend(fourth.state, dp('0.01', 0, continual)))).toBe('halted');
  });

  it('multiplies survivals: three of (0.1, 0.1) within (1, 0.28)', () => {
    const each = dp('0.1', '0.1', continual);
    expect(acceptedInARow(basic(1, '0.28', 'product'), each)).toBe(3);
    expect(acceptedInARow(basic(1, '0.28', 'sum'), each)).toBe(2);
  });

  it('adds Renyi epsilons at one order: 0.4 and 0.4 within 1 at order 8, not 0.3 more', () => {
    const filter = opened(filterTerms({ id: 'rdp', alpha: decimal(8) }, { epsilon: decimal(1) }));
    const twice = launched(filter, rdp([[8, '0.4']], continual), rdp([[8, '0.4']], continual));
    expect(codeOf(spend(twice, rdp([[8, '0.3']], continual)))).toBe('insufficient-budget');
    expect(codeOf(spend(twice, rdp([[8, '0.2']], continual)))).toBe('accepted');
  });
});
