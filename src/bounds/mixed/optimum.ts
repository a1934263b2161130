import { toDouble, fromDouble, type DoubleDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, meet, midpoint, width, widthOverUpper, type Enclosure } from '../../numeric/enclosure.ts';
import { add, logarithm, multiply, subtract } from '../../numeric/enclosure-arithmetic.ts';
import type { LatticeMeasure } from '../../numeric/lattice/measure.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U, nextDown, nextUp } from '../../numeric/rounding.ts';
import { adversaryNear, upperAt, type AdaptiveTable } from '../bounded-range/adaptive-table.ts';
import { toUpper, type Decimal } from '../../numeric/decimal.ts';
import { certainEnd, crossingNear } from '../../numeric/bracket-root.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import type { Watch } from '../../numeric/watch.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import {
  aligned,
  composePairs,
  latticeSteps,
  type ComposedPairs,
  type PairGroup,
} from '../loss-distribution/discretised-method.ts';
import { SMALLEST_LOG_DELTA } from '../bounded-range/adaptive-optimum.ts';
import {
  logConversionFactor,
  saddlePointOfDelta,
  saddlePointOfEpsilon,
  type SaddlePoint,
} from '../core/moment-curve.ts';
import type { RangedSource } from '../bounded-range/ranged-source.ts';

/** When a factor has fallen this far below the largest possible one, the rest is left to the error. */
const NEGLIGIBLE = 2 ** -120;

/** Larger factors belong to places where the values themselves underflow. */
const LARGEST = 1e100;

/** logScale - tilt eps + logPeak, the logarithm of the factor before every sum below. */
const shiftOf = ({ logScale, tilt }: LatticeMeasure, { high, low }: DoubleDouble, logPeak: number): Enclosure =>
  add(exactly(logPeak), subtract(logScale, multiply(exactly(tilt), add(exactly(high), exactly(low)))));

const lossesOf = ({ origin, step, first }: LatticeMeasure): ((m: number) => number) => {
  const [start, h] = [toDouble(origin), toDouble(step)];
  return (m) => start + (first + m) * h;
};

/**
 * An upper bound on ln E[V(eps - L)], L with the law of the measure and V the curve of mechanisms that are played once L
 * is known: the sum over losses of mass(L) V(eps - L).
 *
 * With x = eps - L every term is weight e^(tilt x - logPeak) V(x) times e^(logScale - tilt eps + logPeak). `logPeak` bounds
 * ln(e^(tilt x) V(x)) for every x, so no factor exceeds 1: what was left out adds at most its weight. V decreases, so
 * taking it at a smaller x covers the rounding of positions.
 */
function logJoinedUpper(measure: LatticeMeasure, curve: AdaptiveTable, logPeak: number, epsilon: DoubleDouble): number {
  const { weights, tilt } = measure;
  const lossAt = lossesOf(measure);
  const eps = toDouble(epsilon);
  const last = lossAt(weights.length - 1);
  const farthest = Math.abs(eps) + Math.abs(lossAt(0)) + Math.abs(last);
  const blur = 16 * U * farthest;
  let [sum, squares, rest] = [0, 0, 0];
  for (let m = 0; m < weights.length; m++) {
    const x = eps - lossAt(m);
    const damp = Math.exp(tilt * x - logPeak);
    if (damp < NEGLIGIBLE) {
      for (let n = m; n < weights.length; n++) rest += Math.abs(weights[n]!) * damp;
      break;
    }
    const value = upperAt(curve, x - blur);
    if (value === 0) continue;
    const factor = Math.min(1, damp * value);
    sum += Math.max(0, weights[m]!) * factor;
    squares += factor * factor;
  }
  const relative =
    measure.relativeError +
    2 * ELEMENTARY_ERROR +
    (weights.length + 8) * U +
    4 * U * (Math.abs(logPeak) + tilt * farthest) +
    tilt * 2 * blur;
  const total =
    sum * (1 + relative) + 2 * rest + measure.normError * Math.sqrt(squares) * (1 + 2 ** -20) + measure.leak;
  return add(shiftOf(measure, epsilon, logPeak), logarithm(exactly(nextUp(total * (1 + 8 * U))))).upper;
}

/**
 * A lower bound on ln of what an adversary gains who sees the lattice cell of the first losses, under both hypotheses
 * (`other` times e^loss), and then plays as the adversary of the state that the cell leaves: the sum over cells of
 * P(cell) accept - e^eps Q(cell) falseAccept. Outside the cells he says "second". Any choice of state is legal.
 * `logPeak` only scales the sums.
 */
function logJoinedLower(
  own: LatticeMeasure,
  other: LatticeMeasure,
  curve: AdaptiveTable,
  logPeak: number,
  epsilon: DoubleDouble,
): number {
  const { tilt } = own;
  const h = toDouble(own.step);
  const eps = toDouble(epsilon);
  const lowest = Math.max(own.first, other.first);
  const last = Math.min(own.first + own.weights.length, other.first + other.weights.length) - 1;
  let [gained, paid, magnitude, ownSquares, otherSquares, dearest] = [0, 0, 0, 0, 0, 0];
  for (let index = lowest; index <= last; index++) {
    const [mass, cost] = [own.weights[index - own.first]!, other.weights[index - other.first]!];
    if (!(mass > 0 && cost > 0)) continue;
    const x = eps - index * h;
    // Where noise outweighs the mass the ratio says nothing; true losses lie within a step or so of their cell.
    const offset = Math.max(-2 * h, Math.min(2 * h, Math.log(mass / cost)));
    const { accept, falseAccept } = adversaryNear(curve, x - offset);
    if (accept === 0) continue;
    const damp = Math.exp(tilt * x - logPeak);
    const [gainFactor, costFactor] = [damp * accept, damp * Math.exp(x) * falseAccept];
    // Saying "second" is as legal; so far below the tail it costs nothing.
    if (!(gainFactor < LARGEST && costFactor < LARGEST) || mass * gainFactor <= cost * costFactor) continue;
    gained += mass * gainFactor;
    paid += cost * costFactor;
    magnitude += (mass * gainFactor + cost * costFactor) * Math.abs(x);
    ownSquares += gainFactor * gainFactor;
    otherSquares += costFactor * costFactor;
    dearest = Math.max(dearest, costFactor);
  }
  const rounding =
    (last - lowest + 16) * U +
    4 * ELEMENTARY_ERROR +
    8 * U * (Math.abs(logPeak) + (1 + tilt) * (Math.abs(eps) + Math.abs(lowest * h) + Math.abs(last * h) + h));
  const error =
    gained * (own.relativeError + rounding) +
    paid * (other.relativeError + rounding) +
    magnitude * (1 + tilt) * 8 * U +
    own.normError * Math.sqrt(ownSquares) +
    other.normError * Math.sqrt(otherSquares) +
    other.leak * dearest;
  const gain = nextDown(gained - paid - nextUp(error * (1 + 2 ** -20)));
  return add(shiftOf(own, epsilon, logPeak), logarithm(exactly(Math.max(0, gain)))).lower;
}

/** Both measures on cells of about this step, no longer than it: about as good where choices are compared only. */
function coarsened({ own, other }: ComposedPairs, step: number): readonly [own: LatticeMeasure, other: LatticeMeasure] {
  // An odd number, so that the middles of cells stay.
  const cells = Math.max(1, 2 * Math.floor((step / toDouble(own.step) - 1) / 2) + 1);
  const blockOf = (index: number): number => Math.round(index / cells);
  const inBlocks = (measure: LatticeMeasure): LatticeMeasure => {
    const first = blockOf(measure.first);
    const weights = new Float64Array(blockOf(measure.first + measure.weights.length) - first + 1);
    measure.weights.forEach((weight, m) => {
      weights[blockOf(measure.first + m) - first]! += weight;
    });
    return { ...measure, step: fromDouble(cells * toDouble(measure.step)), first, weights };
  };
  return [inBlocks(own), inBlocks(other)];
}

/** Both ends of ln E[V(eps - L)]. */
const joined = (
  measures: { readonly above: LatticeMeasure; readonly own: LatticeMeasure; readonly other: LatticeMeasure },
  tables: { readonly above: AdaptiveTable; readonly below: AdaptiveTable },
  logPeak: number,
  epsilon: DoubleDouble,
): Enclosure =>
  enclosure(
    logJoinedLower(measures.own, measures.other, tables.below, logPeak, epsilon),
    Math.min(0, logJoinedUpper(measures.above, tables.above, logPeak, epsilon)),
  );

/**
 * The lattice of the single pairs is this much finer than asked of the whole: it costs little beside finer tables, which
 * cannot make up for it.
 */
const LATTICE_SHARE = 1 / 256;
/** With those few tables make it so much narrower than asked. */
const BONUS = 0.05;

/** How near, in ln delta, a lower end alone is looked for. */
const LOOK = 1e-5;

/** Where a curve of lower ends crosses the target. */
function legalCrossing(
  lowerAt: (x: number) => number,
  target: Enclosure,
  { epsilon, tilt }: SaddlePoint,
  known: Enclosure,
): Enclosure {
  const evaluate = (x: number): Enclosure => {
    const lower = lowerAt(x);
    return enclosure(lower, lower + LOOK);
  };
  const within = enclosure(known.lower, Math.max(known.lower, Math.min(known.upper, 2 * epsilon)));
  const start = Math.min(within.upper, Math.max(known.lower, epsilon));
  return crossingNear({ evaluate, target, start, slope: tilt, within });
}

/** Tilts are graded by this, so that questions share lattices, of which so many are kept. */
const GRADE = 2 ** 0.25;
const MOST_LATTICES = 40;

const graded = (tilt: number): number => GRADE ** Math.round(Math.log(tilt) / Math.log(GRADE));

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
  const { isLower = false } = source;
  const step = aligned(groups, latticeSteps(groups, tolerance * LATTICE_SHARE).first);
  const largestLoss = maximum && source.maximum ? maximum.plus(source.maximum) : null;
  const lattices = new LruCache<ComposedPairs>(MOST_LATTICES);
  const composed = (tilt: number): ComposedPairs =>
    lattices.get(String(tilt), () => composePairs(groups, tilt, step, undefined, watch));
  const coarse = new LruCache<readonly [own: LatticeMeasure, other: LatticeMeasure]>(MOST_LATTICES);
  /** ln of a bound on e^(tilt x) V(x) for every x. */
  const logPeak = (tilt: number): number => source.logMoment(tilt).upper + logConversionFactor(tilt).upper;

  /** Far below the tail the tilt was chosen for weights underflow; there the curve is at least what it is farther out. */
  const under = (tiltThere: number) => {
    const tilt = Math.min(largestTilt, graded(tiltThere));
    const pairs = composed(tilt);
    const peak = logPeak(tilt);
    const lowest = pairs.highest - REACH / tilt;
    return {
      curve: (above: AdaptiveTable, below: AdaptiveTable, epsilon: DoubleDouble): Enclosure => {
        const isUnder = toDouble(epsilon) < lowest;
        const there = isUnder ? fromDouble(lowest) : epsilon;
        return isLower || isUnder
          ? enclosure(logJoinedLower(pairs.own, pairs.other, below, peak, there), 0)
          : joined(pairs, { above, below }, peak, epsilon);
      },
      gain: (epsilon: DoubleDouble) => (below: AdaptiveTable) => {
        const [own, other] = coarse.get(`${tilt} ${below.step}`, () => coarsened(pairs, below.step));
        return logJoinedLower(own, other, below, peak, epsilon);
      },
    };
  };

  return {
    maximum: largestLoss,

    logDelta(epsilon) {
      const x = toDouble(epsilon);
      const { tilt } = saddlePointOfEpsilon(logMoment, largestTilt, x);
      const { curve, gain } = under(tilt);
      const tail = logMoment(tilt) - tilt * x;
      let best = enclosure(-Infinity, 0);
      if (tail < SMALLEST_LOG_DELTA) return best;
      source.refine(tail, tolerance, {
        gain: gain(epsilon),
        bonus: BONUS,
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
      let best = enclosure(0, largestLoss ? toUpper(largestLoss) : Infinity);
      if (target.lower < SMALLEST_LOG_DELTA) return best;
      const { curve, gain } = under(start.tilt);
      source.refine(target.lower, tolerance, {
        gain: gain(fromDouble(start.epsilon)),
        bonus: BONUS,
        tilt: start.tilt,
        enclose(above, below) {
          const at = (x: number): Enclosure => curve(above, below, fromDouble(x));
          if (isLower) {
            const { lower } = legalCrossing((x) => at(x).lower, target, start, best);
            best = meet(best, enclosure(lower, Infinity));
            return widthOverUpper(best);
          }
          if (at(0).upper <= target.lower) {
            best = enclosure(0, 0);
            return 0;
          }
          const to = Number.isFinite(best.upper)
            ? best.upper
            : certainEnd({ evaluate: at, target, from: Math.max(1, 2 * start.epsilon) });
          const within = enclosure(best.lower, to);
          const near = best.upper < 2 * best.lower ? midpoint(best) : start.epsilon;
          const first = Math.min(to, Math.max(best.lower, near));
          best = meet(best, crossingNear({ evaluate: at, target, start: first, slope: start.tilt, within }));
          return widthOverUpper(best);
        },
      });
      return best;
    },
  };
}
