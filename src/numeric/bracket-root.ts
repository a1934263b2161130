import { enclosure, midpoint, width, type Enclosure } from './enclosure.ts';

/** Where does a decreasing function cross a target? */
interface Crossing {
  /** Encloses the decreasing function at x. */
  readonly evaluate: (x: number) => Enclosure;
  /** Encloses the target. */
  readonly target: Enclosure;
  /** The crossing is known to lie in [from, to]. */
  readonly from: number;
  readonly to: number;
  /** A place to look first, thought to be within a few per cent. */
  readonly start?: number;
  /** The function at `from`, and at `to`, where it is known. */
  readonly atFrom?: Enclosure;
  readonly atTo?: Enclosure;
  /** An increasing function that makes it straight, about. */
  readonly straightened?: (y: number) => number;
}

/** Straightens the logarithm of a tail that falls like a Gaussian one. */
export const straightenedTail = (logDelta: number): number => -Math.sqrt(Math.max(0, -logDelta));

const MAX_STEPS = 120;

/** Enclosures of the function wider than this do not end the search for the crossing. */
const COARSE = 1e-3;

/** Two places whose heights differ by so many times the noise tell the slope. */
const CLEAR = 100;

/** After so many steps in none of which the interval is halved it is. */
const PATIENCE = 3;

/** What is kept of the height at an end that stays, where that at the other falls to this share. Flat ends keep a tenth. */
const keptShare = (share: number): number => (share < 1 ? Math.max(0.1, 1 - share) : 0.5);

/**
 * Encloses the smallest x with f(x) <= target, to the noise of `evaluate`.
 *
 * `upper` is a point where f is certainly at most the target, `lower` one where it is certainly above (or an end of
 * the given interval). A regula falsi (Anderson, Bjorck) with bisection as its fallback finds the place; then steps outward,
 * growing from the size of the noise, find near points that are certain. Stopping early only widens the result.
 */
export function bracketRoot({
  evaluate,
  target,
  from,
  to,
  start,
  atFrom,
  atTo,
  straightened = (y) => y,
}: Crossing): Enclosure {
  let certainlyAbove = from;
  let certainlyBelow = to;
  const goal = midpoint(target);
  const heightOf = (value: Enclosure): number => straightened(midpoint(value)) - straightened(goal);
  /** The last two places that were looked at. */
  let [before, last] = [
    { x: NaN, gap: NaN, height: NaN },
    { x: NaN, gap: NaN, height: NaN },
  ];
  const probe = (x: number): { gap: number; height: number; noise: number; certain: boolean } => {
    const value = evaluate(x);
    const below = value.upper <= target.lower;
    const above = value.lower > target.upper;
    if (below) certainlyBelow = Math.min(certainlyBelow, x);
    if (above) certainlyAbove = Math.max(certainlyAbove, x);
    const gap = midpoint(value) - goal;
    const height = heightOf(value);
    [before, last] = [last, { x, gap, height }];
    return { gap, height, noise: width(value) + width(target), certain: below || above };
  };
  const heightAt = (value: Enclosure | undefined): number => (value === undefined ? NaN : heightOf(value));

  let [left, right] = [from, to];
  let [leftHeight, rightHeight] = [heightAt(atFrom), heightAt(atTo)];
  if (!Number.isNaN(leftHeight)) last = { x: from, gap: midpoint(atFrom!) - goal, height: leftHeight };
  let point = { x: NaN, gap: 0, noise: 0 };
  let side = 0;
  let idle = 0;
  let reach = 0.01 * (start ?? 0);
  const falsi = (): number => left + ((right - left) * leftHeight) / (leftHeight - rightHeight);
  const isInside = (x: number): boolean => x > left && x < right;
  let guess = start !== undefined && isInside(start) ? start : falsi();
  if (!isInside(guess)) guess = left + (right - left) / 2;
  for (let step = 0; step < MAX_STEPS && right - left > 4 * Number.EPSILON * right; step++) {
    const x = guess;
    const size = right - left;
    const { gap, height, noise, certain } = probe(x);
    if (!certain && (noise < COARSE || size < 1e-9 * x)) {
      point = { x, gap, noise };
      break;
    }
    if (gap > 0) {
      if (side < 0) rightHeight *= keptShare(height / leftHeight);
      [left, leftHeight, side] = [x, height, -1];
    } else {
      if (side > 0) leftHeight *= keptShare(height / rightHeight);
      [right, rightHeight, side] = [x, height, 1];
    }
    if (reach > 0 && (Number.isNaN(leftHeight) || Number.isNaN(rightHeight))) {
      const secant = last.x - (last.height * (last.x - before.x)) / (last.height - before.height);
      const further = gap > 0 ? Math.min(x + reach, x + (right - x) / 2) : Math.max(x - reach, x - (x - left) / 2);
      guess = step < PATIENCE && isInside(secant) && Math.abs(secant - x) < 0.5 * x ? secant : further;
      reach *= 4;
    } else {
      idle = right - left < 0.5 * size ? 0 : (idle + 1) % PATIENCE;
      const shrinking = right - left < 0.5 * size || idle > 0;
      const straight = falsi();
      guess = shrinking && isInside(straight) ? straight : left + (right - left) / 2;
    }
  }
  const hit = Number.isNaN(point.x) ? left + (right - left) / 2 : point.x;
  const secant = (before.gap - last.gap) / (last.x - before.x);
  const isSteep = point.noise > 0 && Math.abs(before.gap) > CLEAR * point.noise && Math.abs(before.gap) < COARSE;
  const slope = isSteep && secant > 0 ? secant : approximateSlope(evaluate, hit, certainlyAbove, certainlyBelow);
  const centre = slope > 0 && Number.isFinite(point.gap) ? hit + point.gap / slope : hit;
  const first = Math.max(3 * Number.EPSILON * centre, slope > 0 ? (0.52 * point.noise) / slope : 0, Number.MIN_VALUE);
  for (let w = first, x = centre + w; x < certainlyBelow; w *= 1.6, x = centre + w) {
    if (probe(x).certain) break;
  }
  for (let w = first, x = centre - w; x > certainlyAbove; w *= 1.6, x = centre - w) {
    if (probe(x).certain) break;
  }
  return enclosure(certainlyAbove, certainlyBelow);
}

/** The first of growing places from `from` on at which the function is certainly at most the target; Infinity: none is found. */
export function certainEnd({ evaluate, target, from }: Pick<Crossing, 'evaluate' | 'target' | 'from'>): number {
  for (let to = from, tries = 0; tries < 64; to *= 1.5, tries++) {
    if (evaluate(to).upper <= target.lower) return to;
  }
  return Infinity;
}

/** A rough magnitude of the slope at `x`; 0 where the interval is too narrow to tell. */
function approximateSlope(evaluate: Crossing['evaluate'], x: number, from: number, to: number): number {
  const h = Math.max(1e-6 * x, Math.min(1e-3 * x, (to - from) / 8));
  const [a, b] = [Math.max(from, x - h), Math.min(to, x + h)];
  if (!(b > a)) return 0;
  const slope = (midpoint(evaluate(a)) - midpoint(evaluate(b))) / (b - a);
  return Number.isFinite(slope) ? slope : 0;
}

/**
 * The smallest whole number from 1 to `limit` that passes a test which all larger ones pass too; Infinity where not even
 * `limit` passes. By doubling, then by halving.
 */
export function smallestWhole(passes: (n: number) => boolean, limit: number): number {
  let [low, high] = [0, 1];
  while (!passes(high)) {
    if (high >= limit) return Infinity;
    [low, high] = [high, Math.min(2 * high, limit)];
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (passes(middle)) high = middle;
    else low = middle;
  }
  return high;
}

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
function certainSide({ evaluate, target, start, slope, within }: CrossingNear, direction: 1 | -1): number {
  const end = direction > 0 ? within.upper : within.lower;
  const farthest = direction * (end - start);
  let [not, certain] = [direction > 0 ? within.lower - start : start - within.upper, farthest];
  let [y, gapBefore, yBefore, steepness] = [0, NaN, NaN, slope];
  let [hasCertain, hasSecant] = [false, false];
  for (let step = 0; step < MOST_STEPS; step++) {
    const x = start + direction * y;
    const value = evaluate(x);
    const gap = direction > 0 ? value.upper - target.lower : target.upper - value.lower;
    const isCertain = direction > 0 ? gap <= 0 : gap < 0;
    const noise = width(value) + width(target);
    const isBeyond = direction > 0 ? value.lower > target.upper : value.upper <= target.lower;
    const says = isCertain || isBeyond || noise < SAYS_NOTHING;
    if (isCertain) [certain, hasCertain] = [y, true];
    else if (says) not = Math.max(not, y);
    const resolution = 2 * Number.EPSILON * Math.abs(x) + Number.MIN_VALUE;
    if (isCertain && noise < Infinity && -gap <= CLOSE * noise) break;
    const secant = (gapBefore - gap) / (y - yBefore);
    if (secant > 0 && Number.isFinite(secant)) [steepness, hasSecant] = [secant, true];
    const close = hasSecant && Number.isFinite(noise) ? Math.max(resolution, (CLOSE * noise) / steepness) : resolution;
    if (certain - not <= close) break;
    const back = Number.isNaN(yBefore) ? 0 : yBefore;
    if (says && Number.isFinite(gap)) [gapBefore, yBefore] = [gap, y];
    const towards = y + gap / steepness + close / 2;
    const inside = towards > not && towards < certain;
    // Where nothing is said, it is said nearer to where something was.
    if (!says) {
      if (Math.abs(y - back) <= resolution) break;
      y = back + (y - back) / 2;
    } else if (inside && step % 8 !== 7) y = towards;
    else if (Number.isFinite(certain - not)) y = not + (certain - not) / 2;
    else if (inside) y = towards;
    else break;
  }
  return hasCertain ? start + direction * certain : end;
}

/**
 * Encloses the smallest x in `within` with f(x) <= target. Both ends are certain whatever the slope and the place are:
 * those only say where to look.
 */
export const crossingNear = (crossing: CrossingNear): Enclosure =>
  enclosure(certainSide(crossing, -1), certainSide(crossing, 1));
