import { NEVER } from '../../privacy/failure.ts';
import { curveWithFailure, LOSSLESS } from '../../privacy/finite-loss-curve.ts';
import { boundedByFreer } from '../../privacy/curve.ts';
import { freestCurve, type Bound } from '../core/bound.ts';
import { adaptiveOptimum } from './adaptive-optimum.ts';
import { adaptiveTables } from './adaptive-tables.ts';
import { withLargestLosses, RANGED_SCALE, rangedOptimum, rangedTolerance } from './largest-losses.ts';
import { nonadaptiveOptimum } from './nonadaptive-optimum.ts';
import { boundedRangeGroups } from '../core/entries.ts';

/**
 * The exact optimum for bounded-range mechanisms that are chosen adaptively, enclosed: in any order, or in the order in
 * which they are declared. Many are enclosed without tables (see manyBoundedRange).
 *
 * Source: Dong, Durfee, Rogers (2020), Lemma 3.2 for equal parameters and Lemma 6.1 for different ones in the declared order,
 * who call the recursion intractable; its certified solution and any order are derived (see solveRecursion).
 */
export const brAdaptive: Bound = {
  id: 'br-adaptive',
  name: 'bounded range, adaptive optimum',
  reference: 'Dong, Durfee, Rogers 2020, Lemma 3.2 and 6.1; enclosure derived',
  exposition: {
    statement:
      'The smallest claim for bounded-range (exponential) mechanisms that are chosen adaptively, enclosed to the tolerance.',
    formula: [
      'V_0(x) = max(0, 1 - exp(x))',
      'V_j(x) = sup over t in [0, e_j] of q V_(j-1)(x - t) + (1 - q) V_(j-1)(x - t + e_j),  q = (1 - exp(t - e_j)) / (1 - exp(-e_j))',
      'd(e) = V_k(e)',
    ],
    departures: [
      'The paper gives the recursion for different parameters in their declared order, and calls it intractable. In y = exp(x) each step is the largest chord of a convex function. That it is solved from below and above on a grid is derived, and so is the optimum of any order.',
      'For many mechanisms the upper end is a Gaussian curve. One step of the recursion takes the curve of mu^2 = s below that of s + (pi / 2) u, where u = e^2 / 4. For large s it also is below those of s^2 / (s - u) and of a little more than s + u (1 + 0.26 u / s + 0.06 (u / s)^5). Or the Gaussian curve is shifted: drift and variance are those of the tangent to the moments at the tilt of the tail.',
    ],
    works: ['dong-durfee-rogers-2020'],
    slack: 'the width of its enclosure',
    coverage: {
      types: ['bounded-range'],
      noninteractive: ['bounded-range'],
      adaptivity: 'adaptive',
      conditions: ['tables of a size that can be computed, or 500 mechanisms and more, none above epsilon 5'],
    },
  },
  tolerance: rangedTolerance,
  isSlow: () => true,
  apply(composition, effort) {
    const covered = boundedRangeGroups(composition);
    if ('reason' in covered) return covered;
    const { groups } = covered;
    const [first] = groups;
    if (composition.adaptivity === 'nonadaptive') {
      return { reason: { code: 'is-exact-otherwise', bound: 'br-nonadaptive' } };
    }
    if (!first) return { curve: curveWithFailure(LOSSLESS, NEVER, 'tight') };
    if (groups.length === 1 && first.count === 1) {
      return { curve: curveWithFailure(nonadaptiveOptimum(first.epsilon, 1, 'both', effort), NEVER, 'tight') };
    }
    const tables = adaptiveTables(covered.listed, composition.order, effort.session);
    const optimum = rangedOptimum(
      groups,
      effort,
      (tolerance) => tables && adaptiveOptimum(groups, tables, tolerance, effort),
    );
    if (!optimum) return { reason: { code: 'too-large', limit: RANGED_SCALE } };
    const own = curveWithFailure(withLargestLosses(groups, optimum), NEVER, 'tight');
    const isFreest = composition.order === 'any' || groups.length === 1;
    return { curve: isFreest ? own : boundedByFreer(own, () => freestCurve(brAdaptive, composition, effort)) };
  },
};
