import { describe, expect, it } from 'vitest';
import { compose } from '../../src/composition/compose/compose.ts';
import { readOpenMechanism } from '../../src/cli/ledger/status.ts';
import { convert } from '../../src/ledger/conversions.ts';
import { loss, remaining } from '../../src/ledger/loss.ts';
import { atDistance } from '../../src/ledger/rules/distance.ts';
import { isDominatedBy } from '../../src/ledger/rules/compositor.ts';
import { check } from '../../src/ledger/decide.ts';
import { atEpsilon, decimal, dp, zcdp } from '../mechanisms.ts';
import { filterTerms, launched, odometerTerms, opened, zcdpFilter } from './helpers.ts';

const sequential = { concurrency: 'sequential' } as const;

const product = opened(odometerTerms({ id: 'approximate-zcdp', deltas: 'product' }, sequential));

describe('approximate zCDP in a ledger', () => {
  it.each([
    [[zcdp('0.1', { delta: '1e-5' })]],
    [[zcdp('0.1', { delta: '1e-5', count: 30 })]],
    [[zcdp('0.01', { delta: '1e-9' }), zcdp('2', { delta: '0.3', count: 2 })]],
    [[zcdp('0', { delta: '0.25', count: 2 }), zcdp('0.001', { count: 100 })]],
    [[zcdp('0.1', { delta: '1e-3' }), dp('0.5', '1e-4', { count: 3 })]],
    [[zcdp('1', { delta: 1 })]],
  ])('guarantees what compose says of the same mechanisms: %#', (entries) => {
    const { spent } = loss(launched(product, ...entries));
    for (const epsilon of ['0.1', '1', '3', '10']) {
      const query = atEpsilon(epsilon);
      const outcome = compose({ entries, adaptivity: 'adaptive', order: 'any' }, query, { bounds: ['zcdp'] });
      if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
      expect(outcome.answer.delta.upper / convert(spent, query).upper).toBeCloseTo(1, 9);
    }
  });

  it('pays delta in every rule, and none is left out where the rule has no delta', () => {
    const entry = zcdp('0.1', { delta: '1e-5' });
    expect(check(zcdpFilter('1'), entry)).toMatchObject({ kind: 'refused' });
    const filter = opened(
      filterTerms({ id: 'approximate-zcdp', deltas: 'sum' }, { rho: decimal(1), delta: decimal('2e-5') }, sequential),
    );
    expect(check(launched(filter, entry, entry), entry)).toMatchObject({ kind: 'refused' });
    expect(check(launched(filter, entry, entry), zcdp('0.1'))).toMatchObject({ kind: 'accepted' });
  });

  it('leaves room for the delta of the next', () => {
    const budget = { rho: decimal(1), delta: decimal('1e-5') };
    const filter = opened(filterTerms({ id: 'approximate-zcdp', deltas: 'sum' }, budget, sequential));
    const next = (delta: string) =>
      remaining(filter, { form: 'next', mechanism: { type: 'zcdp', delta: decimal(delta) }, kind: 'noninteractive' });
    expect(next('1e-5')).toMatchObject({ form: 'next', value: decimal(1) });
    expect(next('2e-5')).toMatchObject({ kind: 'refused' });
  });

  it('is asked for with its delta', () => {
    const question = readOpenMechanism('zcdp:delta=1e-5', []);
    expect(question?.mechanism).toEqual({ type: 'zcdp', delta: decimal('1e-5') });
    expect(readOpenMechanism('zcdp', [])?.mechanism).toEqual({ type: 'zcdp' });
  });

  it('runs in a slot of at least its rho and its delta only', () => {
    const slot = zcdp('0.1', { delta: '1e-5' });
    const fits = (...[rho, delta]: [string, string]): boolean =>
      isDominatedBy(zcdp(rho, { delta }).mechanism, 'noninteractive', slot);
    expect(fits('0.05', '1e-6')).toBe(true);
    expect(fits('0.05', '2e-5')).toBe(false);
    expect(fits('0.2', '1e-6')).toBe(false);
    expect(isDominatedBy(slot.mechanism, 'noninteractive', zcdp('0.1'))).toBe(false);
  });

  it('has no map to a distance', () => {
    expect(atDistance(zcdp('0.1', { delta: '1e-5' }).mechanism, decimal(2))).toBeNull();
    expect(atDistance(zcdp('0.1', { delta: 0 }).mechanism, decimal(2))).toMatchObject({ rho: decimal('0.4') });
  });
});
