import { NEVER } from '../../privacy/failure.ts';
import { curveWithFailure, LOSSLESS } from '../../privacy/finite-loss-curve.ts';
import { mechanismKey } from '../../privacy/mechanism-key.ts';
import { boundedByFreer } from '../../privacy/freer-curve.ts';
import type { Bound, Composition } from '../core/bound.ts';
import { adaptiveCurve } from './adaptive.ts';
import { rangedCurve } from './adaptive-optimum.ts';
import { RANGED_SCALE, rangedOptimum, rangedTolerance } from './many.ts';
import { nonadaptiveOptimum } from './nonadaptive-optimum.ts';
import { nonadaptiveSource } from './nonadaptive-source.ts';
import { boundedRangeGroups } from '../core/entries.ts';

/** Equal parameters have a closed form. */
const EXACT_TOLERANCE = 1e-6;

/** More than this many equal ones have many contenders. */
const FEW = 10_000;

const areDifferent = ({ entries }: Composition): boolean =>
  new Set(entries.map(({ mechanism }) => mechanismKey(mechanism))).size > 1;

/**
 * Bounded-range mechanisms that are fixed in advance: the exact optimum for equal parameters, an enclosure for different
 * ones (see nonadaptiveSource, and manyBoundedRange where they are many), never above the claim for who chooses along the
 * way. One mechanism alone has nothing to adapt to, so there it holds adaptively too.
 *
 * Source: Dong, Durfee, Rogers (2020), Theorem 3; for different parameters derived from their Lemma 5.4 and Section 5.
 */
export const brNonadaptive: Bound = {
  id: 'br-nonadaptive',
  name: 'bounded range, nonadaptive optimum',
  reference: 'Dong, Durfee, Rogers 2020, Thm 3',
  tolerance: (composition) => (areDifferent(composition) ? rangedTolerance(composition) : EXACT_TOLERANCE),
  isSlow: (composition) => areDifferent(composition) || composition.entries.some(({ count }) => count > FEW),
  apply(composition, effort) {
    const covered = boundedRangeGroups(composition);
    if ('reason' in covered) return covered;
    const { groups } = covered;
    const [group, ...others] = groups;
    if (!group) return { curve: curveWithFailure(LOSSLESS, NEVER, 'tight') };
    const single = others.length === 0 && group.count === 1;
    if (composition.adaptivity !== 'nonadaptive' && !single) return { reason: { code: 'needs-nonadaptive' } };
    if (others.length === 0) {
      return {
        curve: curveWithFailure(nonadaptiveOptimum(group.epsilon, group.count, 'both', effort), NEVER, 'tight'),
      };
    }
    const curve = rangedOptimum(groups, effort, (tolerance) => {
      const source = nonadaptiveSource(groups, effort);
      return source && rangedCurve(source, tolerance);
    });
    if (!curve) return { reason: { code: 'too-large', limit: RANGED_SCALE } };
    const own = curveWithFailure(curve, NEVER, 'tight');
    return { curve: boundedByFreer(own, () => adaptiveCurve(composition, effort)) };
  },
};
