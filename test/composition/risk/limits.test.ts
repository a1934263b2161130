import { describe, expect, it } from 'vitest';
import { budgetOf } from '../../../src/composition/risk/limits.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { fc } from '../../reference/properties.ts';

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
        const [epsilon, delta, alpha] = [budget.epsilon, budget.delta, at].map((each) => each.toNumber());
        // The trade-off function of (epsilon, delta)-DP has two lines.
        const enough = Math.min(Math.exp(epsilon!) * alpha! + delta!, 1 - Math.exp(-epsilon!) * (1 - delta! - alpha!));
        expect(enough).toBeLessThanOrEqual(most.toNumber() * (1 + 1e-12));
        expect(enough).toBeGreaterThan(most.toNumber() * (1 - 1e-9));
      }),
      { numRuns: 30 },
    );
  });

  it('is not known where chance alone breaks the limit', () => {
    const [at, most] = [new Decimal('0.1'), new Decimal('0.05')];
    expect(budgetOf({ measure: 'true-positive-rate', at, most })).toBeNull();
  });
});
