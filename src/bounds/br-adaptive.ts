import { NEVER } from '../privacy/failure.ts';
import { curveWithFailure } from '../privacy/finite-loss-curve.ts';
import type { Bound } from './bound.ts';
import {
  adaptiveOptimum,
  DEFAULT_ADAPTIVE_TOLERANCE,
  LARGEST_ADAPTIVE_COUNT,
  LARGEST_ADAPTIVE_EPSILON,
} from './br-adaptive-optimum.ts';
import { nonadaptiveOptimum } from './br-nonadaptive-optimum.ts';
import { boundedRangeGroups } from './entries.ts';

/**
 * The exact optimum for equal bounded-range mechanisms that are chosen adaptively, enclosed. Also an upper bound where
 * they are fixed in advance, but not the best one.
 *
 * Source: Dong, Durfee, Rogers (2020), Section 5, give the recursion and call it intractable; its certified solution is
 * derived (see adaptiveValue).
 */
export const brAdaptive: Bound = {
  id: 'br-adaptive',
  name: 'bounded range, adaptive optimum',
  reference: 'Dong, Durfee, Rogers 2020, Sec 5; enclosure derived',
  tolerance: DEFAULT_ADAPTIVE_TOLERANCE,
  apply(composition, effort) {
    const covered = boundedRangeGroups(composition);
    if ('reason' in covered) return covered;
    const [group, ...others] = covered.groups;
    if (!group || others.length > 0)
      return { reason: { code: 'needs-one-parameter', distinct: covered.groups.length } };
    if (composition.adaptivity === 'nonadaptive')
      return { reason: { code: 'is-exact-otherwise', bound: 'br-nonadaptive' } };
    const { epsilon, count } = group;
    if (count === 1) return { curve: curveWithFailure(nonadaptiveOptimum(epsilon, 1), NEVER, 'tight') };
    if (count > LARGEST_ADAPTIVE_COUNT || epsilon.gt(LARGEST_ADAPTIVE_EPSILON)) {
      return {
        reason: {
          code: 'too-large',
          limit: `${LARGEST_ADAPTIVE_COUNT} mechanisms of epsilon ${LARGEST_ADAPTIVE_EPSILON}`,
        },
      };
    }
    return { curve: curveWithFailure(adaptiveOptimum(epsilon, count, effort), NEVER, 'tight') };
  },
};
