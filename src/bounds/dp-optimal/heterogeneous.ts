import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { totalEpsilon, type PureGroup } from '../../privacy/pure-group.ts';
import type { Effort } from '../core/bound.ts';
import { contourCurve } from '../loss-distribution/contour-curve.ts';
import { listedResponses } from '../loss-distribution/dp-chunks.ts';
import { fewCombinations } from '../loss-distribution/few-combinations.ts';
import { lossOfResponses } from '../loss-distribution/alike-losses.ts';
import { tiltedCurve } from '../loss-distribution/tilted-curve.ts';

const DEFAULT_TOLERANCE = 1e-6;

const keyOf = (groups: readonly PureGroup[]): string =>
  groups.map(({ epsilon, count }) => `${epsilon.toString()}*${count}`).join(' ');

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
export function heterogeneousOptimum(groups: readonly PureGroup[], effort: Effort): FiniteLossCurve {
  const tolerance = effort.tolerance ?? DEFAULT_TOLERANCE;
  const maximum = totalEpsilon(groups);
  const few = fewCombinations(groups.map(listedResponses), maximum);
  return few === null
    ? contourCurve(lossOfResponses(groups), maximum, tolerance, effort, () => keyOf(groups))
    : tiltedCurve(few, tolerance, effort);
}
