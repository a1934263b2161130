import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetOf } from '../../../src/composition/check/limits.ts';
import { claimedProfile } from '../../../src/composition/risk/claimed-profile.ts';
import type { Profiles } from '../../../src/composition/risk/profile.ts';
import { truePositiveRate } from '../../../src/composition/risk/true-positive-rate.ts';
import { Decimal, toUpper } from '../../../src/numeric/decimal.ts';

describe('a budget that is enough for a limit of a risk', () => {
  it('is delta at epsilon 0 for an advantage', () => {
    expect(budgetOf({ measure: 'advantage', most: new Decimal('0.2') })).toEqual({
      epsilon: new Decimal(0),
      delta: new Decimal('0.2'),
    });
  });

  it('keeps the true-positive rate of whatever is within it', () => {
    const rate = fc.integer({ min: 1, max: 999 }).map((thousandths) => new Decimal(thousandths).div(1000));
    fc.assert(
      fc.property(rate, rate, (at, most) => {
        const budget = budgetOf({ measure: 'true-positive-rate', at, most });
        fc.pre(budget !== null);
        const exact = (value: Decimal) => ({ lower: null, upper: toUpper(value), exact: value.toString() });
        const profile = claimedProfile({ epsilon: exact(budget.epsilon), delta: exact(budget.delta) });
        const profiles = { claimed: [profile], attained: [] } as unknown as Profiles;
        expect(truePositiveRate(profiles, at, 1e-9).upper).toBeLessThanOrEqual(most.toNumber() * (1 + 1e-8));
      }),
      { numRuns: 30 },
    );
  });

  it('is not known where chance alone breaks the limit', () => {
    const [at, most] = [new Decimal('0.1'), new Decimal('0.05')];
    expect(budgetOf({ measure: 'true-positive-rate', at, most })).toBeNull();
  });
});
