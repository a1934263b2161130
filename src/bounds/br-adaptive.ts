import { NEVER } from '../privacy/failure.ts';
import { curveWithFailure, LOSSLESS, type FiniteLossCurve } from '../privacy/finite-loss-curve.ts';
import { meet, width } from '../numeric/enclosure.ts';
import { mechanismsOf, type PureGroup } from '../privacy/pure-group.ts';
import type { PrivacyCurve } from '../privacy/curve.ts';
import { boundedByFreer } from '../privacy/freer-curve.ts';
import { inAnyOrder, type Bound, type Composition, type Effort } from './bound.ts';
import { adaptiveOptimum, DEFAULT_ADAPTIVE_TOLERANCE } from './br-adaptive-optimum.ts';
import { manyBoundedRange } from './br-adaptive-gaussian.ts';
import { adaptiveTables, ADAPTIVE_SCALE } from './br-adaptive-tables.ts';
import { nonadaptiveOptimum } from './br-nonadaptive-optimum.ts';
import { boundedRangeGroups } from './entries.ts';

/** The optimum for who chooses along the way, in any order; null where there is none. */
export function adaptiveCurve(composition: Composition, effort: Effort): PrivacyCurve | null {
  const applied = brAdaptive.apply(inAnyOrder(composition), effort);
  return 'curve' in applied ? applied.curve : null;
}

/** From so many mechanisms on the Gaussian curve is within a few per thousand of the optimum, which is enough where no more is asked. */
const MANY = 500;
const TOLERANCE_OF_MANY = 3e-3;
/** Tables of more take long and are hardly narrower: they are made where a tolerance is asked. */
const FEW_ENOUGH = 2000;

const areMany = (groups: readonly PureGroup[]): boolean => mechanismsOf(groups) >= MANY;
const toleranceOf = (groups: readonly PureGroup[]): number =>
  areMany(groups) ? TOLERANCE_OF_MANY : DEFAULT_ADAPTIVE_TOLERANCE;

/** A curve, with another that is slower where it is wider than the tolerance. */
const refined = (quick: FiniteLossCurve, slow: FiniteLossCurve, tolerance: number): FiniteLossCurve => ({
  maximum: quick.maximum,
  logDelta(epsilon) {
    const first = quick.logDelta(epsilon);
    return width(first) <= tolerance ? first : meet(first, slow.logDelta(epsilon));
  },
  epsilon(target) {
    const first = quick.epsilon!(target);
    return width(first) <= tolerance * first.upper ? first : meet(first, slow.epsilon!(target));
  },
});

/**
 * The exact optimum for bounded-range mechanisms that are chosen adaptively, enclosed: in any order, or in the order in
 * which they are declared. Many are enclosed without tables (see manyBoundedRange).
 *
 * Source: Dong, Durfee, Rogers (2020), Section 5, give the recursion for equal parameters and call it intractable; its
 * certified solution, different parameters and orders are derived (see solveRecursion).
 */
export const brAdaptive: Bound = {
  id: 'br-adaptive',
  name: 'bounded range, adaptive optimum',
  reference: 'Dong, Durfee, Rogers 2020, Sec 5; enclosure derived',
  tolerance(composition) {
    const covered = boundedRangeGroups(composition);
    return 'reason' in covered ? DEFAULT_ADAPTIVE_TOLERANCE : toleranceOf(covered.groups);
  },
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
    const many = areMany(groups) ? manyBoundedRange(groups, effort) : null;
    if (!tables && !many)
      return { reason: { code: 'too-large', limit: `${ADAPTIVE_SCALE}, or any number of epsilon up to 4.8` } };
    const tolerance = effort.tolerance ?? toleranceOf(groups);
    const isEnough = many !== null && effort.tolerance === undefined && mechanismsOf(groups) > FEW_ENOUGH;
    const byTables = tables && !isEnough ? adaptiveOptimum(groups, tables, tolerance, effort) : null;
    const optimum = many && byTables ? refined(many, byTables, tolerance) : (byTables ?? many!);
    const own = curveWithFailure(optimum, NEVER, 'tight');
    const isFreest = composition.order === 'any' || groups.length === 1;
    return { curve: isFreest ? own : boundedByFreer(own, () => adaptiveCurve(composition, effort)) };
  },
};
