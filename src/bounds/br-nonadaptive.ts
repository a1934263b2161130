import { NEVER } from '../privacy/failure.ts';
import { curveWithFailure } from '../privacy/finite-loss-curve.ts';
import type { Bound } from './bound.ts';
import { nonadaptiveOptimum } from './br-nonadaptive-optimum.ts';
import { boundedRangeGroups } from './entries.ts';

/**
 * The exact optimum for equal bounded-range mechanisms that are fixed in advance. One mechanism alone has nothing to
 * adapt to, so there it holds adaptively too.
 *
 * Source: Dong, Durfee, Rogers (2020), Theorem 3.
 */
export const brNonadaptive: Bound = {
  id: 'br-nonadaptive',
  name: 'bounded range, nonadaptive optimum',
  reference: 'Dong, Durfee, Rogers 2020, Thm 3',
  apply(composition) {
    const covered = boundedRangeGroups(composition);
    if ('reason' in covered) return covered;
    const [group, ...others] = covered.groups;
    if (!group || others.length > 0)
      return { reason: { code: 'needs-one-parameter', distinct: covered.groups.length } };
    if (composition.adaptivity !== 'nonadaptive' && group.count > 1) return { reason: { code: 'needs-nonadaptive' } };
    return { curve: curveWithFailure(nonadaptiveOptimum(group.epsilon, group.count), NEVER, 'tight') };
  },
};
