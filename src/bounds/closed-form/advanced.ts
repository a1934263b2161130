import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { exactly, enclosure, type Enclosure } from '../../numeric/enclosure.ts';
import { add, multiply, divide, negate, squareRoot, subtract, times } from '../../numeric/enclosure-arithmetic.ts';
import { type FiniteLossCurve, curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import { WITH_PURE_PART } from '../../privacy/mechanisms/records.ts';
import { pureKl, type PureGroup, totalEpsilon } from '../../privacy/pure.ts';
import type { Bound } from '../core/bound.ts';
import { failureOf, onlyTypes, pureGroups, PURE_PARTS } from '../core/entries.ts';

/** The two sums of advanced composition: m = sum e_i tanh(e_i / 2) and v = sum e_i^2. */
interface MeanAndSquares {
  readonly mean: Enclosure;
  readonly squares: Enclosure;
}

export function meanAndSquares(groups: readonly PureGroup[]): MeanAndSquares {
  let [mean, squares] = [exactly(0), exactly(0)];
  for (const { epsilon, count } of groups) {
    const e = encloseDecimal(epsilon);
    mean = add(mean, multiply(exactly(count), pureKl(e)));
    squares = add(squares, multiply(exactly(count), multiply(e, e)));
  }
  return { mean, squares };
}

/**
 * The curve eps = mean + sqrt(scale ln(1 / delta)), delta = e^(-(eps - mean)^2 / scale) above the mean: what
 * concentration of a sum of bounded losses gives. As an upper bound, cut at the largest loss by its user.
 */
export function subgaussianCurve(mean: Enclosure, scale: Enclosure, maximum: Decimal): FiniteLossCurve {
  return {
    maximum,
    logDelta(epsilon) {
      const distance = subtract(enclosure(epsilon.high + Math.min(0, epsilon.low), epsilon.high), mean);
      if (distance.lower <= 0) return enclosure(-Infinity, 0);
      return enclosure(-Infinity, negate(divide(multiply(distance, distance), scale)).upper);
    },
    epsilon: (logDelta) =>
      add(mean, squareRoot(multiply(scale, negate(enclosure(logDelta.lower, Math.min(0, logDelta.upper)))))),
  };
}

/** 2 v, for the (e, 0)-DP form. */
export const twice = (squares: Enclosure): Enclosure => times(2, squares);

/** v / 2, for the bounded-range form: losses lie in intervals half as long. */
export const half = (squares: Enclosure): Enclosure => times(0.5, squares);

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
