import { NEVER } from '../../privacy/failure.ts';
import { curveWithFailure, LOSSLESS } from '../../privacy/finite-loss-curve.ts';
import { mechanismKey } from '../../privacy/mechanism-key.ts';
import { boundedByFreer } from '../../privacy/freer-curve.ts';
import { freestCurve, type Bound, type Composition } from '../core/bound.ts';
import { brAdaptive } from './adaptive.ts';
import { rangedCurve } from './adaptive-optimum.ts';
import { fewChoices } from './few-choices.ts';
import { withLargestLosses } from './largest-losses.ts';
import { RANGED_SCALE, rangedOptimum, rangedTolerance, refined } from './many.ts';
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
 * ones (see fewChoices, nonadaptiveSource, and manyBoundedRange where they are many), never above the claim for adaptively chosen
 * ones. One mechanism alone has nothing to adapt to, so there it holds adaptively too.
 *
 * Source: Dong, Durfee, Rogers (2020), Lemma 3.1, Theorem 3 for equal parameters; the search of different ones is derived, by
 * Lemma 5.4.
 */
export const brNonadaptive: Bound = {
  id: 'br-nonadaptive',
  name: 'bounded range, nonadaptive optimum',
  reference: 'Dong, Durfee, Rogers 2020, Lemma 3.1; Thm 3 for equal parameters',
  exposition: {
    statement:
      'The smallest claim for bounded-range (exponential) mechanisms that are all fixed in advance; exact for equal parameters.',
    formula: [
      'd(e) = max over l = 0..k of d_k(t_l),  t_l = (e + (l + 1) e_0) / (k + 1) where that is in [0, e_0]',
      'd_k(t) = sum_i C(k, i) p^(k-i) (1 - p)^i max(0, exp(k t - i e_0) - exp(e))',
      'p = (exp(-t) - exp(-e_0)) / (1 - exp(-e_0))',
    ],
    departures: [
      'For different parameters the optimum of Lemma 3.1 is enclosed; one t for each parameter is enough (Lemma 5.4 given the losses of the others). Up to 256 outcomes are searched by branch and bound, from both sides.',
      'For more outcomes a search gives the lower end, and the adaptive optimum of one order the upper end. From 500 mechanisms on the lower end takes the t of the best Chernoff bounds, the upper end the Gaussian curve above the adaptive optimum.',
    ],
    works: ['dong-durfee-rogers-2020'],
    slack: 'nothing for equal parameters, the width of its enclosure for different ones',
    coverage: {
      types: ['bounded-range'],
      noninteractive: ['bounded-range'],
      adaptivity: 'nonadaptive',
      conditions: ['one mechanism alone has nothing to adapt to, so that it also holds adaptively'],
    },
  },
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
    const byTables = rangedOptimum(groups, effort, (tolerance) => {
      const source = nonadaptiveSource(groups, effort);
      return source && rangedCurve(source, tolerance);
    });
    const few = fewChoices(groups, effort);
    const curve = few && byTables ? refined(few, byTables, rangedTolerance(composition)) : (few ?? byTables);
    if (!curve) return { reason: { code: 'too-large', limit: RANGED_SCALE } };
    const own = curveWithFailure(withLargestLosses(groups, curve), NEVER, 'tight');
    return { curve: boundedByFreer(own, () => freestCurve(brAdaptive, composition, effort)) };
  },
};
