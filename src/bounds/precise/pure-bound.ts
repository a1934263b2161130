import { withFailure, type LossCurve, type PreciseBound } from './curve.ts';
import { failureOf, isHandled, pureGroups, type Group } from './entries.ts';
import type { Arithmetic } from './interval.ts';

/**
 * A theorem about the epsilons of mechanisms that have an (e, d)-DP guarantee, their failures apart.
 *
 * @param curveOf - the curve of what is lost to the epsilons; null where it would take too long
 */
export const pureBound =
  (curveOf: (groups: readonly Group[], a: Arithmetic) => LossCurve | null): PreciseBound =>
  ({ entries }, a) => {
    const groups = pureGroups(entries, a);
    if (!groups) return 'mechanism-not-covered';
    const curve = isHandled(groups) ? curveOf(groups, a) : null;
    return curve ? withFailure(a, curve, failureOf(entries, a)) : 'too-large';
  };
