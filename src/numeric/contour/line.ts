import { goldenSection } from '../convex/minimum.ts';
import { aboutComposed, logMomentAbout, type ComposedLoss } from './composed-loss.ts';

/**
 * Which integral is taken. above: delta itself, from the right of both poles; below: 1 - delta, from between them, where
 * delta is near 1.
 */
export type Side = 'above' | 'below';

/** A vertical line, and the epsilons that it serves. */
export interface Line {
  readonly side: Side;
  /** Where it crosses the real axis. */
  readonly c: number;
  readonly from: number;
  readonly to: number;
  /** The largest |c (c + 1)| of the saddle points of those epsilons: how much a smoothing of the losses costs there. */
  readonly steepness: number;
}

/** The lines of a loss. */
export interface Lines {
  /** below where an epsilon is so far under the mean of the loss that delta is not small. */
  readonly sideOf: (epsilon: number) => Side;
  /** The line that serves an epsilon; it depends on the loss and the epsilon alone. */
  readonly lineOf: (epsilon: number, side: Side) => Line;
}

const MOST = 1e15;
/** Nearer to a pole than this, over 1 and the deviation, the nodes would be too many. */
const FROM_POLE = 0.01;
/** Nearer to the middle than this the moments of some losses are not known well. */
const FROM_MIDDLE = 0.02;
const SECTIONS = 32;

/** Not in the middle, near which the moments of some losses are not known well. */
function besideTheMiddle(c: number): number {
  const off = c + 0.5;
  return Math.abs(off) < FROM_MIDDLE ? -0.5 + FROM_MIDDLE * (off < 0 ? -1 : 1) : c;
}

const deviationAt = (loss: ComposedLoss, c: number): number => Math.sqrt(aboutComposed(loss, c).variance);

/**
 * The line on which the integrand falls off fastest to both sides: the saddle point of
 * e^(K(c) - c epsilon) / |c (c + 1)|. Any other line is as correct.
 */
export function lineFor(loss: ComposedLoss, epsilon: number, side: Side): Line {
  const height = (c: number): number => logMomentAbout(loss, c) - c * epsilon - Math.log(Math.abs(c)) - Math.log1p(c);
  const gap = FROM_POLE / (1 + deviationAt(loss, 0));
  const between = (odds: number): number => -1 / (1 + odds);
  const c =
    side === 'above'
      ? goldenSection(height, gap, MOST, SECTIONS)
      : besideTheMiddle(between(goldenSection((odds) => height(between(odds)), gap, 1 / gap, SECTIONS)));
  return { side, c, from: epsilon, to: epsilon, steepness: Math.abs(c * (c + 1)) };
}

/** Lines are so many inverse deviations apart, where the poles are far. */
const APART = 4;
/** So many deviations from one line to the next are a leap. */
const SKIPPED = 16;
/** Nearer to a pole their distances from it grow by this factor. */
const FROM_ONE_TO_NEXT = 2.5;
const MOST_LINES = 400;

/**
 * Lines that each serve a stretch of epsilons, so that many epsilons need few. Stretches end at the epsilons that have the
 * saddle points c_0 < c_1 < ..., and a line lies between its two.
 */
export function linesOf(loss: ComposedLoss): Lines {
  const deviation = deviationAt(loss, 0);
  const gap = FROM_POLE / (1 + deviation);
  /** The epsilon whose saddle point is c. */
  const epsilonAt = (c: number): number => aboutComposed(loss, c).mean - 1 / c - 1 / (1 + c);
  const next = (c: number): number => {
    const step = APART / (deviationAt(loss, c) + 1e-300);
    const growth = FROM_ONE_TO_NEXT - 1;
    return c > 0
      ? c + Math.min(step, growth * c)
      : c - Math.min(step, -growth * c, (1 - 1 / FROM_ONE_TO_NEXT) * (1 + c));
  };
  /** Saddle points away from 0 with their epsilons, as far as they are needed. */
  const walk = (start: number): ((epsilon: number) => Line) => {
    const side = start > 0 ? 'above' : 'below';
    const places = [{ c: start, epsilon: epsilonAt(start) }];
    const isBeyond = (place: number, epsilon: number): boolean => (start > 0 ? place > epsilon : place < epsilon);
    return (epsilon) => {
      for (let at = 0; ; at++) {
        const saddle = places[at]!;
        if (isBeyond(saddle.epsilon, epsilon)) return lineFor(loss, epsilon, side);
        if (places[at + 1] === undefined) {
          const c = next(saddle.c);
          if (at > MOST_LINES || c > MOST || 1 + c < gap) return lineFor(loss, epsilon, side);
          places.push({ c, epsilon: epsilonAt(c) });
        }
        const nextSaddle = places[at + 1]!;
        if (!isBeyond(nextSaddle.epsilon, epsilon)) continue;
        const between = Math.sqrt(saddle.c * nextSaddle.c) * Math.sign(start);
        const steepness = Math.max(Math.abs(saddle.c * (saddle.c + 1)), Math.abs(nextSaddle.c * (nextSaddle.c + 1)));
        const [from, to] = start > 0 ? [saddle.epsilon, nextSaddle.epsilon] : [nextSaddle.epsilon, saddle.epsilon];
        const near = SKIPPED * deviationAt(loss, saddle.c) + APART / Math.abs(saddle.c);
        if (start > 0 && to - from > near) {
          // The saddle point leaps to a tail that a tilt brings out all at once: before it does, a line serves as well.
          const first = from + Math.floor((epsilon - from) / near) * near;
          return { side, c: saddle.c, from: first, to: first + near, steepness: saddle.c * (saddle.c + 1) };
        }
        return { side, c: start > 0 ? between : besideTheMiddle(between), from, to, steepness };
      }
    };
  };
  const [above, below] = [walk(gap), walk(-gap)];
  const mean = aboutComposed(loss, 0).mean;
  return {
    sideOf: (epsilon) => (epsilon < mean - deviation && deviation > 1 ? 'below' : 'above'),
    lineOf: (epsilon, side) => (side === 'above' ? above : below)(epsilon),
  };
}
