import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import { totalEpsilon } from '../../privacy/pure-group.ts';
import { meanAndSquares } from './advanced.ts';
import type { Bound } from '../core/bound.ts';
import { failureOf, onlyTypes, pureGroups } from '../core/entries.ts';
import { WITH_PURE_PART } from '../../privacy/pure-guarantee.ts';
import { subgaussianCurve, twice } from './subgaussian-curve.ts';

/**
 * Advanced composition with the exact mean: eps = m + sqrt(2 v ln(1/d')), m = sum e_i tanh(e_i / 2), v = sum e_i^2,
 * never above sum e_i; delta = 1 - (1 - d') prod(1 - d_i).
 *
 * Source: Dwork, Rothblum, Vadhan (2010), Theorem III.3; the linear term as in Kairouz, Oh, Viswanath (2015),
 * Theorem 3.5 (the printed e(e^e - 1) is larger).
 */
export const advancedDrv: Bound = {
  id: 'advanced-drv',
  name: 'advanced composition',
  reference: 'Dwork, Rothblum, Vadhan 2010, Thm III.3, with the mean of Kairouz, Oh, Viswanath 2015',
  apply(composition) {
    const covered = onlyTypes(composition, WITH_PURE_PART);
    if ('reason' in covered) return covered;
    const groups = pureGroups(covered.entries);
    const { mean, squares } = meanAndSquares(groups);
    const curve = subgaussianCurve(mean, twice(squares), totalEpsilon(groups));
    return { curve: curveWithFailure(curve, failureOf(covered.entries), 'upper-only') };
  },
};
