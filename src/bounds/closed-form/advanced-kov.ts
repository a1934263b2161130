import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import {
  add,
  divide,
  exponential,
  log1p,
  logarithm,
  minimum,
  multiply,
  negate,
  squareRoot,
  subtract,
} from '../../numeric/enclosure-arithmetic.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { curveWithFailure, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { totalEpsilon } from '../../privacy/pure.ts';
import { meanAndSquares, subgaussianCurve, twice } from './advanced.ts';
import type { Bound } from '../core/bound.ts';
import { failureOf, onlyTypes, pureGroups, PURE_PARTS } from '../core/entries.ts';
import { WITH_PURE_PART } from '../../privacy/mechanisms/records.ts';

const E = exponential(exactly(1));

/** eps = m + sqrt(2 v ln(e + sqrt(v) / d')), and d' = sqrt(v) / (e^((eps - m)^2 / 2v) - e). */
function logarithmicCurve(mean: Enclosure, squares: Enclosure, maximum: Decimal): FiniteLossCurve {
  const logRoot = logarithm(squareRoot(squares));
  return {
    maximum,
    logDelta(epsilon) {
      const distance = subtract(enclosure(epsilon.high + Math.min(0, epsilon.low), epsilon.high), mean);
      if (distance.lower <= 0) return enclosure(-Infinity, 0);
      const exponent = divide(multiply(distance, distance), twice(squares));
      // ln(e^x - e) = x + ln(1 - e^(1-x))
      const share = exponential(subtract(exactly(1), exponent));
      if (share.upper >= 1) return enclosure(-Infinity, 0);
      const logDelta = subtract(logRoot, add(exponent, log1p(negate(share))));
      return enclosure(-Infinity, Math.min(0, logDelta.upper));
    },
    epsilon(logDelta) {
      const odds = subtract(logRoot, logDelta);
      const log = add(odds, log1p(multiply(E, exponential(negate(odds)))));
      return add(mean, squareRoot(multiply(twice(squares), log)));
    },
  };
}

/**
 * eps = min { sum e_i, m + sqrt(2 v ln(e + sqrt(v) / d')), m + sqrt(2 v ln(1 / d')) }, m = sum e_i tanh(e_i / 2),
 * v = sum e_i^2; delta = 1 - (1 - d') prod(1 - d_i).
 *
 * Source: Kairouz, Oh, Viswanath (2015), Theorem 3.5.
 */
export const advancedKov: Bound = {
  id: 'advanced-kov',
  name: 'Kairouz-Oh-Viswanath closed form',
  reference: 'Kairouz, Oh, Viswanath 2015, Thm 3.5',
  exposition: {
    statement:
      'The closed form that Kairouz, Oh and Viswanath derive from the optimal composition: the least of three bounds.',
    formula: [
      'm = sum e_i tanh(e_i / 2),  v = sum e_i^2',
      "e = min(sum e_i, m + sqrt(2 v ln(exp(1) + sqrt(v) / d')), m + sqrt(2 v ln(1 / d')))",
      "d = 1 - (1 - d') prod(1 - d_i)",
    ],
    departures: [
      'Where the theorem is quoted with the linear term sum e_i, that is a slip: the term is sum e_i tanh(e_i / 2).',
    ],
    works: ['kairouz-oh-viswanath-2015'],
    slack: 'it knows the mean and the range of each loss only, and bounds the tail of their sum by an inequality',
    coverage: PURE_PARTS,
  },
  apply(composition) {
    const covered = onlyTypes(composition, WITH_PURE_PART);
    if ('reason' in covered) return covered;
    const groups = pureGroups(covered.entries);
    const maximum = totalEpsilon(groups);
    const { mean, squares } = meanAndSquares(groups);
    const second = logarithmicCurve(mean, squares, maximum);
    const third = subgaussianCurve(mean, twice(squares), maximum);
    const curve: FiniteLossCurve = {
      maximum,
      logDelta: (epsilon) => minimum(second.logDelta(epsilon), third.logDelta(epsilon)),
      epsilon: (logDelta) => minimum(second.epsilon!(logDelta), third.epsilon!(logDelta)),
    };
    return { curve: curveWithFailure(curve, failureOf(covered.entries), 'upper-only') };
  },
};
