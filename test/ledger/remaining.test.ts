import { describe, expect, it } from 'vitest';
import { remaining, type OpenMechanism } from '../../src/ledger/loss.ts';
import { check, spend } from '../../src/ledger/decide.ts';
import type { LedgerState } from '../../src/ledger/state.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import type { Entry, Mechanism } from '../../src/privacy/mechanism.ts';
import { boundedRange, decimal, dp, gaussian, gdp, laplace, rdp, zcdp } from '../mechanisms.ts';
import { fc } from '../reference/properties.ts';
import {
  approximateDp,
  approximateDpRule,
  basic,
  compositorTerms,
  filterTerms,
  howMany,
  largestNext,
  launched,
  odometerTerms,
  opened,
  pure,
  refused,
  zcdpFilter,
  zcdpOptimal,
} from './helpers.ts';

const zero = decimal(0);
const curve = { id: 'rdp-curve', alphas: [decimal(2), decimal(8)] } as const;

const FILTERS: Readonly<Record<string, () => LedgerState>> = {
  pure: () => pure(1),
  basic: () => basic(1, '1e-3', 'product'),
  'approximate-dp': () => approximateDp(1, '1e-6', '5e-7'),
  'zcdp-optimal': () => zcdpOptimal(1, '1e-6', '5e-7'),
  zcdp: () => zcdpFilter('0.1'),
  rdp: () => opened(filterTerms({ id: 'rdp', alpha: decimal(8) }, { epsilon: decimal('0.4') })),
  'rdp-curve': () => opened(filterTerms(curve, { epsilons: [decimal('0.1'), decimal('0.4')] })),
  gdp: () => opened(filterTerms({ id: 'gdp' }, { mu: decimal('0.5') })),
};

const families: readonly [OpenMechanism, (x: Decimal) => Mechanism][] = [
  [{ type: 'dp', delta: zero }, (epsilon) => ({ type: 'dp', epsilon, delta: zero })],
  [{ type: 'bounded-range' }, (epsilon) => ({ type: 'bounded-range', epsilon })],
  [{ type: 'zcdp' }, (rho) => ({ type: 'zcdp', rho })],
  [{ type: 'gdp' }, (mu) => ({ type: 'gdp', mu })],
  [{ type: 'rdp', alpha: decimal(8) }, (epsilon) => ({ type: 'rdp', orders: [{ alpha: decimal(8), epsilon }] })],
  [{ type: 'laplace', sensitivity: decimal(1) }, (scale) => ({ type: 'laplace', scale, sensitivity: decimal(1) })],
  [{ type: 'gaussian', sensitivity: decimal(1) }, (sigma) => ({ type: 'gaussian', sigma, sensitivity: decimal(1) })],
];

const entryOf = (mechanism: Mechanism): Entry => ({ mechanism, kind: 'noninteractive', count: 1, label: null });
const unit = (x: Decimal): Decimal => new Decimal(`1e${x.e - Math.max(19, x.precision() - 1)}`);

describe.each(Object.keys(FILTERS))('what remains of %s', (name) => {
  const start = FILTERS[name]!();
  const state = check(start, dp('0.03')).kind === 'accepted' ? launched(start, dp('0.03')) : start;

  it.each(families)('is a largest %o that fits while the next larger does not', (open, at) => {
    const answer = remaining(state, { form: 'next', mechanism: open, kind: 'noninteractive' });
    if (!('form' in answer)) {
      expect(answer.refusal.code).toBe('unverified');
      return;
    }
    if (answer.form !== 'next' || answer.value === 'any') throw new Error(JSON.stringify(answer));
    const { parameter, value } = answer;
    const larger = parameter === 'scale' || parameter === 'sigma' ? value.minus(unit(value)) : value.plus(unit(value));
    expect(check(state, entryOf(at(value))).kind).toBe('accepted');
    expect(refused(check(state, entryOf(at(larger)))).refusal.code).toBe('insufficient-budget');
  });

  it('is a number of equal mechanisms of which one more is refused', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }).map((n) => dp(new Decimal(n).div(1000).toString())),
        (entry) => {
          const count = Number(howMany(state, entry));
          expect(count === 0 || check(state, { ...entry, count }).kind === 'accepted').toBe(true);
          expect(check(state, { ...entry, count: count + 1 }).kind).toBe('refused');
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('what remains', () => {
  it('of a sum is exact, with all its digits', () => {
    const state = launched(pure('0.3'), dp('0.1'));
    expect(largestNext(state, { type: 'dp', delta: zero }).toString()).toBe('0.2');
    const long = '0.12345678901234567890123456789';
    expect(largestNext(launched(pure(1), dp(long)), { type: 'dp', delta: zero }).toString()).toBe(
      decimal(1).minus(long).toString(),
    );
    expect(largestNext(zcdpFilter('0.1'), { type: 'zcdp' }).toString()).toBe('0.1');
    expect(largestNext(pure('0.3'), { type: 'laplace', sensitivity: decimal(3) }).toString()).toBe('10');
  });
  it('of a d is counted too', () => {
    expect(howMany(basic(100, '1e-5'), dp('0.1', '1e-6'))).toBe('10');
    expect(howMany(approximateDp(1, '1e-6', '5e-7'), dp('0.0001', '1e-7'))).toBe('5');
    const full = launched(basic(1, '1e-6'), dp('0.1', '1e-6'));
    const next = remaining(full, {
      form: 'next',
      mechanism: { type: 'dp', delta: decimal('1e-7') },
      kind: 'noninteractive',
    });
    expect(next).toMatchObject({ refusal: { code: 'insufficient-budget', coordinate: 'delta' } });
  });
  it('may have no end', () => {
    expect(howMany(pure(1), dp(0))).toBe('any');
    expect(howMany(pure(1, { maxMechanisms: 7 }), dp(0))).toBe('7');
    const spent = launched(pure(1), dp(1));
    expect(largestNext(spent, { type: 'dp', delta: zero }).toString()).toBe('0');
  });
  it('is nothing where the ledger has halted, and no question where there is no budget', () => {
    const halted = refused(spend(pure(1, { onExcess: 'halt' }), dp(2))).state;
    expect(remaining(halted, { form: 'how-many', entry: dp('0.1') })).toMatchObject({ refusal: { code: 'halted' } });
    const odometer = opened(odometerTerms(approximateDpRule('1e-6')));
    expect(remaining(odometer, { form: 'left' })).toMatchObject({ refusal: { reason: 'no-budget' } });
  });
  it('in the rule itself is a guarantee that one more may have', () => {
    const left = (state: LedgerState): string => {
      const answer = remaining(state, { form: 'left' });
      return 'form' in answer && answer.form === 'left' ? JSON.stringify(answer.left) : '';
    };
    expect(left(launched(basic(1, '1e-5'), dp('0.3', '1e-6')))).toBe(
      '{"type":"dp","epsilon":"0.7","delta":"0.000009"}',
    );
    expect(left(launched(FILTERS['rdp-curve']!(), zcdp('0.01')))).toBe(
      '{"type":"rdp","orders":[{"alpha":"2","epsilon":"0.08"},{"alpha":"8","epsilon":"0.32"}]}',
    );
    expect(left(launched(FILTERS.gdp!(), gdp('0.3')))).toBe('{"type":"gdp","mu":"0.4"}');
  });
  it('of a compositor are its free slots', () => {
    const state = opened(compositorTerms('dp-optimal', [dp('0.1', 0, { count: 3 }), dp('0.2')], [1, '1e-6']));
    expect(howMany(state, dp('0.1'))).toBe('4');
    expect(largestNext(state, { type: 'dp', delta: zero }).toString()).toBe('0.2');
    expect(remaining(state, { form: 'left' })).toMatchObject({ refusal: { reason: 'no-budget' } });
  });
  it('of what cannot be mapped is refused with the reason', () => {
    expect(remaining(pure(1), { form: 'how-many', entry: gaussian(1) })).toMatchObject({
      refusal: { code: 'unverified' },
    });
    expect(remaining(pure(1), { form: 'how-many', entry: rdp([[2, 1]]) })).toMatchObject({
      refusal: { code: 'unverified' },
    });
    expect(howMany(pure(1), laplace(10))).toBe('10');
    expect(howMany(pure(1), boundedRange('0.1'))).toBe('10');
  });
});
