/** Epsilons at which a claim is looked at first, whatever is asked of it: 0, and 0.01 to about 75. */
export const FIRST_EPSILONS: readonly number[] = [0, ...Array.from({ length: 23 }, (_, index) => 0.01 * 1.5 ** index)];

/** Parabolas between the neighbours of the best of them. */
const STEPS = 6;

/** A part of the bracket from its ends, nearer to which a step tells little. */
const INSIDE = 0.02;
const GOLDEN = (3 - Math.sqrt(5)) / 2;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where the parabola through three points is lowest; NaN where it is not. */
function vertex(a: Point, b: Point, c: Point): number {
  const [left, right] = [(b.x - a.x) * (b.y - c.y), (b.x - c.x) * (b.y - a.y)];
  return b.x - ((b.x - a.x) * left - (b.x - c.x) * right) / (2 * (left - right));
}

/**
 * The smallest value found of a function of epsilon >= 0 that need not be convex, as that of the claims of several
 * theorems, or of one that is not the best. For choosing a line where each holds: any of its values may stand for all.
 */
export function smallestFound(value: (epsilon: number) => number): number {
  const points = FIRST_EPSILONS.map((x): Point => ({ x, y: value(x) }));
  const at = points.reduce((best, { y }, index) => (y < points[best]!.y ? index : best), 0);
  let middle = points[at]!;
  let [from, to] = [points[at - 1], points[at + 1]];
  for (let step = 0; step < STEPS && from !== undefined && to !== undefined; step++) {
    const found = vertex(from, middle, to);
    const margin = INSIDE * (to.x - from.x);
    const isUseful = found > from.x + margin && found < to.x - margin && Math.abs(found - middle.x) > margin / 4;
    const isLeft = middle.x - from.x > to.x - middle.x;
    const x = isUseful ? found : middle.x + GOLDEN * (isLeft ? from.x - middle.x : to.x - middle.x);
    const next: Point = { x, y: value(x) };
    const [lower, other] = next.y < middle.y ? [next, middle] : [middle, next];
    if (other.x < lower.x) from = other;
    else to = other;
    middle = lower;
  }
  return middle.y;
}
