import { toUpper, type Decimal } from '../../numeric/decimal.ts';
import { fromDouble, toDouble, type DoubleDouble } from '../../numeric/double-double.ts';
import { enclosure, meet, midpoint, width, widthOverUpper, type Enclosure } from '../../numeric/enclosure.ts';
import { bracketRoot, certainEnd } from '../../numeric/bracket-root.ts';
import type { Watch } from '../../numeric/watch.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import {
  aligned,
  composePairs,
  latticeSteps,
  type ComposedPairs,
  type PairGroup,
} from '../loss-distribution/discretised-method.ts';
import type { AdaptiveTable } from '../bounded-range/adaptive-table.ts';
import { SMALLEST_LOG_DELTA } from '../bounded-range/adaptive-optimum.ts';
import { joined, logJoinedLower } from './integral.ts';
import { logConversionFactor } from '../core/moment-curve.ts';
import type { RangedSource } from '../bounded-range/ranged-source.ts';
import { saddlePointOfDelta, saddlePointOfEpsilon } from '../core/saddle-point.ts';

/** The lattice of the single pairs is this much finer than asked of the whole: it costs little. */
const LATTICE_SHARE = 1 / 16;

/** Largest tilt times (highest loss - epsilon) before tilted weights underflow. */
const REACH = 600;

/**
 * Single pairs and bounded-range mechanisms together, chosen adaptively in any order: the single pairs' losses L are
 * composed first, and the curve V of the bounded-range mechanisms is integrated against them, delta = E[V(eps - L)].
 *
 * That order is the best for the adversary: with M a single pair among the set S, V_S(x) = E[V_(S-M)(x - L_M)]. By
 * induction on the size of S: if S begins with another mechanism N, what follows may be assumed to begin with M; since
 * L_M does not depend on what N reveals, sup over N's choice of E over its outcomes of E over L_M is at most
 * E over L_M of the sup (sup E <= E sup), which is what playing M first attains. V is a mixture of hockey sticks (it is
 * convex and decreasing in e^x, from 1 to 0), so a measure whose hockey-stick curve lies above gives an upper bound.
 *
 * On lattices, which the tables of V are on anyway. A contour can carry V too, as the law of a loss X whose curve is V's
 * interpolation, but for few mechanisms, and for Laplace noise, V and the losses have corners that it must smooth: as
 * wide, and 1.3 to 9 times as slow.
 *
 * Source: derived; it answers the question of Dong, Durfee, Rogers (2020), Section 8.
 */
export function mixedOptimum(
  groups: readonly PairGroup[],
  maximum: Decimal | null,
  source: RangedSource,
  tolerance: number,
  watch: Watch,
): FiniteLossCurve {
  const largestTilt = Math.min(...groups.map(({ pair }) => pair.largestTilt));
  const logMoment = (tilt: number): number =>
    groups.reduce((sum, { pair, count }) => sum + count * pair.approximateLogMoment(tilt), 0) +
    midpoint(source.logMoment(tilt));
  const step = aligned(groups, latticeSteps(groups, tolerance * LATTICE_SHARE).first);
  const most = maximum && source.maximum ? maximum.plus(source.maximum) : null;
  let kept: { readonly tilt: number; readonly pairs: ComposedPairs } | null = null;
  const composed = (tilt: number): ComposedPairs => {
    if (kept?.tilt !== tilt) kept = { tilt, pairs: composePairs(groups, tilt, step, undefined, watch) };
    return kept.pairs;
  };
  /** ln of a bound on e^(tilt x) V(x) for every x. */
  const logPeak = (tilt: number): number => source.logMoment(tilt).upper + logConversionFactor(tilt).upper;

  /** Far below the tail the tilt was chosen for weights underflow; there the curve is at least what it is farther out. */
  const under = (tilt: number) => {
    const pairs = composed(tilt);
    const peak = logPeak(tilt);
    const lowest = pairs.highest - REACH / tilt;
    return {
      curve: (above: AdaptiveTable, below: AdaptiveTable, epsilon: DoubleDouble): Enclosure =>
        toDouble(epsilon) >= lowest
          ? joined(pairs, { above, below }, peak, epsilon)
          : enclosure(logJoinedLower(pairs.own, pairs.other, below, peak, fromDouble(lowest)), 0),
      gain: (epsilon: DoubleDouble) => (below: AdaptiveTable) =>
        logJoinedLower(pairs.own, pairs.other, below, peak, epsilon),
    };
  };

  return {
    maximum: most,

    logDelta(epsilon) {
      const x = toDouble(epsilon);
      const { tilt } = saddlePointOfEpsilon(logMoment, largestTilt, x);
      const { curve, gain } = under(tilt);
      const tail = logMoment(tilt) - tilt * x;
      let best = enclosure(-Infinity, 0);
      if (tail < SMALLEST_LOG_DELTA) return best;
      source.refine(tail, tolerance, {
        gain: gain(epsilon),
        tilt,
        enclose(above, below) {
          best = meet(best, curve(above, below, epsilon));
          return width(best);
        },
      });
      return best;
    },

    epsilon(target) {
      const start = saddlePointOfDelta(logMoment, largestTilt, midpoint(target));
      let best = enclosure(0, most ? toUpper(most) : Infinity);
      if (target.lower < SMALLEST_LOG_DELTA) return best;
      const { curve, gain } = under(start.tilt);
      source.refine(target.lower, tolerance, {
        gain: gain(fromDouble(start.epsilon)),
        tilt: start.tilt,
        enclose(above, below) {
          const at = (x: number): Enclosure => curve(above, below, fromDouble(x));
          if (at(0).upper <= target.lower) {
            best = enclosure(0, 0);
            return 0;
          }
          const to = Number.isFinite(best.upper)
            ? best.upper
            : certainEnd({ evaluate: at, target, from: Math.max(1, 2 * start.epsilon) });
          best = meet(best, bracketRoot({ evaluate: at, target, from: best.lower, to, start: start.epsilon }));
          return widthOverUpper(best);
        },
      });
      return best;
    },
  };
}
