import { exactly, width, type Enclosure } from '../enclosure.ts';
import { multiply, subtract } from '../enclosure-arithmetic.ts';
import { nextDown, nextUp } from '../rounding.ts';
import { slopeBetween } from './minimum.ts';

/** Two functions at a point. */
export interface TwoValues {
  /** Where the functions are convex: the variable in which they are. */
  readonly x: Enclosure;
  readonly values: readonly [first: Enclosure, second: Enclosure];
}

/** Two functions, nowhere negative, that fall in t. */
export interface TwoFunctions {
  readonly evaluate: (t: number) => TwoValues;
  /** Where they are looked at first: at least two, ascending. */
  readonly nodes: readonly number[];
  /** A point between two others. */
  readonly middle: (from: number, to: number) => number;
  /** The length of a stretch, which is halved while it is longer than `narrowest`. */
  readonly length: (from: number, to: number) => number;
  readonly narrowest: number;
  /** Whether both are convex in x, which rises with t. */
  readonly isConvex: boolean;
  /** Receives the share of the nodes that have been looked at: less than 1 where fewer are enough. */
  readonly progress?: (share: number) => void;
}

/** A stretch, and which function is smaller at all points of it, except perhaps where both are 0; null: not known. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly smaller: 'first' | 'second' | 'both-0' | null;
}

interface Node extends TwoValues {
  readonly t: number;
}

const MOST_NODES = 160;

type Which = 0 | 1;

const other = (which: Which): Which => (which === 0 ? 1 : 0);

const isBelow = ({ values }: TwoValues, which: Which): boolean => values[which].upper < values[other(which)].lower;

const isZero = ({ values }: TwoValues, which: Which): boolean => (values[which].upper as number) === 0;

/** The slope of one function's chord. */
const slopeOf = (left: Node, right: Node, which: Which): Enclosure =>
  slopeBetween({ x: left.x, value: left.values[which] }, { x: right.x, value: right.values[which] });

/**
 * Whether one of the functions is below the other between two neighbouring nodes. Falling functions are, where the value
 * at the left end is below the other at the right one. Convex functions are below their chord, and above the chords
 * beside the stretch, prolonged into it: the larger of these two lines less the chord is convex and piecewise linear, and
 * above 0 where it is at both ends, a1 and b2, and the two lines cross above 0, a2 b1 < a1 b2.
 *
 * Source: derived.
 */
function isBelowBetween(nodes: readonly Node[], at: number, which: Which, isConvex: boolean): boolean {
  const [left, right] = [nodes[at]!, nodes[at + 1]!];
  const below = (node: Node): Enclosure => node.values[which];
  const above = (node: Node): Enclosure => node.values[other(which)];
  if (below(left).upper < above(right).lower) return true;
  if (!isConvex || !isBelow(left, which) || !isBelow(right, which)) return false;
  const length = subtract(right.x, left.x);
  const [before, after] = [nodes[at - 1], nodes[at + 2]];
  const [a1, b2] = [nextDown(above(left).lower - below(left).upper), nextDown(above(right).lower - below(right).upper)];
  const falling = (slope: number): Enclosure => multiply(exactly(Math.min(0, slope)), length);
  const fallen = before === undefined ? -Infinity : falling(slopeOf(before, left, other(which)).lower).lower;
  const risen = after === undefined ? 0 : Math.abs(falling(slopeOf(right, after, other(which)).upper).upper);
  const b1 = nextDown(nextDown(above(left).lower + fallen) - below(right).upper);
  const a2 = nextDown(nextDown(above(right).lower + risen) - below(left).upper);
  return b1 > 0 || a2 > 0 || (a1 > 0 && b2 > 0 && nextUp(a2 * b1) < nextDown(a1 * b2));
}

function orderBetween(nodes: readonly Node[], at: number, isConvex: boolean): Stretch['smaller'] {
  const left = nodes[at]!;
  // What falls to 0 stays there, and nothing is smaller.
  if (isZero(left, 0) && isZero(left, 1)) return 'both-0';
  if (isZero(left, 0) || isBelowBetween(nodes, at, 0, isConvex)) return 'first';
  if (isZero(left, 1) || isBelowBetween(nodes, at, 1, isConvex)) return 'second';
  return null;
}

/** Of functions that are not convex, a stretch in more parts than this is left as it is. */
const MOST_PARTS = 16;
/** And of convex ones a stretch at both of whose ends they are nearer to each other than this share of their widths. */
const LEAST_CLEARANCE = 0.1;

/** Whether more nodes can settle a stretch: where the functions are told apart at neither end, or hardly, they will not. */
function isOpen(nodes: readonly Node[], at: number, isConvex: boolean): boolean {
  const [left, right] = [nodes[at]!, nodes[at + 1]!];
  const below = ([0, 1] as const).find((which) => isBelow(left, which) && isBelow(right, which));
  if (below === undefined) return [left, right].some((node) => isBelow(node, 0) || isBelow(node, 1));
  const gap = ({ values }: Node): number => values[other(below)].lower - values[below].upper;
  if (isConvex)
    return [left, right].some((node) => gap(node) >= LEAST_CLEARANCE * (width(node.values[0]) + width(node.values[1])));
  // One that only falls is below the other in about so many parts.
  const parts = (left.values[below].upper - right.values[below].lower) / Math.min(gap(left), gap(right));
  return parts <= MOST_PARTS;
}

/**
 * Where one of two functions is certainly smaller, from the first node to the last; neighbouring stretches differ. Stretches
 * that are not settled are halved, the longest first. Stopping early only leaves more of them unknown.
 */
export function certainOrder(functions: TwoFunctions): readonly Stretch[] {
  const { evaluate, middle, length, narrowest, isConvex, progress } = functions;
  const looked = (t: number, before: number): Node => {
    progress?.(before / MOST_NODES);
    return { t, ...evaluate(t) };
  };
  const nodes = functions.nodes.map(looked);
  const ordersBetween = (): Stretch['smaller'][] => nodes.slice(1).map((_, at) => orderBetween(nodes, at, isConvex));
  let orders = ordersBetween();
  while (nodes.length < MOST_NODES) {
    const open = orders
      .map((order, at) => ({ order, at, length: length(nodes[at]!.t, nodes[at + 1]!.t) }))
      .filter((stretch) => stretch.order === null && stretch.length > narrowest && isOpen(nodes, stretch.at, isConvex));
    if (open.length === 0) break;
    const { at } = open.reduce((a, b) => (b.length > a.length ? b : a));
    const [from, to] = [nodes[at]!.t, nodes[at + 1]!.t];
    const t = middle(from, to);
    if (!(t > from && t < to)) break;
    nodes.splice(at + 1, 0, looked(t, nodes.length));
    orders = ordersBetween();
  }
  const stretches: Stretch[] = [];
  orders.forEach((smaller, at) => {
    const [from, to] = [nodes[at]!.t, nodes[at + 1]!.t];
    const before = stretches.at(-1);
    if (before?.smaller === smaller) stretches[stretches.length - 1] = { ...before, to };
    else stretches.push({ from, to, smaller });
  });
  return stretches;
}
