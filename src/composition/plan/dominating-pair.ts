import { Decimal } from '../../numeric/decimal.ts';
import type { FinitePairMechanism } from '../../privacy/mechanism.ts';

/** A point of a privacy profile, delta being between two ends. */
export interface ProfilePoint {
  readonly epsilon: number;
  readonly lower: number;
  readonly upper: number;
}

/** A corner of a convex polygon, the hockey-stick curve of a finite pair in y = e^epsilon. */
interface Corner {
  readonly y: Decimal;
  readonly delta: Decimal;
}

const Wide = Decimal.clone({ precision: 80 });
/** Digits of a corner's y, which is taken as it is from then on. */
const Short = Decimal.clone({ precision: 20 });
/** Digits of masses; sums of them are exact. */
const Mass = Decimal.clone({ precision: 40 });

const ZERO = new Wide(0);
const ONE = new Wide(1);
/** More than the rounding of masses moves a curve, and less than anyone can see. */
const MARGIN = new Wide('1e-18');
/** No loss at the lower end is less likely than this: the rounding of all masses is made up for there. */
const LEAST_MASS = 1e-15;

const START: Corner = { y: ZERO, delta: ONE };

const cornerAt = (epsilon: number, delta: number, margin: Decimal): Corner => ({
  y: new Wide(new Short(epsilon).exp()),
  delta: new Wide(delta).times(margin),
});

const slope = (from: Corner, to: Corner): Decimal => to.delta.minus(from.delta).div(to.y.minus(from.y));

/** The mass of P at a corner. */
const massOf = (before: Corner, corner: Corner, after: Corner | undefined): Decimal =>
  (after === undefined ? ZERO : slope(corner, after)).minus(slope(before, corner)).times(corner.y);

/** Whether the slope to `corner` is at least that from it to `after`: the corner is on or above the chord past it. */
function isAboveChord(before: Corner, corner: Corner, after: Corner): boolean {
  const [fall, run] = [corner.delta.minus(before.delta), corner.y.minus(before.y)];
  const [nextFall, nextRun] = [after.delta.minus(corner.delta), after.y.minus(corner.y)];
  return fall.times(nextRun).gte(nextFall.times(run));
}

/** The lower convex hull of corners in ascending order of y: no convex curve that is below them rises above it. */
function convexHull(corners: readonly Corner[]): Corner[] {
  const hull: Corner[] = [];
  for (const corner of corners) {
    while (hull.length > 1 && isAboveChord(hull.at(-2)!, hull.at(-1)!, corner)) hull.pop();
    hull.push(corner);
  }
  return hull;
}

/**
 * The pair of a convex polygon that begins at (0, 1), falls no steeper than 1 - y, and stays as low as its last corner from
 * there on; one direction is enough where the curve is that of a profile, which is closed under swapping. At a corner the mass of Q is the change of slope and that of P is y times as much; P has besides the last delta,
 * where Q is 0, and Q what is left of it, where P is 0.
 */
function pairThrough(polygon: readonly Corner[]): FinitePairMechanism {
  const [, first, ...others] = polygon;
  const last = polygon.at(-1);
  if (first === undefined || last === undefined) throw new Error('A curve has more than one corner.');
  const failure = new Decimal(new Mass(last.delta).plus(0));
  const atoms = others.flatMap((corner, index) => {
    const mass = massOf(others[index - 1] ?? first, corner, others[index + 1]);
    const q = new Decimal(new Mass(mass).div(corner.y));
    return q.gt(0) ? [{ p: new Decimal(corner.y).times(q), q }] : [];
  });
  const q0 = new Decimal(new Mass(massOf(START, first, others[0])).div(first.y));
  const p = atoms.map((atom) => atom.p);
  const q = atoms.map((atom) => atom.q);
  const rest = (masses: readonly Decimal[]): Decimal => masses.reduce((left, mass) => left.minus(mass), new Decimal(1));
  const p0 = rest([...p, failure]);
  const spare = rest([q0, ...q]);
  // Rounding may leave a little less than nothing, which the largest mass of Q has not to give.
  const fitting = spare.isNegative() ? q0.plus(spare) : q0;
  return {
    type: 'finite-pair',
    p: [p0, ...p, new Decimal(0), failure],
    q: [fitting, ...q, Decimal.max(0, spare), new Decimal(0)],
    direction: 'fixed',
  };
}

/**
 * A pair whose curve is nowhere below a profile: the chords of upper ends are above a convex curve.
 *
 * @param points - by ascending epsilon; at the last, delta is all that any larger epsilon leaves
 */
export function pairAbove(points: readonly ProfilePoint[]): FinitePairMechanism {
  const corners = points.map(({ epsilon, upper }) => cornerAt(epsilon, upper, ONE.plus(MARGIN)));
  let hull = convexHull([START, ...corners.map(({ y, delta }) => ({ y, delta: Decimal.min(ONE, delta) }))]);
  // The chord from (0, 1) past a corner is above it.
  while (hull.length > 3 && massOf(START, hull[1]!, hull[2]).lt(LEAST_MASS)) hull = [START, ...hull.slice(2)];
  return pairThrough(hull);
}

/**
 * A pair whose curve is nowhere above a profile: the chords of lower ends, moved to the left as far as they may be above
 * the convex curve, and 1 - y where that is larger.
 *
 * @param shift - that far, in epsilon
 */
export function pairBelow(points: readonly ProfilePoint[], shift: number): FinitePairMechanism {
  const moved = convexHull(points.map(({ epsilon, lower }) => cornerAt(epsilon - shift, lower, ONE.minus(MARGIN))));
  const height = ({ y, delta }: Corner): Decimal => delta.plus(y).minus(ONE);
  const meets = (index: number): Corner | null => {
    const [corner, next] = [moved[index]!, moved[index + 1]!];
    const fall = slope(corner, next);
    // Where the line through both meets 1 - y, which falls faster.
    if (fall.lte(-1)) return null;
    const y = corner.y.minus(height(corner).div(fall.plus(1)));
    return y.gt(0) && y.lt(next.y) ? { y, delta: ONE.minus(y) } : null;
  };
  for (let index = 0; index + 1 < moved.length; index++) {
    if (height(moved[index + 1]!).lte(0)) continue;
    const crossing = meets(index);
    if (crossing === null) continue;
    const polygon = [START, crossing, ...moved.slice(index + 1)];
    const within = crossing.y.gte(moved[0]!.y);
    if (within && massOf(START, crossing, polygon[2]).gte(LEAST_MASS)) return pairThrough(polygon);
  }
  return { type: 'finite-pair', p: [new Decimal(1)], q: [new Decimal(1)], direction: 'fixed' };
}
