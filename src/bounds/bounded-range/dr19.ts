import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import { NEVER } from '../../privacy/failure.ts';
import { totalEpsilon } from '../../privacy/pure-group.ts';
import { meanAndSquares } from '../closed-form/advanced.ts';
import type { Bound } from '../core/bound.ts';
import { boundedRangeGroups } from '../core/entries.ts';
import { half, subgaussianCurve } from '../closed-form/subgaussian-curve.ts';

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
  apply(composition) {
    const covered = boundedRangeGroups(composition);
    if ('reason' in covered) return covered;
    const { squares } = meanAndSquares(covered.groups);
    const curve = subgaussianCurve(half(squares), half(squares), totalEpsilon(covered.groups));
    return { curve: curveWithFailure(curve, NEVER, 'upper-only') };
  },
};
