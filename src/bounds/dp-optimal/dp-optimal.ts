import type { Decimal } from '../../numeric/decimal.ts';
import { DOUBLE_DOUBLE_ERROR, difference, scaled, toDouble, type DoubleDouble } from '../../numeric/double-double.ts';
import type { Enclosure } from '../../numeric/enclosure.ts';
import { logBinomialHockeyStick } from '../../numeric/binomial-hockey-stick.ts';
import {
  aboutNormalLoss,
  curveWithFailure,
  LOSSLESS,
  vacuousCurve,
  type FiniteLossCurve,
} from '../../privacy/finite-loss-curve.ts';
import { randomizedResponse } from '../../privacy/randomized-response.ts';
import { totalEpsilon, type PureGroup } from '../../privacy/pure.ts';
import type { Effort, Bound } from '../core/bound.ts';
import { contourCurve, withComplement } from '../loss-distribution/contour-curve.ts';
import { listedResponses } from '../loss-distribution/dp-chunks.ts';
import { fewCombinations } from '../loss-distribution/few-combinations.ts';
import { lossOfResponses } from '../loss-distribution/alike-losses.ts';
import { tiltedCurve } from '../loss-distribution/tilted-curve.ts';
import { ofOnePair } from '../../privacy/curve.ts';
import { advance } from '../../numeric/watch.ts';
import { failureOf, onlyTypes, pureGroups, PURE_PARTS } from '../core/entries.ts';
import { WITH_PURE_PART } from '../../privacy/mechanisms/records.ts';

/**
 * The optimal composition of k mechanisms that are (e, 0)-DP, e > 0: ln of
 * D(eps) = sum_i C(k,i) p^i (1-p)^(k-i) max(0, 1 - e^(eps - (k-2i) e)), p = 1/(1+e^e).
 *
 * A binomial sum over the indices whose loss (k-2i)e exceeds eps, all terms positive. The number of those indices and
 * the smallest excess are computed in double-double arithmetic, since (k-2i)e - eps may cancel.
 *
 * Source: Kairouz, Oh, Viswanath, "The composition theorem for differential privacy" (2015), Theorem 3.3, for every
 * real eps (there only on the grid (k-2i)e); the same as Murtagh, Vadhan (2016), Theorem 1.4.
 */
export function homogeneousOptimum(epsilonEach: Decimal, count: number): FiniteLossCurve {
  const { epsilon: e, minus } = randomizedResponse(epsilonEach);
  const largest = scaled(e, count);
  const step = 2 * toDouble(e);

  const logDelta = (epsilon: DoubleDouble): Enclosure => {
    const excessAt = (i: number): number => toDouble(difference(difference(largest, scaled(e, 2 * i)), epsilon));
    let last = Math.max(0, Math.min(count, Math.floor(toDouble(difference(largest, epsilon)) / step)));
    while (last > 0 && excessAt(last) < 0) last--;
    while (last < count && excessAt(last + 1) >= 0) last++;
    const magnitude = toDouble(largest) + Math.abs(epsilon.high);
    return logBinomialHockeyStick({
      trials: count,
      probability: minus,
      last,
      excess: Math.max(0, excessAt(last)),
      excessError: 8 * DOUBLE_DOUBLE_ERROR * magnitude,
      step,
    });
  };

  const each = toDouble(e);
  const deviation = (each / Math.cosh(Math.min(each / 2, LARGEST_HALF))) * Math.sqrt(count);
  return {
    maximum: epsilonEach.times(count),
    logDelta,
    about: aboutNormalLoss(each * Math.tanh(each / 2) * count, deviation),
  };
}

/** Half a loss of more than this has next to no deviation. */
const LARGEST_HALF = 300;

const DEFAULT_TOLERANCE = 1e-6;

const keyOf = (groups: readonly PureGroup[]): string =>
  groups.map(({ epsilon, count }) => `${epsilon.toString()}*${count}`).join(' ');

const contourOf =
  (groups: readonly PureGroup[], effort: Effort): (() => FiniteLossCurve) =>
  () =>
    contourCurve(lossOfResponses(groups), totalEpsilon(groups), effort.tolerance ?? DEFAULT_TOLERANCE, effort, () =>
      keyOf(groups),
    );

/**
 * The optimal composition of (e_i, 0)-DP mechanisms with different e_i > 0:
 * D(eps) = E[max(0, 1 - e^(eps - L))], L the sum of independent +-e_i with P(+) = e^e_i / (1 + e^e_i).
 *
 * Exactly computing it is #P-hard in general. Where the losses of two halves are few they are listed, and summed by
 * meeting in the middle under a tilt, without discretisation; else the curve is a contour integral (see contourCurve).
 *
 * Source: Murtagh, Vadhan, "The complexity of computing the optimal composition of differential privacy" (2016),
 * Theorem 1.5; the methods are derived here.
 */
function heterogeneousOptimum(groups: readonly PureGroup[], effort: Effort): FiniteLossCurve {
  const tolerance = effort.tolerance ?? DEFAULT_TOLERANCE;
  const few = fewCombinations(groups.map(listedResponses), totalEpsilon(groups));
  const contour = contourOf(groups, effort);
  return few === null ? contour() : withComplement(tiltedCurve(few, tolerance, effort), contour);
}

/** The sum over more equal mechanisms than this has too many terms: a contour integral is as good there. */
const LARGEST_COUNT = 1e12;

/** Beyond this root of the sum of e_i^2 over so many, closed forms are as good, relatively, and quicker. */
const LARGEST_SPREAD = 1e5;

const spreadOf = (groups: readonly PureGroup[]): number =>
  Math.sqrt(groups.reduce((sum, { epsilon, count }) => sum + epsilon.toNumber() ** 2 * count, 0));

/** Sums of more equal mechanisms than this take a while. */
const FEW = 1e7;

/** The optimal composition of pure mechanisms; of more than 10^12 equal ones whose losses spread widely it says nothing. */
export function pureOptimum(groups: readonly PureGroup[], effort: Effort): FiniteLossCurve {
  const [first, ...rest] = groups;
  if (!first) return LOSSLESS;
  const isLarge = groups.some(({ count }) => count > LARGEST_COUNT);
  if (isLarge && spreadOf(groups) > LARGEST_SPREAD) return vacuousCurve(totalEpsilon(groups));
  if (isLarge || rest.length > 0) return heterogeneousOptimum(groups, effort);
  const { logDelta, ...curve } = homogeneousOptimum(first.epsilon, first.count);
  const sums: FiniteLossCurve = {
    ...curve,
    logDelta(epsilon) {
      advance(effort);
      return logDelta(epsilon);
    },
  };
  return withComplement(sums, contourOf(groups, effort));
}

/**
 * Optimal composition of (e_i, d_i)-DP: delta(eps) = 1 - prod(1 - d_i) (1 - D(eps)), D the curve of the composed
 * randomized responses. No smaller claim holds for every choice of such mechanisms; adaptive and concurrent alike. A
 * bounded-range entry is taken as (e, 0)-DP, which gives an upper bound only.
 *
 * Source: Kairouz, Oh, Viswanath (2015), Theorem 3.3; Murtagh, Vadhan (2016), Theorem 1.5; for interactive and
 * continual mechanisms Henzinger, Safavi, Vadhan (2025), Theorems 4.10 and 4.12.
 */
export const dpOptimal: Bound = {
  id: 'dp-optimal',
  name: 'optimal composition of (epsilon, delta)-DP',
  reference: 'Kairouz, Oh, Viswanath 2015, Thm 3.3; Murtagh, Vadhan 2016, Thm 1.5',
  exposition: {
    statement:
      'The smallest (e, d) that holds for every choice of (e_i, d_i)-DP mechanisms: that of composed randomized responses, of which each of them is a post-processing.',
    formula: [
      'd(e) = 1 - prod(1 - d_i) (1 - E[max(0, 1 - exp(e - L))])',
      'L = sum of independent losses +-e_i, the sign + with probability exp(e_i) / (1 + exp(e_i))',
    ],
    departures: [
      'A bounded-range, Laplace or finite-pair entry is taken by its (e_i, d_i)-DP guarantee; the bound is then an upper one only.',
      'The sum has exponentially many terms where the e_i differ; where they are few they are added up, else the sum is enclosed by a contour integral.',
    ],
    works: ['kairouz-oh-viswanath-2015', 'murtagh-vadhan-2016', 'henzinger-safavi-vadhan-2025'],
    slack:
      'nothing of (e, d)-DP mechanisms; of bounded-range mechanisms, Laplace noise and finite pairs all but their (e, d)-DP guarantee',
    coverage: {
      ...PURE_PARTS,
      conditions: [
        'at most 10^12 equal mechanisms, or the root of sum e_i^2 at most 10^5; beyond both it claims no more than sum e_i',
      ],
    },
  },
  isSlow(composition) {
    const covered = onlyTypes(composition, WITH_PURE_PART);
    if ('reason' in covered) return false;
    const groups = pureGroups(covered.entries);
    return groups.length > 1 || groups.some(({ count }) => count > FEW);
  },
  apply(composition, effort) {
    const covered = onlyTypes(composition, WITH_PURE_PART);
    if ('reason' in covered) return covered;
    const tight = covered.entries.every(({ mechanism }) => mechanism.type === 'dp');
    const optimum = pureOptimum(pureGroups(covered.entries), effort);
    const curve = curveWithFailure(optimum, failureOf(covered.entries), tight ? 'tight' : 'upper-only');
    return { curve: tight ? ofOnePair(curve) : curve };
  },
};
