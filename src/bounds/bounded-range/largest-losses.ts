import { encloseDecimal } from '../../numeric/decimal.ts';
import { exactly, meet, width, type Enclosure } from '../../numeric/enclosure.ts';
import { add, divide, expm1, logarithm, negate, subtract, times } from '../../numeric/enclosure-arithmetic.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { mechanismsOf, totalEpsilon, type PureGroup } from '../../privacy/pure.ts';
import { besideLargestLoss } from '../core/curve-maximum.ts';
import type { Composition, Effort } from '../core/bound.ts';
import { manyBoundedRange, SMALLEST_EPSILON } from './adaptive-gaussian.ts';
import { DEFAULT_ADAPTIVE_TOLERANCE } from './adaptive-optimum.ts';
import { ADAPTIVE_SCALE } from './adaptive-tables.ts';
import { boundedRangeGroups } from '../core/entries.ts';

/** ln(1 - e^-x), x >= 0. */
const logComplement = (x: Enclosure): Enclosure => logarithm(negate(expm1(negate(x))));

/**
 * The curve of bounded-range mechanisms, adaptive or not, where epsilon is within the smallest parameter of the largest
 * loss: after one smaller loss nothing can exceed epsilon, so only t's along one path count, and
 * delta = prod (1 - e^-d_i) / (1 - e^-e_i) times 1 - e^-(g - sum d_i), d_i = e_i - t_i, g the distance to the largest loss.
 * The logarithm is a sum of n + 1 equal concave functions of numbers that add up to g: all are g / (n + 1).
 *
 * Source: derived.
 */
export function withLargestLosses(groups: readonly PureGroup[], curve: FiniteLossCurve): FiniteLossCurve {
  const parts = mechanismsOf(groups) + 1;
  const wholes = groups
    .map(({ epsilon, count }) => times(count, logComplement(encloseDecimal(epsilon))))
    .reduce(add, exactly(0));
  const reach = groups.reduce((e, { epsilon }) => (epsilon.lt(e) ? epsilon : e), groups[0]!.epsilon);
  const logDelta = (gap: Enclosure): Enclosure =>
    subtract(times(parts, logComplement(divide(gap, exactly(parts)))), wholes);
  return besideLargestLoss({ maximum: totalEpsilon(groups), reach, logDelta }, curve);
}

/** The limits in words beyond which there are neither tables nor a Gaussian curve above. */
export const RANGED_SCALE = `${ADAPTIVE_SCALE}, or any number of epsilon up to 5`;

/** From so many mechanisms on the Gaussian curve is within a few per thousand of the optimum, which is enough where no more is asked. */
const MANY = 500;
const TOLERANCE_OF_MANY = 5e-3;
/** Tables of more take long and are hardly narrower: they are made where a tolerance is asked. */
const FEW_ENOUGH = 2000;

/** For larger parameters tables are narrower: they are made where the Gaussian curve is not within this part of the tolerance. */
const LARGE = 0.3;
const SHARE_OF_LARGE = 1 / 5;

/** Of larger parameters the Gaussian curve is wider, and tables of any number that can be made are narrower. */
const LARGEST_OF_MANY = 5;

/** Near the smallest doubles tables of many are slow, and no narrower. */
const areTiny = (groups: readonly PureGroup[]): boolean => groups.every(({ epsilon }) => epsilon.lt(SMALLEST_EPSILON));

const areMany = (groups: readonly PureGroup[]): boolean => mechanismsOf(groups) >= MANY;

const areEnough = (groups: readonly PureGroup[]): boolean =>
  mechanismsOf(groups) > FEW_ENOUGH && groups.every(({ epsilon }) => epsilon.lte(LARGEST_OF_MANY));

const toleranceFor = (groups: readonly PureGroup[]): number =>
  areMany(groups) ? TOLERANCE_OF_MANY : DEFAULT_ADAPTIVE_TOLERANCE;

/** How narrow enclosures of bounded-range mechanisms are where nothing is asked. */
export function rangedTolerance(composition: Composition): number {
  const covered = boundedRangeGroups(composition);
  return 'reason' in covered ? DEFAULT_ADAPTIVE_TOLERANCE : toleranceFor(covered.groups);
}

/** A curve, with another that is slower where it is wider than the tolerance. */
export const refined = (quick: FiniteLossCurve, slow: FiniteLossCurve, tolerance: number): FiniteLossCurve => ({
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
 * The optimum of bounded-range mechanisms, adaptive or fixed in advance, by tables where they are few, without them where
 * they are many (see manyBoundedRange, whose lower end is an adversary who fixes all in advance), and by both where that
 * is not narrow enough. null where neither is known.
 *
 * @param byTables - the curve by tables; null where they would be too large
 */
export function rangedOptimum(
  groups: readonly PureGroup[],
  effort: Effort,
  byTables: (tolerance: number) => FiniteLossCurve | null,
): FiniteLossCurve | null {
  const tolerance = effort.tolerance ?? toleranceFor(groups);
  const many = areMany(groups) ? manyBoundedRange(groups, effort) : null;
  if (many === null) return byTables(tolerance);
  if (areTiny(groups) || (effort.tolerance === undefined && areEnough(groups))) return many;
  const isLarge = effort.tolerance === undefined && groups.some(({ epsilon }) => epsilon.gt(LARGE));
  const wanted = isLarge ? tolerance * SHARE_OF_LARGE : tolerance;
  const slow = byTables(wanted);
  return slow ? refined(many, slow, wanted) : many;
}
