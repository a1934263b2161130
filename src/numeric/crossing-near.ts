import { enclosure, width, type Enclosure } from './enclosure.ts';

/** Where does a decreasing function cross a target, near a place? */
export interface CrossingNear {
  /** Encloses the decreasing function at x; may say nothing far from the place. */
  readonly evaluate: (x: number) => Enclosure;
  readonly target: Enclosure;
  readonly start: number;
  /** How fast the function falls there, about. */
  readonly slope: number;
  /** The crossing is known to lie in it. */
  readonly within: Enclosure;
}

const MOST_STEPS = 60;
/** How near to the place where an enclosure lets go is near enough, over its width. */
const CLOSE = 0.03;
/** An enclosure so wide does not tell on which side a crossing is. */
const SAYS_NOTHING = 2;

/**
 * The point nearest to the crossing, on the side of `direction`, that is certain to be on that side; the end of `within`
 * where none is found. Secants from the given slope, kept within what is known, with halving as their fallback.
 */
function certainEnd({ evaluate, target, start, slope, within }: CrossingNear, direction: 1 | -1): number {
  const end = direction > 0 ? within.upper : within.lower;
  const most = direction * (end - start);
  let [not, certain] = [direction > 0 ? within.lower - start : start - within.upper, most];
  let [y, gapBefore, yBefore, steepness] = [0, NaN, NaN, slope];
  let [found, seen] = [false, false];
  for (let step = 0; step < MOST_STEPS; step++) {
    const x = start + direction * y;
    const value = evaluate(x);
    const gap = direction > 0 ? value.upper - target.lower : target.upper - value.lower;
    const isCertain = direction > 0 ? gap <= 0 : gap < 0;
    const noise = width(value) + width(target);
    const isBeyond = direction > 0 ? value.lower > target.upper : value.upper <= target.lower;
    const says = isCertain || isBeyond || noise < SAYS_NOTHING;
    if (isCertain) [certain, found] = [y, true];
    else if (says) not = Math.max(not, y);
    const least = 2 * Number.EPSILON * Math.abs(x) + Number.MIN_VALUE;
    if (isCertain && noise < Infinity && -gap <= CLOSE * noise) break;
    const secant = (gapBefore - gap) / (y - yBefore);
    if (secant > 0 && Number.isFinite(secant)) [steepness, seen] = [secant, true];
    const close = seen && Number.isFinite(noise) ? Math.max(least, (CLOSE * noise) / steepness) : least;
    if (certain - not <= close) break;
    const back = Number.isNaN(yBefore) ? 0 : yBefore;
    if (says && Number.isFinite(gap)) [gapBefore, yBefore] = [gap, y];
    const towards = y + gap / steepness + close / 2;
    const inside = towards > not && towards < certain;
    // Where nothing is said, it is said nearer to where something was.
    if (!says) {
      if (Math.abs(y - back) <= least) break;
      y = back + (y - back) / 2;
    } else if (inside && step % 8 !== 7) y = towards;
    else if (Number.isFinite(certain - not)) y = not + (certain - not) / 2;
    else if (inside) y = towards;
    else break;
  }
  return found ? start + direction * certain : end;
}

/**
 * Encloses the smallest x in `within` with f(x) <= target. Both ends are certain whatever the slope and the place are:
 * those only say where to look.
 */
export const crossingNear = (crossing: CrossingNear): Enclosure =>
  enclosure(certainEnd(crossing, -1), certainEnd(crossing, 1));
