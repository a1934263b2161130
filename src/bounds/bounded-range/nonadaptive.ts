import { toUpper } from '../../numeric/decimal.ts';
import { toDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { exponential, logarithm } from '../../numeric/enclosure-arithmetic.ts';
import { bracketRoot } from '../../numeric/bracket-root.ts';
import { curveWithFailure, LOSSLESS, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { totalEpsilon, type PureGroup } from '../../privacy/pure.ts';
import { freestCurve, type Effort, type Bound, type Composition } from '../core/bound.ts';
import { branch, followed, type Branched } from './branches.ts';
import { thresholdSets } from './threshold-sets.ts';
import { NEVER } from '../../privacy/failure.ts';
import { mechanismKey } from '../../privacy/mechanism-key.ts';
import { boundedByFreer } from '../../privacy/curve.ts';
import { brAdaptive } from './adaptive.ts';
import { rangedCurve } from './adaptive-optimum.ts';
import { withLargestLosses, RANGED_SCALE, rangedOptimum, rangedTolerance, refined } from './largest-losses.ts';
import { nonadaptiveOptimum } from './nonadaptive-optimum.ts';
import { nonadaptiveSource } from './nonadaptive-source.ts';
import { boundedRangeGroups } from '../core/entries.ts';

/** The relative width that is tried for. */
const TOLERANCE = 1e-4;
/** Numbers that are multiplied for one answer: a few seconds at most, or ten where a tolerance is asked. */
const USUAL_WORK = 5e9;
const MOST_WORK = 2e10;
/**
 * Of more outcomes the sets are searched in vain, but for the delta of two parameters, where so many looks at each are affordable: sums of
 * multiples of one number are few. An epsilon takes many searches.
 */
const MOST_OUTCOMES = 512;
const LOOKS = 25;
/** Of larger sums of all parameters, powers of e overflow. */
const LARGEST_TOTAL = 700;
/** Claims are tried at these parts of the tolerance beyond the place where the best t's cross the target. */
const MARGINS = [1 / 4, 1, 4, 16, 64];
/** A claim that a better adversary breaks is followed by one beyond the place of his, this often at most. */
const MOST_TRIES = 8;

/**
 * The optimum of few bounded-range mechanisms that are fixed in advance, by branch and bound over their t's (see
 * {@link branch}); null where they have too many outcomes.
 */
export function fewChoices(groups: readonly PureGroup[], effort: Effort): FiniteLossCurve | null {
  const sets = thresholdSets(groups);
  const maximum = totalEpsilon(groups);
  if (!sets || maximum.gt(LARGEST_TOTAL)) return null;
  const { counts, outcomes } = sets;
  /** Of one box: along the axis of each parameter, twice for two bounds, for the window of each, and for its expansion. */
  const each = outcomes * counts.reduce((sum, k) => sum + k + 1, 0) * (4 * counts.length + 12);
  const tolerance = effort.tolerance ?? TOLERANCE;
  const work = (effort.tolerance === undefined || effort.sparing === true ? USUAL_WORK : MOST_WORK) / each;
  if (outcomes > MOST_OUTCOMES && (counts.length > 2 || sets.size * LOOKS > work)) return null;
  return {
    maximum,
    logDelta(epsilon) {
      const found = branch(sets, toDouble(epsilon), work, (best) => best * (1 + tolerance / 2), effort.exhausted);
      return logarithm(enclosure(found.lower, Math.min(1, found.upper)));
    },
    epsilon(target) {
      const goal = exponential(target);
      const to = toUpper(maximum);
      if (outcomes > MOST_OUTCOMES) return enclosure(0, to);
      let left = work;
      const searched = (x: number, enough: (best: number) => number, most = left): Branched => {
        const found = branch(sets, x, most, enough, effort.exhausted);
        left -= found.boxes;
        return found;
      };
      /** A look at each set, and a climb from the best. */
      const climbed = (x: number): Branched => searched(x, (best) => best, 0);
      const nothing = searched(0, (best) => Math.max(goal.lower, best));
      if (nothing.upper <= goal.lower) return enclosure(0, 0);
      /** Where what somebody reaches crosses the target. */
      const crossing = (reached: (x: number) => number): Enclosure =>
        bracketRoot({ evaluate: (x) => exactly(reached(x)), target: exactly(midpoint(goal)), from: 0, to });
      // Where one adversary crosses the target another is better: from below, until none is by much.
      let { adversary } = nothing;
      let at = exactly(0);
      for (let tries = 0; tries < MOST_TRIES && left > 0 && !effort.exhausted(); tries++) {
        const better = tries === 0 ? adversary : climbed(at.lower).adversary;
        const next = better === null ? at : crossing((x) => followed(sets, x, better));
        if (better === null || !(next.lower > at.lower)) break;
        const isNear = next.lower <= at.lower * (1 + tolerance / 16);
        [adversary, at] = [better, next];
        if (isNear) break;
      }
      /** At least the crossing of the best adversary known: what is reached there is above the target. */
      const lowerEnd = (): number => {
        let lower: number = at.lower;
        const isAbove = (x: number): boolean => adversary !== null && followed(sets, x, adversary) > goal.upper;
        while (lower > 0 && !isAbove(lower)) lower = lower > 1e-12 * to ? lower * (1 - 1e-12) - 1e-13 * to : 0;
        return Math.max(0, lower);
      };
      for (const share of MARGINS) {
        for (let tries = 0; tries < MOST_TRIES; tries++) {
          const upper = at.upper * (1 + share * tolerance);
          if (upper >= to || left <= 0 || effort.exhausted()) return enclosure(lowerEnd(), to);
          const found = searched(upper, () => goal.lower);
          if (found.upper <= goal.lower) return enclosure(lowerEnd(), upper);
          const better = found.adversary;
          if (better === null || !(found.lower > goal.upper)) break;
          adversary = better;
          at = crossing((x) => followed(sets, x, better));
        }
      }
      return enclosure(lowerEnd(), to);
    },
  };
}

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
      'For different parameters the optimum of Lemma 3.1 is enclosed; one t for each parameter is enough (Lemma 5.4 given the losses of the others). Up to 512 outcomes are searched by branch and bound, from both sides; of two parameters more, where their sums are few.',
      'For more outcomes a search gives the lower end. The upper end allows adversaries who adapt within a box of choices (up to three different parameters), or without limit. From 500 mechanisms on the lower end takes the t of the best Chernoff bounds, the upper end the Gaussian curve above the adaptive optimum.',
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
