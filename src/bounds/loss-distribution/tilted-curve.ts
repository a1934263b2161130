import { toUpper, type Decimal } from '../../numeric/decimal.ts';
import { fromDouble, toDouble, type DoubleDouble } from '../../numeric/double-double.ts';
import { enclosure, meet, midpoint, width, widthOverUpper, type Enclosure } from '../../numeric/enclosure.ts';
import { bracketRoot, certainEnd } from '../../numeric/bracket-root.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { advance, unlessInterrupted, type Watch } from '../../numeric/watch.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import type { Effort } from '../core/bound.ts';
import {
  saddlePointOfDelta,
  saddlePointOfEpsilon,
  type ApproximateLogMoment,
  type SaddlePoint,
} from '../core/moment-curve.ts';

/** A composed loss, tilted towards a tail. */
export interface TiltedLoss {
  /** Encloses ln D at an epsilon not far below that tail. */
  readonly logDelta: (epsilon: DoubleDouble) => Enclosure;
  /** The highest loss that has weight. */
  readonly highest: number;
}

/** How a composed loss is computed. */
export interface TiltedMethod {
  /** Composes under a tilt; `step` is only used by methods that discretise. */
  readonly compose: (tilt: number, step: number, watch: Watch) => TiltedLoss;
  readonly logMoment: ApproximateLogMoment;
  readonly largestTilt: number;
  /** The lattice step to begin with; null where the method does not discretise. */
  readonly firstStep: number | null;
  /** No finer lattice is tried. */
  readonly smallestStep: number;
  readonly maximum: Decimal | null;
}

/** Of the range of tilts, where any near the best does; and how they are graded there, so that questions share lists. */
const SECTIONS = 20;
const graded = (tilt: number): number => 2 ** Math.floor(Math.log2(tilt));
/** So many lists are kept. */
const MOST_LISTS = 4;

/** Largest exponent tilt (eps' - eps) before tilted weights underflow. */
const REACH = 600;
const MAX_REFINEMENTS = 5;

/**
 * Far below the tail a tilt was chosen for, weights underflow. There delta(eps) >= delta(eps') for an eps' > eps that
 * is still in reach, and delta <= 1.
 */
function withinReach({ logDelta, highest }: TiltedLoss, tilt: number): TiltedLoss['logDelta'] {
  const lowest = highest - REACH / tilt;
  return (epsilon) => {
    const inReach = toDouble(epsilon) >= lowest;
    const value = logDelta(inReach ? epsilon : fromDouble(lowest));
    return enclosure(value.lower, inReach ? Math.min(0, value.upper) : 0);
  };
}

/**
 * The curve of a composed loss that is computed anew under the exponential tilt that suits each query. Where the method
 * discretises, the lattice is refined (the width of the enclosure falls as the square of the step) until the relative
 * width is at most `tolerance`, the effort is spent, rounding is all that is left, or five refinements are done.
 *
 * @param hopeless - a first lattice that is wider is not refined
 * @throws Interrupted where it is given up before there is anything
 */
export function tiltedCurve(
  method: TiltedMethod,
  tolerance: number,
  effort: Effort,
  hopeless = Infinity,
): FiniteLossCurve {
  const { logMoment, largestTilt, firstStep, smallestStep, maximum } = method;
  const isListed = firstStep === null;
  const sections = isListed ? SECTIONS : undefined;
  const lists = new LruCache<TiltedLoss>(MOST_LISTS);
  const compose: TiltedMethod['compose'] = (tilt, ...rest) =>
    isListed ? lists.get(String(tilt), () => method.compose(tilt, ...rest)) : method.compose(tilt, ...rest);
  const tiltOf = ({ tilt }: SaddlePoint): number => (isListed ? graded(tilt) : tilt);

  function refine(
    tilt: number,
    evaluate: (logDelta: TiltedLoss['logDelta']) => Enclosure,
    relativeWidth: (e: Enclosure) => number,
  ): Enclosure {
    const attempt = (step: number): Enclosure => {
      const logDelta = withinReach(compose(tilt, step, effort), tilt);
      return evaluate((epsilon) => {
        advance(effort);
        return logDelta(epsilon);
      });
    };
    let step = firstStep ?? 1;
    let best = attempt(step);
    for (let tries = 0; !isListed && tries < MAX_REFINEMENTS; tries++) {
      const reached = relativeWidth(best);
      if (!(reached > tolerance) || reached > hopeless || effort.exhausted() || step <= smallestStep) break;
      step = Math.max(smallestStep, step * Math.max(0.2, Math.min(0.5, 0.8 * Math.sqrt(tolerance / reached))));
      const finer = step;
      const next = unlessInterrupted(() => attempt(finer));
      if (next === null) break;
      best = meet(best, next);
      // Where halving the step does not help, rounding is what is left.
      if (relativeWidth(next) > 0.7 * reached) break;
    }
    return best;
  }

  return {
    maximum,
    logDelta(epsilon) {
      const start = saddlePointOfEpsilon(logMoment, largestTilt, toDouble(epsilon), sections);
      return refine(tiltOf(start), (logDelta) => logDelta(epsilon), width);
    },
    epsilon(target) {
      const start = saddlePointOfDelta(logMoment, largestTilt, midpoint(target), sections);
      // The plain Chernoff bound with the optimal factor holds for every tilt: twice it is certainly above.
      const beyond = Math.max(1, 2 * start.epsilon);
      return refine(
        tiltOf(start),
        (logDelta) => {
          const evaluate = (x: number): Enclosure => logDelta(fromDouble(x));
          if (evaluate(0).upper <= target.lower) return enclosure(0, 0);
          const to = maximum ? toUpper(maximum) : certainEnd({ evaluate, target, from: beyond });
          return bracketRoot({ evaluate, target, from: 0, to, start: start.epsilon });
        },
        widthOverUpper,
      );
    },
  };
}
