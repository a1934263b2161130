import { totalEpsilon } from '../../privacy/pure.ts';
import { meanAndSquares, half, subgaussianCurve } from '../closed-form/advanced.ts';
import type { Bound } from '../core/bound.ts';
import { onRanges, RANGES_ALONE } from './closed-form.ts';

/**
 * eps = sum e_i^2 / 2 + sqrt(sum e_i^2 / 2 ln(1/delta)), never above sum e_i; adaptive.
 *
 * Source: Durfee, Rogers, "Practical differentially private top-k selection with pay-what-you-get composition" (2019),
 * Theorem 3.
 */
export const brDr19: Bound = {
  id: 'br-dr19',
  name: 'bounded range, Durfee-Rogers',
  reference: 'Durfee, Rogers 2019, Thm 3',
  exposition: {
    statement: 'The first composition theorem for bounded-range mechanisms.',
    formula: ['e = min(sum e_i, sum e_i^2 / 2 + sqrt(sum e_i^2 / 2 ln(1 / d)))'],
    departures: ['It is cut off at sum e_i.'],
    works: ['durfee-rogers-2019'],
    slack:
      'it assumes a larger mean than the loss can have; the Chernoff bound counts every loss above epsilon as total failure',
    coverage: RANGES_ALONE,
  },
  apply: onRanges((groups) => {
    const { squares } = meanAndSquares(groups);
    return subgaussianCurve(half(squares), half(squares), totalEpsilon(groups));
  }),
};
