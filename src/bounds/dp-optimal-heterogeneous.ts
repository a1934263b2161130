import { logExcessOfSum } from '../numeric/meet-in-the-middle.ts';
import type { FiniteLossCurve } from '../privacy/finite-loss-curve.ts';
import { totalEpsilon, type PureGroup } from '../privacy/pure-group.ts';
import type { Effort } from './bound.ts';
import { contourCurve } from './contour-curve.ts';
import { largestTiltOf, responsesLogMoment } from './dp-chunks.ts';
import { atomCount, atomsOfRandomizedResponses } from './dp-optimal-atoms.ts';
import { lossOfResponses } from './pair-entries.ts';
import { tiltedCurve, type TiltedMethod } from './tilted-curve.ts';

/** So many combinations of each half are summed quicker than an integral, and without smoothing. */
const FEW_COMBINATIONS = 2 ** 16;
const DEFAULT_TOLERANCE = 1e-6;

/** Splits into two lists whose numbers of combinations are as even as a greedy choice makes them. */
function halves(groups: readonly PureGroup[]): [PureGroup[], PureGroup[]] {
  const [a, b]: [PureGroup[], PureGroup[]] = [[], []];
  let [sizeA, sizeB] = [1, 1];
  for (const group of [...groups].sort((x, y) => y.count - x.count)) {
    if (sizeA <= sizeB) {
      a.push(group);
      sizeA *= atomCount(group);
    } else {
      b.push(group);
      sizeB *= atomCount(group);
    }
  }
  return [a, b];
}

const combinations = (groups: readonly PureGroup[]): number => groups.reduce((n, group) => n * atomCount(group), 1);

function meetInTheMiddle(left: readonly PureGroup[], right: readonly PureGroup[]): TiltedMethod {
  const groups = [...left, ...right];
  return {
    compose(tilt) {
      const [a, b] = [atomsOfRandomizedResponses(left, tilt), atomsOfRandomizedResponses(right, tilt)];
      return { logDelta: (epsilon) => logExcessOfSum(a, b, epsilon), highest: a.losses[0]! + b.losses[0]! };
    },
    logMoment: responsesLogMoment(groups),
    largestTilt: largestTiltOf(groups),
    firstStep: null,
    smallestStep: 0,
    maximum: totalEpsilon(groups),
  };
}

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
  const [left, right] = halves(groups);
  if (Math.max(combinations(left), combinations(right)) <= FEW_COMBINATIONS) {
    return tiltedCurve(meetInTheMiddle(left, right), tolerance, effort);
  }
  return contourCurve(lossOfResponses(groups), totalEpsilon(groups), tolerance, effort);
}
