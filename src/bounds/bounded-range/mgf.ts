import { encloseDecimal } from '../../numeric/decimal.ts';
import { NEVER } from '../../privacy/failure.ts';
import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import { boundedRangeMoment } from '../../privacy/log-moment.ts';
import { totalEpsilon, type PureGroup } from '../../privacy/pure-group.ts';
import type { Bound } from '../core/bound.ts';
import { boundedRangeGroups } from '../core/entries.ts';
import { momentCurve, noFactor, sumOfMoments, type MomentBound } from '../core/moment-curve.ts';

/** The moments of bounded-range groups, with the factor a bound puts before them. */
export function boundedRangeMoments(groups: readonly PureGroup[], logFactor: MomentBound['logFactor']): MomentBound {
  return {
    logMoment: sumOfMoments(
      groups.map(({ epsilon, count }) => ({ moment: boundedRangeMoment(encloseDecimal(epsilon)), count })),
    ),
    logFactor,
    maximum: totalEpsilon(groups),
    breakpoints: [],
  };
}

/**
 * delta = inf over lambda > 0 of e^(sum h_(e_i)(lambda) - lambda eps), h the log-moment of bounded range; adaptive.
 *
 * Source: Dong, Durfee, Rogers (2020), Theorem 5.
 */
export const brMgf: Bound = {
  id: 'br-mgf',
  name: 'bounded range, moment generating function',
  reference: 'Dong, Durfee, Rogers 2020, Thm 5',
  apply(composition) {
    const covered = boundedRangeGroups(composition);
    if ('reason' in covered) return covered;
    const curve = momentCurve(boundedRangeMoments(covered.groups, noFactor));
    return { curve: curveWithFailure(curve, NEVER, 'upper-only') };
  },
};
