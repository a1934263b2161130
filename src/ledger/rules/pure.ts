import { Decimal } from '../../numeric/decimal.ts';
import type { LedgerGuarantee } from '../core/guarantee.ts';
import { approximateDpOf } from '../charges/approximate-dp-of.ts';
import { summed } from './accumulate.ts';
import { positiveDelta, wrongMeasure, type FilterRule } from './filter-rule.ts';

const ZERO = new Decimal(0);
const pure = (epsilon: Decimal | undefined): LedgerGuarantee => ({ type: 'dp', epsilon: epsilon ?? ZERO, delta: ZERO });

/**
 * (e_i, 0)-DP: sum e_i <= epsilon, in exact decimals.
 *
 * Source: Rogers, Roth, Ullman, Vadhan 2016; concurrently Haney et al. 2023, Thm 1.20.
 */
export const pureRule: FilterRule<'pure'> = {
  id: 'pure',
  name: 'pure differential privacy',
  reference: 'Rogers, Roth, Ullman, Vadhan 2016; Haney et al. 2023, Thm 1.20; Henzinger, Safavi, Vadhan 2025, Thm 12.4',
  concurrent: 'proved',
  assumes: 'discrete-answers',
  accumulator: (_, budget) => ({
    coordinates: [summed('epsilon', budget?.epsilon ?? null)],
    charge(guarantee) {
      const behind = approximateDpOf(guarantee);
      if (!behind) return wrongMeasure('pure', guarantee);
      return behind.delta.isZero() ? { parts: [behind.epsilon] } : positiveDelta('pure', guarantee);
    },
    reading: ([epsilon]) => pure(epsilon),
    guarantee: budget && pure(budget.epsilon),
    leftOf: ([epsilon]) => pure(epsilon),
  }),
};
