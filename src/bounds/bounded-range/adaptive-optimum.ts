import { toDouble, type DoubleDouble } from '../../numeric/double-double.ts';
import { toUpper } from '../../numeric/decimal.ts';
import { enclosure, exactly, meet, midpoint, width, widthOverUpper, type Enclosure } from '../../numeric/enclosure.ts';
import { exponential, logarithm } from '../../numeric/enclosure-arithmetic.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import type { PureGroup } from '../../privacy/pure.ts';
import type { Effort } from '../core/bound.ts';
import { crossing, lowerAt, upperAt, type AdaptiveTable } from './adaptive-table.ts';
import type { AdaptiveTables } from './adaptive-tables.ts';
import { nonadaptiveOptimum } from './nonadaptive-optimum.ts';
import { logConversionFactor, momentCurve, saddlePointOfDelta, saddlePointOfEpsilon } from '../core/moment-curve.ts';
import { rangesOnly, tableSource, type RangedSource } from './ranged-source.ts';

/** The relative width of enclosures where none is asked. */
export const DEFAULT_ADAPTIVE_TOLERANCE = 1e-3;

/** The largest tilt that is looked for. */
const LARGEST_TILT = 1e9;

/** Below this logarithm values underflow, and only the closed bounds are used. */
export const SMALLEST_LOG_DELTA = -600;

/** The larger lower end of two, beside the upper end of the first. */
const raised = (a: Enclosure, b: Enclosure): Enclosure => enclosure(Math.max(a.lower, b.lower), a.upper);

/**
 * The curve of bounded-range mechanisms from tables that are refined until the enclosure is as narrow as asked. The
 * moment bound lowers the upper end where it is better.
 */
export function rangedCurve({ maximum, logMoment, refine }: RangedSource, tolerance: number): FiniteLossCurve {
  const moments = momentCurve({ logMoment, logFactor: logConversionFactor, maximum, breakpoints: [] });
  const roughly = (tilt: number): number => midpoint(logMoment(tilt));
  return {
    maximum,

    logDelta(epsilon: DoubleDouble) {
      const x = toDouble(epsilon);
      // V decreases, and epsilon lies between the doubles next to x.
      const [before, after] = epsilon.low === 0 ? [x, x] : [nextDown(x), nextUp(x)];
      const between = (below: AdaptiveTable, above: AdaptiveTable): Enclosure =>
        logarithm(enclosure(Math.max(0, lowerAt(below, after)), upperAt(above, before)));
      let best = enclosure(-Infinity, moments.logDelta(epsilon).upper);
      if (best.upper < SMALLEST_LOG_DELTA) return best;
      const { tilt } = saddlePointOfEpsilon(roughly, LARGEST_TILT, x);
      refine(best.upper, tolerance, {
        gain: (below) => lowerAt(below, x),
        alone: {
          place: () => x,
          allowed: (above) => upperAt(above, before),
          lowered(upper) {
            best = meet(best, enclosure(-Infinity, logarithm(exactly(upper)).upper));
          },
          raised(legal) {
            const found = legal.logDelta(epsilon);
            best = raised(best, found);
            return exponential(found).lower;
          },
        },
        tilt,
        growth: (tilt * (tilt + 1)) / 2,
        enclose(above, below) {
          best = meet(best, between(below, above));
          return width(best);
        },
      });
      return best;
    },

    epsilon(target) {
      const goal = exponential(target);
      let best: Enclosure = enclosure(
        0,
        Math.min(moments.epsilon!(target).upper, maximum ? toUpper(maximum) : Infinity),
      );
      if (best.upper === 0 || target.lower < SMALLEST_LOG_DELTA) return best;
      const { tilt, epsilon } = saddlePointOfDelta(roughly, LARGEST_TILT, target.lower);
      refine(target.lower, tolerance, {
        gain: (below) => crossing(below, goal).lower,
        alone: {
          place: () => best.lower,
          allowed: (above) => crossing(above, goal).upper,
          lowered(upper) {
            best = meet(best, enclosure(0, upper));
          },
          raised(legal) {
            const found = legal.epsilon!(target);
            best = raised(best, found);
            return found.lower;
          },
        },
        tilt,
        growth: (tilt + 1) / (2 * epsilon),
        enclose(above, below) {
          const [high, low] = [crossing(above, goal), crossing(below, goal)];
          best = meet(best, enclosure(low.lower, high.upper));
          return widthOverUpper(best);
        },
      });
      return best;
    },
  };
}

/** Part of the tolerance: what tables enclose so narrowly, an adversary who fixes all in advance cannot raise by more. */
const NARROW = 1 / 16;

/**
 * The optimal adaptive composition of bounded-range mechanisms. Where all parameters are equal the nonadaptive optimum, a
 * legal adversary, raises the lower end where it is higher.
 */
export function adaptiveOptimum(
  groups: readonly PureGroup[],
  tables: AdaptiveTables,
  tolerance: number,
  effort: Effort,
): FiniteLossCurve {
  const adaptive = rangedCurve(tableSource(rangesOnly(groups), tables, effort), tolerance);
  const [equal, ...others] = groups;
  if (!equal || others.length > 0) return adaptive;
  const legal = nonadaptiveOptimum(equal.epsilon, equal.count, 'lower');
  return {
    maximum: adaptive.maximum,
    logDelta(epsilon) {
      const found = adaptive.logDelta(epsilon);
      return width(found) <= NARROW * tolerance ? found : raised(found, legal.logDelta(epsilon));
    },
    epsilon(target) {
      const found = adaptive.epsilon!(target);
      return widthOverUpper(found) <= NARROW * tolerance ? found : raised(found, legal.epsilon!(target));
    },
  };
}
