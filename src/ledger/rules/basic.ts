import { Decimal } from '../../numeric/decimal.ts';
import { approximateDpOf } from '../charges/approximate-dp-of.ts';
import { summed, type Coordinate } from './accumulate.ts';
import { wrongMeasure, type FilterRule } from './filter-rule.ts';

const ZERO = new Decimal(0);

/**
 * (e_i, d_i)-DP: sum e_i <= epsilon and sum d_i <= delta, in exact decimals; or, in the product form,
 * 1 - prod (1 - d_i) <= delta.
 *
 * Product form [derived]: every (e, d)-DP mechanism is a post-processing of one that reveals everything with probability d
 * and is (e, 0)-DP otherwise, whatever came before. Along a path without revelation the loss is at most sum e_i <=
 * epsilon, so delta(epsilon) is at most the probability of a revelation. The probability that there is none is a mean,
 * over the paths, of prod (1 - d_i) >= 1 - delta.
 *
 * Source: Rogers, Roth, Ullman, Vadhan 2016 (sums); concurrently Haney et al. 2023, Thm 1.20, as both are rules about
 * (e_i, d_i) alone.
 */
export const basicRule: FilterRule<'basic'> = {
  id: 'basic',
  name: 'basic composition',
  reference:
    'Rogers, Roth, Ullman, Vadhan 2016; Haney et al. 2023, Thm 1.20; Henzinger, Safavi, Vadhan 2025, Thm 12.4; product form derived',
  concurrent: 'proved',
  assumes: 'discrete-answers',
  accumulator({ deltas }, budget) {
    const delta: Coordinate = { name: 'delta', adding: deltas, initial: ZERO, limit: budget?.delta ?? null };
    return {
      coordinates: [summed('epsilon', budget?.epsilon ?? null), delta],
      charge(guarantee) {
        const behind = approximateDpOf(guarantee);
        return behind ? { parts: [behind.epsilon, behind.delta] } : wrongMeasure('basic', guarantee);
      },
      reading: ([epsilon, total]) => ({ type: 'dp', epsilon: epsilon!, delta: Decimal.min(1, total!) }),
      guarantee: budget && { type: 'dp', ...budget },
      leftOf: ([epsilon, total]) => ({ type: 'dp', epsilon: epsilon!, delta: total! }),
    };
  },
};
