import { enclosure, exactly, width, type Enclosure } from '../enclosure.ts';
import { divide, subtract } from '../enclosure-arithmetic.ts';
import { nextDown, nextUp } from '../rounding.ts';

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * A point near the minimum of a function of x > 0 that is unimodal in ln x on [from, to], by golden sections on ln x.
 * For choosing a parameter where any choice is sound: no error bound is given.
 */
export function goldenSection(f: (x: number) => number, from: number, to: number, sections = 64): number {
  let [a, b] = [Math.log(from), Math.log(to)];
  let c = b - GOLDEN * (b - a);
  let d = a + GOLDEN * (b - a);
  let [fc, fd] = [f(Math.exp(c)), f(Math.exp(d))];
  for (let i = 0; i < sections; i++) {
    if (fc < fd) {
      [b, d, fd] = [d, c, fc];
      c = b - GOLDEN * (b - a);
      fc = f(Math.exp(c));
    } else {
      [a, c, fc] = [c, d, fd];
      d = a + GOLDEN * (b - a);
      fd = f(Math.exp(d));
    }
  }
  return Math.exp((a + b) / 2);
}

/** A point, and a function at it; both enclosed. */
export interface Node {
  readonly x: Enclosure;
  readonly value: Enclosure;
}

/** A convex function whose minimum is looked for. */
interface ConvexFunction {
  /** A point at x > 0, or so near to it that it differs by a rounding, and the function there. */
  readonly evaluate: (x: number) => Node;
  /** Its minimum over all x >= 0 lies between 0 and `to`, where it is enclosed by these. */
  readonly atZero: Enclosure;
  readonly atEnd: Enclosure;
  readonly to: number;
  /** No slope lies outside this. */
  readonly slopes: Enclosure;
  /** Nodes to begin with: above 0, below `to`, ascending. */
  readonly first: readonly Node[];
  /** The relative width at which the search ends. */
  readonly tolerance: number;
}

const MOST_NODES = 120;
/** Nodes nearer to each other than this, relatively, tell nothing new. */
const NEAREST = 4e-15;
/** A gap of so few widths of the least value does not become much smaller. */
const NOISY = 3;
/** Steps without less than this share of the width before halving is tried. */
const SLOW = 0.5;

/** The slope of the chord between two points, the left one first. */
export function slopeBetween(left: Node, right: Node): Enclosure {
  const { lower, upper } = subtract(right.x, left.x);
  return divide(subtract(right.value, left.value), enclosure(Math.max(Number.MIN_VALUE, lower), upper));
}

/** A lower bound of the slopes to the right of `nodes[at]`: that of a chord which ends there. Of near nodes it only has the noise. */
export function leastSlopeAfter(nodes: readonly Node[], at: number, bound: number): number {
  let slope = bound;
  for (let i = 0; i < at; i++) {
    slope = Math.max(slope, slopeBetween(nodes[i]!, nodes[at]!).lower);
  }
  return slope;
}

/** An upper bound of the slopes to the left of `nodes[at]`: that of a chord which begins there. */
export function mostSlopeBefore(nodes: readonly Node[], at: number, bound: number): number {
  let slope = bound;
  for (let i = at + 1; i < nodes.length; i++) {
    slope = Math.min(slope, slopeBetween(nodes[at]!, nodes[i]!).upper);
  }
  return slope;
}

/** A lower bound of the function between two neighbouring nodes, and where the chords beside them meet. */
function between(
  nodes: readonly Node[],
  at: number,
  slopes: Enclosure,
): { readonly lower: number; readonly x: number } {
  const [left, right] = [nodes[at]!, nodes[at + 1]!];
  const [down, up] = [leastSlopeAfter(nodes, at, slopes.lower), mostSlopeBefore(nodes, at + 1, slopes.upper)];
  if (down >= 0) return { lower: left.value.lower, x: left.x.upper };
  if (up <= 0) return { lower: right.value.lower, x: right.x.lower };
  if (!Number.isFinite(down) || !Number.isFinite(up)) return { lower: -Infinity, x: NaN };
  const [low, high]: [number, number] = [left.value.lower, right.value.lower];
  const meeting = (low - high - down * left.x.upper + up * right.x.lower) / (up - down);
  const x = Math.min(right.x.lower, Math.max(left.x.upper, meeting));
  const falls = nextDown(low + nextDown(down * nextUp(x - left.x.lower)));
  const rises = nextDown(high - nextUp(up * nextUp(right.x.upper - x)));
  const lower = Math.min(falls, rises);
  return { lower: Number.isNaN(lower) ? -Infinity : lower, x };
}

const isApart = (left: number, right: number): boolean => right - left > NEAREST * right;

/** Halfway in ln x, as the function may change at any scale. */
const halfway = (left: number, right: number): number => (left === 0 ? right / 16 : Math.sqrt(left) * Math.sqrt(right));

/**
 * Encloses the minimum of a convex function over x >= 0: the upper end is that of a value, the lower end is below the
 * chords beside every two neighbouring nodes, prolonged to where they meet (beyond its ends a chord of a convex function
 * lies below it). The next node is where those are lowest, so that a corner is found at once. Stopping early only widens
 * the result.
 *
 * Source: derived.
 */
export function convexMinimum({ evaluate, atZero, atEnd, to, slopes, first, tolerance }: ConvexFunction): Enclosure {
  const nodes: Node[] = [{ x: exactly(0), value: atZero }, ...first, { x: exactly(to), value: atEnd }];
  let [lower, gapBefore] = [-Infinity, Infinity];
  for (;;) {
    const best = nodes.reduce((min, node) => (node.value.upper < min.value.upper ? node : min));
    const { upper } = best.value;
    let lowest = { lower: Infinity, x: NaN, at: 0 };
    for (let at = 0; at + 1 < nodes.length; at++) {
      const bound = between(nodes, at, slopes);
      if (bound.lower < lowest.lower) lowest = { ...bound, at };
    }
    lower = Math.max(lower, Math.min(lowest.lower, upper));
    const gap = upper - lower;
    const isNear = gap <= tolerance * upper || gap <= NOISY * width(best.value);
    if (isNear || nodes.length >= MOST_NODES) return enclosure(lower, upper);
    const [left, right]: [number, number] = [nodes[lowest.at]!.x.upper, nodes[lowest.at + 1]!.x.lower];
    const isInside = isApart(left, lowest.x) && isApart(lowest.x, right);
    const x = isInside && gap <= SLOW * gapBefore ? lowest.x : halfway(left, right);
    if (!isApart(left, x) || !isApart(x, right)) return enclosure(lower, upper);
    gapBefore = gap < gapBefore ? gap : Infinity;
    nodes.splice(lowest.at + 1, 0, evaluate(x));
  }
}
