import { contourFor, type Contour } from '../../numeric/contour/contour.ts';
import { linesOf, type Line, type Lines, type Side } from '../../numeric/contour/line.ts';
import { logMomentAbout, type ComposedLoss } from '../../numeric/contour/composed-loss.ts';
import { isOutlined, labelledCurve, type LabelledCurve } from '../../numeric/contour/labelled.ts';
import { toUpper, type Decimal } from '../../numeric/decimal.ts';
import { crossingNear, type CrossingNear } from '../../numeric/bracket-root.ts';
import { fromDouble, toDouble, type DoubleDouble } from '../../numeric/double-double.ts';
import { enclosure, meet, midpoint, width, widthOverUpper, type Enclosure } from '../../numeric/enclosure.ts';
import { exponential, expm1, log1p, logarithm, negate } from '../../numeric/enclosure-arithmetic.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { unlessInterrupted, type Watch } from '../../numeric/watch.ts';
import { solveEpsilon, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import type { Effort } from '../core/bound.ts';
import { Kept } from '../core/session.ts';
import { saddlePointOfDelta } from '../core/moment-curve.ts';

const LARGEST_TILT = 1e12;
/** Of the range of tilts: its minimum is flat, and only where to look first. */
const SECTIONS = 20;
const MAX_REFINEMENTS = 5;
/** A contour is narrowed by no more than this at once: the next may be too much work. */
const MOST_AT_ONCE = 0.01;
/** No narrower enclosure of delta is looked for. */
const LEAST_WIDTH = 1e-12;
/** How narrow delta is by a split. */
const SPLIT = 1e-8;
/** How narrow delta is while the place of an epsilon is looked for. */
const COARSE = 1e-2;
const MOST_STEPS = 12;
/** How far, of epsilon, it is looked at once at first. */
const LEAP = 0.1;
/** Wider than this an epsilon was looked for in the wrong place. */
const MISLED = 1e-3;
/** Where delta at 0 is larger by less than this share, about, it is asked whether epsilon is 0. */
const NEAR_NONE = 0.01;
/** A stretch is halved so often. */
const MOST_HALVES = 6;
/** So many contours are kept. */
const MOST_CONTOURS = 32;

/** The lines and contours of a loss, for all questions about it. */
interface LinesWithContours {
  readonly sideOf: Lines['sideOf'];
  /** The contour of an epsilon, to about the relative width. */
  readonly contourAt: (epsilon: number, side: Side, width: number, watch: Watch) => Contour;
  /** Of losses that bear labels. */
  readonly labelled: LabelledCurve | null;
}

function linesWithContours(loss: ComposedLoss, maximum: Decimal | null): LinesWithContours {
  const lines = linesOf(loss);
  const labelled = isOutlined(loss) ? labelledCurve(loss, maximum ? toUpper(maximum) : Infinity) : null;
  const contours = new LruCache<Contour>(MOST_CONTOURS);
  const contourOn = (line: Line, width: number, make: () => Contour): Contour =>
    contours.get([line.side, line.c, line.from, line.to, width].join(' '), make);
  /** By a split, which is narrow whatever is asked. Where its stretch has a cliff nothing is known on it: then it is halved. */
  const splitAt = (curve: LabelledCurve, epsilon: number, asked: number, watch: Watch): Contour => {
    const width = Math.min(asked, SPLIT);
    let line = curve.lineOf(epsilon);
    for (let halves = 0; ; halves++) {
      const contour = contourOn(line, width, () => curve.contourOn(line, width, watch));
      if (halves === MOST_HALVES || contour.logValue(fromDouble(epsilon)).lower > -Infinity) return contour;
      const middle = line.from + (line.to - line.from) / 2;
      line = epsilon < middle ? { ...line, to: middle } : { ...line, from: middle };
    }
  };
  return {
    sideOf: lines.sideOf,
    labelled,
    contourAt(epsilon, side, width, watch) {
      if (labelled !== null && side === 'above') return splitAt(labelled, epsilon, width, watch);
      const line = lines.lineOf(epsilon, side);
      return contourOn(line, width, () => contourFor(loss, { line, width }, watch));
    },
  };
}

/** Losses whose contours a session keeps. */
const LOSSES = new Kept<LinesWithContours>(8);

/** From here on 1 - delta is what is computed. */
const MANY = Math.log(0.5);

const overlap = (a: Enclosure, b: Enclosure): boolean => a.lower <= b.upper && b.lower <= a.upper;

/** ln(1 - e^x), x <= 0. */
const logOfRest = (x: Enclosure): Enclosure => {
  const capped = enclosure(Math.min(0, x.lower), Math.min(0, x.upper));
  return logarithm(negate(expm1(capped)));
};

/** ln delta by a contour, whichever side it is on. */
function logDeltaBy(contour: Contour, side: Side, x: DoubleDouble): Enclosure {
  const value = contour.logValue(x);
  if (side === 'above') return value;
  const { lower, upper } = log1p(negate(exponential(value)));
  return enclosure(Number.isNaN(lower) ? -Infinity : lower, Math.min(0, upper));
}

/** At most x: half powers of 10, so that many questions ask for few widths. */
const roundWidth = (x: number): number => 10 ** (Math.floor(2 * Math.log10(x)) / 2);

/**
 * The curve of a composed loss by contour integrals, each narrowed until the relative width of what is asked is `tolerance`, the
 * effort is spent or rounding is all that is left. Which contour is used at an epsilon depends on it alone, and epsilons
 * near each other use the same.
 *
 * @param key - names the loss in a session, which keeps its contours
 * @throws Interrupted where it is given up before there is anything
 */
export function contourCurve(
  loss: ComposedLoss,
  maximum: Decimal | null,
  tolerance: number,
  effort: Effort,
  key?: () => string,
): FiniteLossCurve {
  const { session } = effort;
  const { sideOf, contourAt, labelled } =
    session === undefined || key === undefined
      ? linesWithContours(loss, maximum)
      : session.get(LOSSES, key(), () => linesWithContours(loss, maximum));

  /** Narrows what a contour gives; `relative` tells how wide it is. */
  function refined(
    x: number,
    side: Side,
    start: number,
    read: (contour: Contour) => Enclosure,
    relative: (value: Enclosure) => number,
    bracket: Enclosure,
  ): Enclosure {
    let targetWidth = Math.max(LEAST_WIDTH, Math.min(COARSE, start));
    let contour = contourAt(x, side, targetWidth, effort);
    let best = meet(bracket, read(contour));
    for (let tries = 0; tries < MAX_REFINEMENTS; tries++) {
      const reached = relative(best);
      if (!(reached > tolerance) || contour.isCut || effort.exhausted() || targetWidth <= LEAST_WIDTH) break;
      // A split is as narrow as it can be: where it says nothing, a finer one does not either.
      if (labelled !== null && side === 'above' && contour.logValue(fromDouble(x)).lower === -Infinity) break;
      targetWidth = Math.max(
        LEAST_WIDTH,
        roundWidth(targetWidth * Math.max(MOST_AT_ONCE, Math.min(0.3, (0.7 * tolerance) / reached))),
      );
      const finer = targetWidth;
      const next = unlessInterrupted(() => contourAt(x, side, finer, effort));
      if (next === null) break;
      contour = next;
      best = meet(best, read(contour));
      if (relative(best) > 0.7 * reached) break;
    }
    return best;
  }

  /** ln delta, narrowed while it is too wide. */
  const at = (epsilon: DoubleDouble, targetWidth: number, relative: (value: Enclosure) => number): Enclosure => {
    const x = toDouble(epsilon);
    const side = sideOf(x);
    const read = (contour: Contour): Enclosure => logDeltaBy(contour, side, epsilon);
    return refined(x, side, targetWidth, read, relative, enclosure(-Infinity, 0));
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
      const largestEpsilon = maximum ? toUpper(maximum) : Infinity;
      const side = midpoint(target) > MANY ? 'below' : 'above';
      const goalLog = side === 'above' ? target : logOfRest(target);
      const logMoment = (c: number): number => logMomentAbout(loss, c);
      const within = (x: number): number => Math.max(0, Math.min(largestEpsilon, x));
      let x = within(
        labelled === null || side === 'below'
          ? saddlePointOfDelta(logMoment, LARGEST_TILT, midpoint(target), SECTIONS).epsilon
          : labelled.epsilonAbout(midpoint(target)),
      );
      const end = largestEpsilon * (1 - tolerance / 2);
      if (x >= end && beside(end, target).lower > target.upper) return enclosure(end, largestEpsilon);
      let slope = 1;
      // Where the curve is flat for a while Newton's method leaps, and is held between what is known, and near where it was.
      let [floor, ceiling] = [0, largestEpsilon];
      const isNone = (): boolean => beside(0, target).upper <= target.lower;
      const safeStep = (from: number, next: number, step: number): number => {
        // The logarithm of 1 - delta bends down, so that from the right Newton's method leaps too far.
        if (side === 'below' && next < from / 2) return next <= 0 && isNone() ? 0 : from / 2;
        if (labelled === null || side === 'below') return next;
        const far = LEAP * 2 ** step * from;
        const near = Math.max(from - far, Math.min(from + far, next));
        return near > floor && near < ceiling ? near : (floor + Math.min(ceiling, 2 * from)) / 2;
      };
      for (let step = 0; step < MOST_STEPS; step++) {
        const near = contourAt(x, side, COARSE, effort);
        const value = (y: number): number => midpoint(near.logValue(fromDouble(y)));
        const level = value(x);
        const aside = 0.01 / Math.abs(near.c);
        const rate = (value(x + aside) - level) / aside;
        slope = Number.isFinite(rate) && rate * near.c < 0 ? rate : -near.c;
        if (!Number.isFinite(level)) break;
        if (level > midpoint(goalLog)) floor = x;
        else ceiling = x;
        const next = within(safeStep(x, x - (level - midpoint(goalLog)) / slope, step));
        if (!Number.isFinite(next)) break;
        const moved = Math.abs(next - x);
        x = next;
        if (moved <= 1e-3 / Math.abs(slope) || x === 0) break;
      }
      if (x * Math.abs(slope) < NEAR_NONE && isNone()) return enclosure(0, 0);
      const around = (start: number, within: Enclosure): Omit<CrossingNear, 'evaluate'> => ({
        target,
        start,
        slope: Math.abs(slope),
        within,
      });
      const narrowed = (from: number, bracket: Enclosure): Enclosure =>
        refined(
          from,
          side,
          roundWidth(tolerance * from * Math.abs(slope)),
          (contour) =>
            crossingNear({ ...around(from, bracket), evaluate: (y) => logDeltaBy(contour, side, fromDouble(y)) }),
          widthOverUpper,
          bracket,
        );
      const first = narrowed(x, enclosure(0, largestEpsilon));
      if (widthOverUpper(first) <= tolerance || effort.exhausted()) return first;
      // Near corners of the curve its slope misleads: coarse contours of their own at each place tell where it is.
      const coarse = crossingNear({ ...around(x, first), evaluate: about });
      const root = meet(first, meet(coarse, narrowed(midpoint(coarse), coarse)));
      if (widthOverUpper(root) <= MISLED || labelled !== null) return root;
      // Where the curve has steps no slope leads to the place.
      const anywhere = solveEpsilon({ maximum, logDelta: (epsilon) => about(toDouble(epsilon)) }, target);
      const bracket = meet(root, anywhere);
      return bracket.upper < Infinity ? meet(bracket, narrowed(midpoint(bracket), bracket)) : bracket;
    },
  };
}

/** Of a larger ln delta the complement of delta has more digits. */
const NEAR_ONE = -1e-4;

/** A curve of which sums of delta are known, and near 1 those of its complement too, by a contour. */
export const withComplement = (curve: FiniteLossCurve, contour: () => FiniteLossCurve): FiniteLossCurve => ({
  ...curve,
  epsilon(target) {
    const value = solveEpsilon(curve, target);
    if (!(midpoint(target) > NEAR_ONE)) return value;
    return meet(value, unlessInterrupted(() => solveEpsilon(contour(), target)) ?? value);
  },
});
