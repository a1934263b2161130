import { contourFor, type Contour, type Goal } from '../numeric/contour/contour.ts';
import { sideOf } from '../numeric/contour/line.ts';
import { composedMoment, type ComposedLoss } from '../numeric/contour/composed-loss.ts';
import { toUpper, type Decimal } from '../numeric/decimal.ts';
import { crossingNear, type CrossingNear } from '../numeric/crossing-near.ts';
import { fromDouble, toDouble, type DoubleDouble } from '../numeric/double-double.ts';
import { enclosure, midpoint, width, type Enclosure } from '../numeric/enclosure.ts';
import { exponential, expm1, log1p, logarithm, negate } from '../numeric/enclosure-arithmetic.ts';

import { unlessInterrupted } from '../numeric/watch.ts';
import type { FiniteLossCurve } from '../privacy/finite-loss-curve.ts';
import type { Effort } from './bound.ts';
import { saddlePointOfDelta } from './saddle-point.ts';

const LARGEST_TILT = 1e12;
const MAX_REFINEMENTS = 4;
/** No narrower enclosure of delta is looked for. */
const LEAST_WIDTH = 1e-12;
/** How narrow delta is while the place of an epsilon is looked for. */
const COARSE = 1e-2;
const MOST_STEPS = 12;
/** From here on 1 - delta is what is computed. */
const MANY = Math.log(0.5);

const meet = (a: Enclosure, b: Enclosure): Enclosure =>
  enclosure(Math.max(a.lower, b.lower), Math.min(a.upper, b.upper));

const overlap = (a: Enclosure, b: Enclosure): boolean => a.lower <= b.upper && b.lower <= a.upper;

/** ln(1 - e^x), x <= 0. */
const logOfRest = (x: Enclosure): Enclosure => {
  const capped = enclosure(Math.min(0, x.lower), Math.min(0, x.upper));
  return logarithm(negate(expm1(capped)));
};

/** ln delta by a contour, whichever side it is on. */
function logDeltaBy(contour: Contour, side: Goal['side'], x: DoubleDouble): Enclosure {
  const value = contour.logValue(x);
  if (side === 'above') return value;
  const { lower, upper } = log1p(negate(exponential(value)));
  return enclosure(Number.isNaN(lower) ? -Infinity : lower, Math.min(0, upper));
}

/** Whether a search for the smallest epsilon ended where it is certain to some tolerance. */
const relativeWidthOf = (e: Enclosure): number => (e.upper > 0 ? width(e) / e.upper : 0);

/**
 * The curve of a composed loss by contour integrals, each made for the epsilon that is asked, or for that at which delta is
 * asked, and narrowed until the relative width is `tolerance`, the effort is spent or rounding is all that is left.
 *
 * @throws Interrupted where it is given up before there is anything
 */
export function contourCurve(
  loss: ComposedLoss,
  maximum: Decimal | null,
  tolerance: number,
  effort: Effort,
): FiniteLossCurve {
  /** Narrows what a contour gives; `relative` tells how wide it is. */
  function refined(
    goal: Goal,
    read: (contour: Contour) => Enclosure,
    relative: (value: Enclosure) => number,
    known: Enclosure,
  ): Enclosure {
    let asked = Math.max(LEAST_WIDTH, Math.min(COARSE, goal.width));
    let best = meet(known, read(contourFor(loss, { ...goal, width: asked }, effort)));
    for (let tries = 0; tries < MAX_REFINEMENTS; tries++) {
      const reached = relative(best);
      if (!(reached > tolerance) || effort.exhausted() || asked <= LEAST_WIDTH) break;
      asked = Math.max(LEAST_WIDTH, asked * Math.min(0.3, (0.7 * tolerance) / reached));
      const finer = asked;
      const next = unlessInterrupted(() => meet(best, read(contourFor(loss, { ...goal, width: finer }, effort))));
      if (next === null) break;
      best = next;
      if (relative(best) > 0.7 * reached) break;
    }
    return best;
  }

  /** ln delta, narrowed while it is too wide. */
  const at = (epsilon: DoubleDouble, asked: number, relative: (value: Enclosure) => number): Enclosure => {
    const x = toDouble(epsilon);
    const side = sideOf(loss, x);
    const read = (contour: Contour): Enclosure => logDeltaBy(contour, side, epsilon);
    return refined({ epsilon: x, side, width: asked }, read, relative, enclosure(-Infinity, 0));
  };
  /** ln delta by one coarse contour. */
  const about = (x: number): Enclosure => at(fromDouble(x), COARSE, () => 0);
  /** ln delta, narrowed until it is known on which side of a target it is. */
  const beside = (x: number, target: Enclosure): Enclosure =>
    at(fromDouble(x), COARSE, (value) => (overlap(value, target) ? width(value) : 0));

  return {
    maximum,
    logDelta: (epsilon) => at(epsilon, tolerance, width),
    epsilon(target) {
      const most = maximum ? toUpper(maximum) : Infinity;
      const side = midpoint(target) > MANY ? 'below' : 'above';
      const goalLog = side === 'above' ? target : logOfRest(target);
      const logMoment = (c: number): number => composedMoment(loss, c).value;
      const within = (x: number): number => Math.max(0, Math.min(most, x));
      let x = within(saddlePointOfDelta(logMoment, LARGEST_TILT, midpoint(target)).epsilon);
      const end = most * (1 - tolerance / 2);
      if (x >= end && beside(end, target).lower > target.upper) return enclosure(end, most);
      let steepness = 1;
      for (let step = 0; step < MOST_STEPS; step++) {
        const near = contourFor(loss, { epsilon: x, side, width: COARSE }, effort);
        steepness = Math.abs(near.c);
        const gap = midpoint(near.logValue(fromDouble(x))) - midpoint(goalLog);
        const next = within(x + gap / near.c);
        if (!Number.isFinite(gap)) break;
        const moved = Math.abs(next - x);
        x = next;
        if (moved <= 1e-3 / steepness || x === 0) break;
      }
      if (x === 0 && beside(0, target).upper <= target.lower) return enclosure(0, 0);
      const around = (start: number, within: Enclosure): Omit<CrossingNear, 'evaluate'> => ({
        target,
        start,
        slope: steepness,
        within,
      });
      const narrowed = (from: number, known: Enclosure): Enclosure =>
        refined(
          { epsilon: from, side, width: tolerance * from * steepness },
          (contour) =>
            crossingNear({ ...around(from, known), evaluate: (y) => logDeltaBy(contour, side, fromDouble(y)) }),
          relativeWidthOf,
          known,
        );
      const first = narrowed(x, enclosure(0, most));
      if (relativeWidthOf(first) <= tolerance || effort.exhausted()) return first;
      // Near corners of the curve its slope misleads: coarse contours of their own at each place tell where it is.
      const coarse = crossingNear({ ...around(x, first), evaluate: about });
      return meet(first, meet(coarse, narrowed(midpoint(coarse), coarse)));
    },
  };
}
