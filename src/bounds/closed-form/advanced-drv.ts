import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import { totalEpsilon } from '../../privacy/pure.ts';
import { meanAndSquares, subgaussianCurve, twice } from './advanced.ts';
import type { Bound } from '../core/bound.ts';
import { failureOf, onlyTypes, pureGroups, PURE_PARTS } from '../core/entries.ts';
import { WITH_PURE_PART } from '../../privacy/mechanisms/records.ts';

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
  exposition: {
    statement:
      'The privacy loss of many small mechanisms concentrates around its mean, so that it grows with the square root of their number.',
    formula: [
      'm = sum e_i tanh(e_i / 2),  v = sum e_i^2',
      "e = min(sum e_i, m + sqrt(2 v ln(1 / d')))",
      "d = 1 - (1 - d') prod(1 - d_i)",
    ],
    departures: [
      'The printed mean e_i (exp(e_i) - 1) is larger; e_i tanh(e_i / 2), the largest expected loss of an (e_i, 0)-DP mechanism, is that of Kairouz, Oh and Viswanath.',
      'Epsilons and deltas may differ, and deltas are joined as 1 - prod(1 - d_i), not summed.',
    ],
    works: ['dwork-rothblum-vadhan-2010', 'kairouz-oh-viswanath-2015'],
    slack: 'it knows the mean and the range of each loss only, and bounds the tail of their sum by an inequality',
    coverage: PURE_PARTS,
  },
  apply(composition) {
    const covered = onlyTypes(composition, WITH_PURE_PART);
    if ('reason' in covered) return covered;
    const groups = pureGroups(covered.entries);
    const { mean, squares } = meanAndSquares(groups);
    const curve = subgaussianCurve(mean, twice(squares), totalEpsilon(groups));
    return { curve: curveWithFailure(curve, failureOf(covered.entries), 'upper-only') };
  },
};
