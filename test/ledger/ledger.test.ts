import { describe, expect, it } from 'vitest';
import { ledger } from '../../src/index.ts';
import { loss, lossAfter, lossAtDistance } from '../../src/ledger/loss.ts';
import { nest, toFilter, toOdometer } from '../../src/ledger/conversions.ts';
import { open, resume, theoremOf } from '../../src/ledger/open.ts';
import { check, spend } from '../../src/ledger/decide.ts';
import { type LedgerState, totalsOf, type Totals } from '../../src/ledger/state.ts';
import { RULE_IDS, type Rule, type Terms } from '../../src/ledger/rules/terms.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import {
  boundedRange,
  decimal,
  discreteGaussian,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  gdp,
  laplace,
  rdp,
  zcdp,
} from '../mechanisms.ts';
import {
  approximateDp,
  approximateDpRule,
  basic,
  codeOf,
  compositorTerms,
  filterTerms,
  howMany,
  launched,
  odometerTerms,
  opened,
  pure,
  refusalOf,
  refused,
  spentOf,
  zcdpFilter,
  zcdpOptimal,
  zcdpOptimalRule,
} from './helpers.ts';

const RULES: readonly Rule[] = [
  { id: 'pure' },
  { id: 'basic', deltas: 'product' },
  approximateDpRule('1e-5', '1e-6', 'product'),
  zcdpOptimalRule('1e-5', '1e-6'),
  { id: 'zcdp' },
  { id: 'approximate-zcdp', deltas: 'sum' },
  { id: 'rdp', alpha: decimal(8) },
  { id: 'approximate-rdp', alpha: decimal(8), deltas: 'product' },
  { id: 'rdp-curve', alphas: [decimal(2), decimal('8.5')] },
  { id: 'gdp' },
];

const odometer = (rule: Rule): LedgerState => opened(odometerTerms(rule, { concurrency: 'sequential' }));

describe('what each rule understands', () => {
  const entries: Readonly<Record<string, Entry>> = {
    dp: dp('0.1'),
    'dp-delta': dp('0.1', '1e-9'),
    'bounded-range': boundedRange('0.1'),
    laplace: laplace(10),
    'discrete-laplace': discreteLaplace(10, 1),
    'finite-pair': finitePair(['0.6', '0.4'], ['0.4', '0.6']),
    'revealing-pair': finitePair(['0.9', '0.1', 0], ['0.9', 0, '0.1']),
    gaussian: gaussian(4),
    'discrete-gaussian': discreteGaussian(4, 1),
    zcdp: zcdp('0.01'),
    gdp: gdp('0.1'),
    rdp: rdp([[16, '0.1']]),
    'low-rdp': rdp([['1.5', '0.1']]),
  };
  const PURE = ['dp', 'bounded-range', 'laplace', 'discrete-laplace', 'finite-pair'];
  const REVEALING = ['dp-delta', 'revealing-pair'];
  const GAUSSIAN = ['gaussian', 'discrete-gaussian', 'zcdp', 'gdp'];
  it.each([
    ['pure', PURE],
    ['basic', [...PURE, ...REVEALING]],
    ['approximate-dp', [...PURE, ...REVEALING]],
    ['zcdp-optimal', [...PURE, ...REVEALING, ...GAUSSIAN]],
    ['zcdp', [...PURE, ...GAUSSIAN]],
    ['approximate-zcdp', [...PURE, ...REVEALING, ...GAUSSIAN]],
    ['rdp', [...PURE, ...GAUSSIAN, 'rdp']],
    ['approximate-rdp', [...PURE, ...REVEALING, ...GAUSSIAN, 'rdp']],
    ['rdp-curve', [...PURE, ...GAUSSIAN, 'rdp']],
    ['gdp', [...PURE, 'gaussian', 'gdp']],
  ])('%s: %o', (id, understood) => {
    const state = odometer(RULES.find((rule) => rule.id === id)!);
    const accepted = Object.keys(entries).filter((name) => codeOf(spend(state, entries[name]!)) === 'accepted');
    expect(accepted.sort()).toEqual([...understood].sort());
  });
  it('says why it does not understand a mechanism, and is as it was', () => {
    const halting = opened(filterTerms({ id: 'pure' }, { epsilon: decimal(1) }, { onExcess: 'halt' }));
    const decision = refused(spend(halting, gaussian(4)));
    expect(decision.refusal).toEqual({ code: 'unverified', reason: 'wrong-measure', rule: 'pure', found: 'gaussian' });
    expect(decision.halts).toBe(false);
    expect(decision.state).toBe(halting);
    expect(refused(spend(halting, dp('0.1', '1e-9'))).refusal).toMatchObject({ reason: 'positive-delta' });
    const atEight = odometer({ id: 'rdp', alpha: decimal(8) });
    expect(refused(spend(atEight, rdp([[2, '0.1']]))).refusal).toMatchObject({ reason: 'order-too-high', alpha: '8' });
  });
  it('takes interactive zCDP beside d > 0 only one after the other', () => {
    const entry = zcdp('0.001', { kind: 'interactive' });
    const [concurrent, sequential] = (['concurrent', 'sequential'] as const).map((concurrency) =>
      spend(zcdpOptimal(1, '1e-5', '1e-6', { concurrency }), entry),
    );
    expect(refused(concurrent!).refusal).toMatchObject({ code: 'no-theorem', reason: 'open-question' });
    expect(sequential!.kind).toBe('accepted');
    expect(spend(zcdpOptimal(1, '1e-5'), entry).kind).toBe('accepted');
    expect(spend(zcdpOptimal(1, '1e-5', '1e-6'), zcdp('0.001')).kind).toBe('accepted');
  });
});

describe('totals', () => {
  const entry = dp('0.1');
  it.each(RULES)('of rule %o say all that a later decision needs', (rule) => {
    const after = launched(odometer(rule), entry, dp('0.037', 0, { count: 3 }));
    const totals = JSON.parse(JSON.stringify(totalsOf(after))) as Totals;
    const again = resume(after.terms, totals)!;
    expect(totalsOf(again)).toEqual(totals);
    expect(totalsOf(launched(again, entry))).toEqual(totalsOf(launched(after, entry)));
    expect(spentOf(again)).toEqual(spentOf(after));
  });
  it('of equal mechanisms are the same one by one and at once', () => {
    for (const rule of RULES) {
      const one = launched(odometer(rule), ...Array.from({ length: 12 }, () => entry));
      expect(totalsOf(one)).toEqual(totalsOf(launched(odometer(rule), { ...entry, count: 12 })));
    }
  });
  it('of another ledger, or of none, are not resumed', () => {
    const { terms } = pure(1);
    const totals = { launched: 1, spent: { epsilon: '0.1' }, halted: null };
    expect(resume(terms, totals)).not.toBeNull();
    for (const spent of [{ rho: '0.1' }, { epsilon: '0.1', rho: '0.1' }, { epsilon: '-1' }, { epsilon: 'NaN' }]) {
      expect(resume(terms, { ...totals, spent: spent })).toBeNull();
    }
    expect(resume(terms, { ...totals, launched: -1 })).toBeNull();
  });
  it('stay exact for products of ordinary ds, and have at most 120 digits after a year', () => {
    let state = basic(1000, '0.5', 'product');
    for (let i = 0; i < 3; i++) state = launched(state, dp('0.1', '1e-6'));
    expect(totalsOf(state).spent.delta).toBe('0.000002999997000001');
    for (let i = 0; i < 300; i++) state = launched(state, dp('0.1', '1.23456789e-7'));
    expect(state.spent[1]!.precision()).toBeLessThanOrEqual(120);
  });
  it('of a product never fall short of 1 - prod (1 - d_i)', () => {
    const state = launched(basic(1000, '0.5', 'product'), dp(0, '1.23456789e-7', { count: 1000 }));
    const exact = decimal(1).minus(decimal(1).minus('1.23456789e-7').pow(100));
    const hundred = launched(basic(1000, '0.5', 'product'), dp(0, '1.23456789e-7', { count: 100 }));
    expect(hundred.spent[1]!.gte(exact)).toBe(true);
    expect(hundred.spent[1]!.minus(exact).lt('1e-100')).toBe(true);
    expect(state.spent[1]!.lt('0.000123456789')).toBe(true);
  });
});

describe('a filter', () => {
  it('lets more in by the product of the d_i than by their sum', () => {
    expect(howMany(basic(10, '0.1', 'sum'), dp('0.1', '0.01'))).toBe('10');
    expect(codeOf(spend(basic(10, '0.1', 'sum'), dp('0.1', '0.01', { count: 11 })))).toBe('insufficient-budget');
    expect(howMany(basic(1, '0.28', 'product'), dp('0.1', '0.1'))).toBe('3');
    expect(howMany(basic(1, '0.271', 'product'), dp('0.1', '0.1'))).toBe('3');
    expect(howMany(basic(1, '0.27', 'product'), dp('0.1', '0.1'))).toBe('2');
  });
  it('halts for good, or refuses and goes on, as its terms say', () => {
    const halting = refused(spend(pure(1, { onExcess: 'halt' }), dp(2)));
    expect(halting.halts).toBe(true);
    expect(totalsOf(halting.state)).toEqual({ launched: 0, spent: { epsilon: '0' }, halted: 'insufficient-budget' });
    expect(codeOf(spend(halting.state, dp('0.1')))).toBe('halted');
    const refusing = refused(spend(pure(1), dp(2)));
    expect(refusing.halts).toBe(false);
    expect(codeOf(spend(refusing.state, dp('0.1')))).toBe('accepted');
  });
  it('is not halted by a check', () => {
    const state = pure(1, { onExcess: 'halt' });
    const decision = refused(check(state, dp(2)));
    expect([decision.halts, decision.state]).toEqual([false, state]);
  });
  it('runs all of several mechanisms or none', () => {
    const state = pure(1);
    const decision = refused(spend(state, dp('0.3', 0, { count: 4 })));
    expect(decision.refusal).toEqual({ code: 'insufficient-budget', coordinate: 'epsilon', total: '1.2', limit: '1' });
    expect(decision.state.launched).toBe(0);
    expect(refused(spend(pure(1, { maxMechanisms: 3 }), dp(0, 0, { count: 4 }))).refusal).toMatchObject({
      code: 'count-limit',
      asked: 4,
    });
  });
  it('checks the number of mechanisms before anything else', () => {
    const full = launched(pure(1, { maxMechanisms: 1 }), dp('0.1'));
    expect(codeOf(spend(full, gaussian(1)))).toBe('count-limit');
  });
  it.each(['halt', 'refuse'] as const)('is not blocked by one request, however little that costs (%s)', (onExcess) => {
    const empty = pure(1, { onExcess });
    const all = refused(spend(empty, dp(0, 0, { count: Number.MAX_SAFE_INTEGER })));
    expect(all.refusal).toEqual({
      code: 'unverified',
      reason: 'too-many-at-once',
      limit: 1e12,
      asked: Number.MAX_SAFE_INTEGER,
    });
    expect(all.halts).toBe(false);
    const most = launched(empty, dp(0, 0, { count: 1e12 }));
    expect(codeOf(spend(most, dp(1)))).toBe('accepted');
    expect(refused(spend(most, dp(0, 0, { count: 1e12 + 1 }))).halts).toBe(false);
    const limited = pure(1, { onExcess, maxMechanisms: 5 });
    expect(codeOf(spend(limited, dp(0, 0, { count: 1e12 + 1 })))).toBe('count-limit');
  });
  it('numbers no more mechanisms than can be told apart', () => {
    const state = pure(1, { onExcess: 'halt' });
    const late = { ...state, launched: Number.MAX_SAFE_INTEGER - 1 };
    expect(codeOf(spend(late, dp(0)))).toBe('accepted');
    const over = refused(spend(late, dp(0, 0, { count: 2 })));
    expect([over.refusal.code, over.halts]).toEqual(['count-limit', false]);
  });
  it('guarantees its budget, not what was spent', () => {
    const { guarantee, caveats } = loss(launched(pure(1), dp('0.1')));
    expect(JSON.stringify(guarantee)).toBe('{"type":"dp","epsilon":"1","delta":"0"}');
    expect(caveats).toEqual(['budget-is-the-guarantee', 'discrete-answers']);
    expect(loss(zcdpFilter(1)).caveats).toEqual(['budget-is-the-guarantee', 'adaptive-adversaries']);
  });
  it('reads no more than its budget while it is within', () => {
    const state = zcdpOptimal(1, '1e-6');
    const left = state.rule.left(state.spent);
    const full = launched(state, zcdp(left!.type === 'zcdp' ? left!.rho.toString() : 0));
    expect(spentOf(full)).toEqual({ type: 'dp', epsilon: decimal(1), delta: decimal('1e-6') });
  });
  it('answers what a launch would cost, whether or not it fits', () => {
    const state = launched(pure(1), dp('0.7'));
    const after = lossAfter(state, dp('0.7'));
    expect('spent' in after && JSON.stringify(after.spent)).toBe('{"type":"dp","epsilon":"1.4","delta":"0"}');
    expect(lossAfter(state, gaussian(1))).toMatchObject({ refusal: { code: 'unverified' } });
  });
});

describe('terms', () => {
  it.each([
    [filterTerms({ id: 'pure' }, { epsilon: decimal(-1) }), 'budget.epsilon'],
    [filterTerms({ id: 'basic', deltas: 'sum' }, { epsilon: decimal(1), delta: decimal(2) }), 'budget.delta'],
    [filterTerms(approximateDpRule('1e-6', 0), { epsilon: decimal(1) }), 'rule.deltaPrime'],
    [filterTerms(approximateDpRule('1e-6', '1e-5'), { epsilon: decimal(1) }), 'rule.deltaPrime'],
    [odometerTerms({ id: 'rdp', alpha: decimal(1) }), 'rule.alpha'],
    [odometerTerms({ id: 'rdp-curve', alphas: [decimal(3), decimal(2)] }), 'rule.alphas'],
    [odometerTerms({ id: 'rdp-curve', alphas: [] }), 'rule.alphas'],
    [filterTerms({ id: 'rdp-curve', alphas: [decimal(2), decimal(3)] }, { epsilons: [decimal(1)] }), 'budget.epsilons'],
    [filterTerms({ id: 'pure' }, { epsilon: decimal(1) }, { maxMechanisms: 0 }), 'maxMechanisms'],
    [filterTerms({ id: 'pure' }, { epsilon: decimal(1) }, { distance: decimal(0) }), 'distance'],
    [compositorTerms('dp-optimal', [], [1, 0]), 'declared'],
  ])('that contradict themselves are refused: %#', (terms, path) => {
    expect(refusalOf(terms)).toMatchObject({ code: 'invalid-terms', path });
  });
  it('name the theorem that holds', () => {
    for (const id of RULE_IDS)
      expect(theoremOf(odometer(RULES.find((rule) => rule.id === id)!).terms).reference).not.toBe('');
    expect(theoremOf(compositorTerms('dp-optimal', [dp(1)], [1, 0])).name).toContain('optimal');
  });
});

describe('a nested ledger', () => {
  const child = filterTerms({ id: 'pure' }, { epsilon: decimal('0.4') });
  it('costs its whole budget at once', () => {
    const nested = nest(pure(1), [child]);
    if (nested.kind !== 'accepted') throw new Error('refused');
    expect(spentOf(nested.parent.state)).toEqual({ type: 'dp', epsilon: decimal('0.4'), delta: decimal(0) });
    expect(nested.parent.totals.launched).toBe(1);
    expect(howMany(nested.children[0]!, dp('0.1'))).toBe('4');
  });
  it('of any measure that the parent understands may be in it', () => {
    const gaussianChild = filterTerms({ id: 'gdp' }, { mu: decimal('0.2') });
    const nested = nest(zcdpFilter('0.1'), [gaussianChild]);
    expect(nested.kind === 'accepted' && spentOf(nested.parent.state)).toEqual({ type: 'zcdp', rho: decimal('0.02') });
    expect(nest(pure(1), [gaussianChild])).toMatchObject({ refusal: { code: 'unverified', found: 'gdp' } });
    const approximate = filterTerms(
      { id: 'approximate-zcdp', deltas: 'sum' },
      { rho: decimal('0.02'), delta: decimal('1e-7') },
      { concurrency: 'sequential' },
    );
    expect(nest(zcdpFilter('0.1'), [approximate])).toMatchObject({ refusal: { reason: 'positive-delta' } });
  });
  it.each<[string, LedgerState]>([
    ...RULES.map((rule): [string, LedgerState] => [rule.id, odometer(rule)]),
    ['a compositor', opened(compositorTerms('basic', [dp('0.1')], ['0.1', 0], { concurrency: 'sequential' }))],
  ])('is not in a sequential ledger, which cannot keep it from being asked after the next launch: %s', (_, parent) => {
    const refusal = { code: 'no-theorem', reason: 'nested-in-sequential' };
    expect(nest(parent, [child])).toMatchObject({ kind: 'refused', refusal });
  });
  it('without a budget is refused', () => {
    expect(nest(pure(1), [odometerTerms({ id: 'pure' })])).toMatchObject({
      refusal: { code: 'no-theorem', reason: 'unbounded-child' },
    });
  });
  it('with other neighbours or at another distance is refused', () => {
    expect(nest(pure(1), [{ ...child, neighbours: 'replace one' }])).toMatchObject({
      refusal: { code: 'unverified', reason: 'other-neighbours' },
    });
    expect(nest(pure(1), [{ ...child, distance: decimal(2) }])).toMatchObject({
      refusal: { code: 'unverified', reason: 'other-distance' },
    });
  });
  it('keeps the budget that was paid for: it becomes no odometer, also after it was kept and read again', () => {
    const nested = nest(pure(1), [child]);
    if (nested.kind !== 'accepted') throw new Error('refused');
    const [state] = nested.children;
    const kept = resume(state!.terms, totalsOf(launched(state!, dp('0.1'))), state!.provenance);
    const refusal = { code: 'invalid-query', reason: 'nested' };
    for (const each of [state!, kept!]) expect(toOdometer(each)).toMatchObject({ kind: 'refused', refusal });
    const counting = { ...opened(odometerTerms({ id: 'pure' })), provenance: 'nested' as const };
    expect(toFilter(counting, 'pure', { epsilon: decimal(9) }, 'refuse')).toMatchObject({ refusal });
  });
  it('is not opened where the parent cannot pay', () => {
    const state = launched(pure(1), dp('0.7'));
    expect(nest(state, [child])).toMatchObject({ kind: 'refused', refusal: { code: 'insufficient-budget' } });
  });
});

describe('an odometer', () => {
  it('counts without an end, and says what a reading needs', () => {
    const state = launched(opened(odometerTerms({ id: 'zcdp' })), zcdp(100));
    expect(loss(state)).toMatchObject({ guarantee: null, caveats: ['threshold-fixed-before', 'adaptive-adversaries'] });
  });
  it('becomes a filter of its own rule, if its reading is within the budget', () => {
    const state = launched(opened(odometerTerms({ id: 'zcdp' })), zcdp('0.1'));
    const filter = toFilter(state, 'zcdp', { rho: decimal('0.2') }, 'refuse');
    if (filter.kind !== 'opened') throw new Error('refused');
    expect(filter.caveats).toContain('threshold-fixed-before');
    expect(howMany(filter.state, zcdp('0.05'))).toBe('2');
    expect(toFilter(state, 'zcdp', { rho: decimal('0.05') }, 'refuse')).toMatchObject({
      refusal: { code: 'insufficient-budget' },
    });
    expect(toFilter(state, 'pure', { epsilon: decimal(1) }, 'refuse')).toMatchObject({
      refusal: { code: 'invalid-terms' },
    });
    expect(toFilter(filter.state, 'zcdp', { rho: decimal(1) }, 'refuse')).toMatchObject({
      refusal: { code: 'invalid-query', reason: 'wrong-mode' },
    });
  });
  it('can be made of a filter that has not halted, whose budget then no longer holds', () => {
    const made = toOdometer(launched(pure(1), dp('0.7')));
    if (made.kind !== 'opened') throw new Error('refused');
    expect(made.caveats).toContain('budget-no-longer-enforced');
    expect(codeOf(spend(made.state, dp('0.7')))).toBe('accepted');
    const halted = refused(spend(pure(1, { onExcess: 'halt' }), dp(2))).state;
    expect(toOdometer(halted)).toMatchObject({ refusal: { code: 'halted' } });
    expect(toOdometer(made.state)).toMatchObject({ refusal: { code: 'invalid-query' } });
  });
});

describe('running totals', () => {
  it.each([
    ['approximate-dp', filterTerms(approximateDpRule('0.9', '1e-6', 'product'), { epsilon: decimal('1e9') })],
    ['zcdp-optimal', filterTerms(zcdpOptimalRule('0.9', '1e-6', 'product'), { epsilon: decimal('1e9') })],
    ['basic', filterTerms({ id: 'basic', deltas: 'product' }, { epsilon: decimal('1e9'), delta: decimal('0.9') })],
  ])('of %s stay short, however many mechanisms differ', (_, terms) => {
    let state = opened(terms);
    for (let i = 0; i < 400; i++) state = launched(state, dp(`0.00${i}${'37'.repeat(8)}`, `${1 + (i % 97)}.37e-9`));
    const digits = Object.values(totalsOf(state).spent).map((each) => each.length);
    expect(Math.max(...digits)).toBeLessThan(150);
  });
});

describe('a ledger at a distance', () => {
  it('charges every mechanism by its map', () => {
    const state = launched(pure(1, { distance: decimal(2) }), dp('0.1'), laplace(10));
    expect(spentOf(state)).toEqual({ type: 'dp', epsilon: decimal('0.4'), delta: decimal(0) });
    expect(
      refused(spend(pure(1, { distance: decimal(2) }), finitePair(['0.6', '0.4'], ['0.4', '0.6']))).refusal,
    ).toEqual({
      code: 'no-theorem',
      reason: 'no-map',
      found: 'finite-pair',
      distance: '2',
    });
  });
  it('can be read at another one from all that was launched', () => {
    const { terms } = approximateDp(2, '1e-5', '5e-6');
    const entries = [dp('0.1'), laplace(10, { count: 2 })];
    const twice = lossAtDistance(terms, entries, decimal(2));
    const doubled = launched(opened(odometerTerms(approximateDpRule('1e-5', '5e-6'))), dp('0.2', 0, { count: 3 }));
    expect('spent' in twice && twice.spent).toEqual(spentOf(doubled));
  });
  it('cannot be read at another one where no theorem gives the map', () => {
    const compositor = compositorTerms('dp-optimal', [dp(1)], [1, 0]);
    expect(lossAtDistance(compositor, [], decimal(2))).toMatchObject({
      refusal: { code: 'no-theorem', reason: 'no-map', found: 'compositor', distance: '2' },
    });
    expect(lossAtDistance(pure(1).terms, [dp('0.1'), 'nested-ledger'], decimal(2))).toMatchObject({
      refusal: { code: 'no-theorem', reason: 'no-map', found: 'nested-ledger', distance: '2' },
    });
  });
});

describe('a compositor', () => {
  const optimal = (declared: readonly Entry[], budget: readonly [number, string], rest = {}): Terms =>
    compositorTerms('dp-optimal', declared, budget, rest);
  it('has a budget that its bound certifies for all that is declared, or is refused', () => {
    const declared = [dp('0.01', 0, { count: 562 })];
    expect(open(optimal(declared, [1, '1e-6'])).kind).toBe('opened');
    expect(refusalOf(optimal([dp('0.01', 0, { count: 563 })], [1, '1e-6']))).toMatchObject({
      code: 'insufficient-budget',
      coordinate: 'delta',
    });
    expect(open(optimal([dp('0.1', 0, { count: 3 })], [0.3, '0'])).kind).toBe('opened');
  });
  it('lets every slot be taken as often as it was declared, in any order', () => {
    let state = opened(optimal([dp('0.1', 0, { count: 2 }), dp('0.2')], [1, '1e-6']));
    state = launched(state, dp('0.2'), dp('0.1'), dp('0.1'));
    expect(totalsOf(state).spent).toEqual({ slot0: '2', slot1: '1' });
    expect(refused(spend(state, dp('0.1'))).refusal).toMatchObject({
      code: 'insufficient-budget',
      coordinate: 'slot0',
    });
  });
  it('takes in a slot whatever is dominated by what was declared, its own slots first', () => {
    const state = opened(optimal([dp('0.2'), dp('0.1')], [1, '1e-6']));
    const one = launched(state, dp('0.1'));
    expect(totalsOf(one).spent).toEqual({ slot1: '1' });
    expect(totalsOf(launched(one, dp('0.05'))).spent).toEqual({ slot0: '1', slot1: '1' });
    expect(codeOf(spend(state, laplace(5)))).toBe('accepted');
    expect(codeOf(spend(state, laplace(4)))).toBe('unverified');
    expect(codeOf(spend(state, dp('0.2', '1e-9')))).toBe('unverified');
    expect(codeOf(spend(state, dp('0.1', 0, { kind: 'interactive' })))).toBe('unverified');
    expect(howMany(state, dp('0.1'))).toBe('2');
    expect(howMany(state, dp('0.2'))).toBe('1');
    expect(codeOf(spend(state, dp('0.1', 0, { count: 2 })))).toBe('accepted');
  });
  it('of selections uses their own optimum', () => {
    const terms = compositorTerms('br-adaptive', [boundedRange('0.1', { count: 100 })], ['2.26', '1e-6']);
    const state = opened(terms);
    expect(codeOf(spend(state, boundedRange('0.1', { count: 100 })))).toBe('accepted');
    expect(codeOf(spend(state, dp('0.1')))).toBe('unverified');
  });
  it('of noises takes the same or more noise', () => {
    const terms = compositorTerms('loss-distribution', [laplace(10, { count: 2 }), gaussian(10)], [1, '1e-6']);
    const state = opened(terms);
    expect(codeOf(spend(state, laplace(20, {}, 2)))).toBe('accepted');
    expect(codeOf(spend(state, laplace(11)))).toBe('accepted');
    expect(codeOf(spend(state, laplace(9)))).toBe('unverified');
    expect(codeOf(spend(state, gaussian(12)))).toBe('accepted');
    expect(codeOf(spend(state, gdp('0.1')))).toBe('unverified');
  });
  it('is refused where its bound does not cover what is declared', () => {
    expect(refusalOf(optimal([gaussian(1)], [1, '1e-6']))).toMatchObject({ reason: 'bound-does-not-apply' });
  });
  it('may be nested, for its budget', () => {
    const nested = nest(basic(1, '1e-5'), [optimal([dp('0.1', 0, { count: 9 })], [0.9, '0'])]);
    expect(nested.kind === 'accepted' && JSON.stringify(spentOf(nested.parent.state))).toBe(
      '{"type":"dp","epsilon":"0.9","delta":"0"}',
    );
  });
});

describe('the library', () => {
  it('exports the same functions', () => {
    const { open: start, spend: charge, loss: read } = ledger;
    const begun = start(filterTerms({ id: 'pure' }, { epsilon: decimal('0.3') }));
    if (begun.kind !== 'opened') throw new Error('refused');
    const decision = charge(begun.state, dp('0.1', 0, { count: 3 }));
    expect(decision.kind === 'accepted' && JSON.stringify(read(decision.state).spent)).toBe(
      '{"type":"dp","epsilon":"0.3","delta":"0"}',
    );
  });
});
