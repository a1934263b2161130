import { aboutComposed, type ComposedLoss } from '../../numeric/contour/composed-loss.ts';
import { toUpper, type Decimal } from '../../numeric/decimal.ts';
import { bracketRoot, straightenedTail } from '../../numeric/bracket-root.ts';
import { difference, fromDouble, toDouble, type DoubleDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, meet, midpoint, width, widthOverUpper, type Enclosure } from '../../numeric/enclosure.ts';
import { add, exponential, expm1, logarithm, multiply, negate } from '../../numeric/enclosure-arithmetic.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U, nextDown, nextUp } from '../../numeric/rounding.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import { solveEpsilon, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';

/** Others are small where their deviation is no larger a share of the largest loss. */
const SMALL = 3e-3;
/** And no larger than this: places are in e^s. */
const LARGEST = 0.1;
/** Nearly normal ones have contours that end soon: those whose variance grows by less under a tilt of their inverse deviation. */
const GROWN = 0.05;
/** How far, in their deviations, they may count where no places are set. */
const REACH = 100;
/** How wide delta may be at first, and at last over what is asked. */
const FIRST_LOOK = 0.01;
const NARROW = 0.1;
/** An epsilon wider than this, and ln delta, is looked for by other means too. */
const WIDE = 1e-5;
const WIDE_DELTA = 0.1;
/**
 * The first places of the small losses, over their deviation: multiples of this by powers of 2, on both sides of 0. Between the nearest
 * two of them none are set: to compute the curve there would take long.
 */
const FIRST = 2 ** -5;
/** The deviation of a normal loss over its curve at 0; where that is far less than theirs, a few large losses are most of it. */
const NORMAL = Math.sqrt(2 * Math.PI);
const FARTHEST_IN = 64;
/** The last place, over epsilon. */
const LAST = 1 - 2 ** -20;
/** So many powers are taken at most, and nodes. */
const MOST_DOUBLINGS = 48;
const MOST_NODES = 1500;
/** Below 0 the curve of the small losses is 1 - e^s where it is so to this share of what it is at 0. */
const STRAIGHT = 1e-8;
/** Above 0 it ends where it is this share of the answer. */
const ENDED = 1e-10;

/** A place s of the small losses, and e^s times the curve of the bounded ones at epsilon - s. */
interface Place {
  readonly s: number;
  readonly bounded: Enclosure;
}

const placeWith = (s: number, boundedOf: (s: number) => Enclosure): Place => ({ s, bounded: boundedOf(s) });

/** A place with the curve of the small losses there. */
interface Node extends Place {
  readonly small: Enclosure;
  /** The middle between it and the next. */
  middle?: Place | undefined;
}

/** A place where a line has a height. */
interface Point extends Place {
  readonly height: number;
}

/** e^t - e^s, s < t. */
const gapOf = (s: number, t: number): number => Math.exp(s) * Math.expm1(t - s);

/** What is known of a convex curve at two places, which are `span` apart. */
interface Chord {
  readonly near: number;
  readonly far: number;
  readonly span: number;
}

/** Below a convex curve: the line through two of its points beyond the nearer one, at most there; `far` is at least the curve. */
function prolonged({ near, far, span }: Chord, fromNear: number, fromFar: number): number {
  const [own, other] = [near * (fromFar / span), far * (fromNear / span)];
  return own - other - 64 * U * (Math.abs(own) + Math.abs(other));
}

/**
 * One end of the sum over places of `bounded` times the change of the slope of the line through them, which begins at 1 at e^s = 0 and
 * stays as it is after the last; rounded outward.
 */
function integrated(points: readonly Point[], end: 'lower' | 'upper'): number {
  const first = points[0]!;
  let slope = (1 - first.height) / Math.exp(first.s);
  let [sum, magnitude] = [0, 0];
  points.forEach(({ s, height, bounded }, j) => {
    const next = points[j + 1];
    const after = next === undefined ? 0 : (height - next.height) / gapOf(s, next.s);
    const change = slope - after;
    sum += change * (change > 0 === (end === 'upper') ? bounded.upper : bounded.lower);
    magnitude += (Math.abs(slope) + Math.abs(after)) * bounded.upper;
    slope = after;
  });
  const error = (4 * ELEMENTARY_ERROR + (16 + points.length) * U) * magnitude;
  const last = points.at(-1)!.height;
  return end === 'upper' ? nextUp(sum + last + error) : nextDown(sum + last - error);
}

/** What is known of bounded losses A beside independent small ones S. */
export interface BesideSmall {
  /** The curve of A, which has a maximum. */
  readonly bounded: FiniteLossCurve;
  /** That of S, and of S with the neighbors swapped: no outcome has a probability for one of them only. */
  readonly small: FiniteLossCurve;
  readonly swapped: FiniteLossCurve;
  /** About the deviation of S. */
  readonly deviation: number;
  /** The curve of both by other means, for epsilons no larger than S. */
  readonly together: FiniteLossCurve;
  /** The relative width that is asked. */
  readonly tolerance: number;
}

/** Whether losses of a deviation are small beside those with this maximum. */
export const areSmall = (deviation: number, largest: Decimal | null): boolean =>
  largest !== null && deviation > 0 && deviation <= Math.min(SMALL * largest.toNumber(), LARGEST);

/** Whether they have contours that end soon. */
export const areNearlyNormal = (losses: ComposedLoss, deviation: number): boolean =>
  Math.abs(aboutComposed(losses, 1 / deviation).variance / deviation ** 2 - 1) <= GROWN;

type NodeAt = (s: number) => Node;

/** About the deviation of all but a few large losses. */
function scaleOf(nodeAt: NodeAt, deviation: number): number {
  let scale = deviation;
  while (scale > deviation / FARTHEST_IN) {
    const about = NORMAL * nodeAt(FIRST * scale).small.upper;
    if (about >= scale / 2) break;
    scale = Math.max(about, scale / 8);
  }
  return scale;
}

/** Places at powers of 2, as far as the small losses count at this epsilon. */
function firstNodes(nodeAt: NodeAt, deviation: number, epsilon: number): Node[] {
  const nodes: Node[] = [];
  const nearest = FIRST * scaleOf(nodeAt, deviation);
  for (let i = 0, s = nearest; i < MOST_DOUBLINGS; i++, s *= 2) {
    const node = nodeAt(-s);
    nodes.unshift(node);
    if (node.small.upper + Math.expm1(-s) <= STRAIGHT * nodes.at(-1)!.small.upper) break;
  }
  const first = nodes[0]!;
  // Before it only the line from 1 is known to lie below.
  const lower = Math.min(first.small.lower, nextDown(-Math.expm1(first.s) * (1 - 2 * ELEMENTARY_ERROR)));
  nodes[0] = { ...first, small: enclosure(lower, first.small.upper) };
  // delta is at least h(e^s) P(A > epsilon - s).
  let least = 0;
  const end = LAST * epsilon;
  for (let i = 0, s = nearest; i < MOST_DOUBLINGS && nodes.at(-1)!.s < end; i++, s *= 2) {
    const node = nodeAt(Math.min(s, end));
    nodes.push(node);
    least = Math.max(least, node.small.lower * node.bounded.lower * Math.exp(-node.s));
    if (node.small.upper <= ENDED * least) break;
  }
  return nodes;
}

/** The lines that bound the curve of the small losses, as points; and how much of delta after each place a place more could tell. */
interface Lines {
  readonly above: readonly Point[];
  readonly below: readonly Point[];
  readonly gaps: readonly number[];
}

/** At most the curve of the small losses at s, between the j-th place and the next. */
function lowestBetween(nodes: readonly Node[], j: number, s: number): number {
  const [before, node, next, after] = [nodes[j - 1], nodes[j]!, nodes[j + 1]!, nodes[j + 2]];
  const near = node.small.lower;
  const [fromNode, toNext] = [gapOf(node.s, s), gapOf(s, next.s)];
  const left = before
    ? prolonged({ near, far: before.small.upper, span: gapOf(before.s, node.s) }, fromNode, gapOf(before.s, s))
    : prolonged({ near, far: 1, span: Math.exp(node.s) }, fromNode, Math.exp(s));
  if (!after) return Math.min(left, 0);
  const chord = { near: next.small.lower, far: after.small.upper, span: gapOf(next.s, after.s) };
  return Math.min(left, prolonged(chord, toNext, gapOf(s, after.s)));
}

function linesThrough(nodes: readonly Node[], boundedOf: (s: number) => Enclosure): Lines {
  const above = nodes.map(({ s, small, bounded }) => ({ s, height: small.upper, bounded }));
  const below: Point[] = [];
  const gaps: number[] = [];
  nodes.forEach((node, j) => {
    const next = nodes[j + 1];
    below.push({ s: node.s, height: next ? node.small.lower : 0, bounded: node.bounded });
    if (next === undefined) return;
    const middle = (node.middle ??= placeWith(node.s + (next.s - node.s) / 2, boundedOf));
    const height = lowestBetween(nodes, j, middle.s);
    below.push({ ...middle, height });
    const [toMiddle, toNext, whole] = [gapOf(node.s, middle.s), gapOf(middle.s, next.s), gapOf(node.s, next.s)];
    const chord = node.small.upper + ((next.small.upper - node.small.upper) * toMiddle) / whole;
    const mass =
      (midpoint(next.bounded) - midpoint(middle.bounded)) / toNext -
      (midpoint(middle.bounded) - midpoint(node.bounded)) / toMiddle;
    const isSplit = Math.sign(node.s) === Math.sign(next.s) && middle.s > node.s && middle.s < next.s;
    gaps.push(isSplit ? (chord - height) * Math.max(0, mass) : 0);
  });
  return { above, below, gaps };
}

/** The curve h of S at any epsilon s: below 0 it is 1 - e^s + e^s times that of the swapped neighbors at -s. */
function curveOfSmall({ small, swapped }: BesideSmall): (s: number) => Enclosure {
  const values = new Map<number, Enclosure>();
  const valueOf = (curve: FiniteLossCurve, s: number): Enclosure =>
    curve.maximum !== null && s >= toUpper(curve.maximum) ? exactly(0) : exponential(curve.logDelta(fromDouble(s)));
  const valueAt = (s: number): Enclosure => {
    if (s > 0) return valueOf(small, s);
    const at = exactly(s);
    return add(negate(expm1(at)), multiply(exponential(at), valueOf(swapped, -s)));
  };
  const smallOf = (s: number): Enclosure => {
    const cachedValue = values.get(s);
    if (cachedValue !== undefined) return cachedValue;
    const { lower, upper } = valueAt(s);
    const value = enclosure(Math.max(0, lower), Math.min(1, upper));
    values.set(s, value);
    return value;
  };
  return smallOf;
}

/** Encloses ln delta by places that are set until its ends are apart by `tolerance` of it; for epsilons that S does not reach. */
function byPlaces(parts: BesideSmall): (epsilon: DoubleDouble, tolerance: number) => Enclosure {
  const { bounded, deviation } = parts;
  const largest = toUpper(bounded.maximum!);
  const smallOf = curveOfSmall(parts);
  return (epsilon, tolerance) => {
    const boundedOf = (s: number): Enclosure => {
      const place = difference(epsilon, fromDouble(s));
      if (nextDown(toDouble(place)) >= largest) return enclosure(0, 0);
      const { lower, upper } = bounded.logDelta(place);
      const off = 4 * U * (Math.abs(s) + 1);
      return exponential(
        enclosure(lower + s - off - 4 * U * Math.abs(lower), Math.min(0, upper) + s + off - 4 * U * Math.min(0, upper)),
      );
    };
    const nodeAt = (s: number): Node => ({ ...placeWith(s, boundedOf), small: smallOf(s) });
    let nodes = firstNodes(nodeAt, deviation, toDouble(epsilon));
    for (;;) {
      const { above, below, gaps } = linesThrough(nodes, boundedOf);
      const upper = integrated(above, 'upper');
      const apart = gaps.reduce((sum, gap) => sum + gap, 0);
      if (!(apart > tolerance * upper) || nodes.length > MOST_NODES) {
        return logarithm(enclosure(Math.max(0, integrated(below, 'lower')), Math.min(1, upper)));
      }
      const share = apart / (2 * gaps.length);
      nodes = nodes.flatMap((node, j) =>
        gaps[j]! > share ? [{ ...node, middle: undefined }, nodeAt(node.middle!.s)] : [node],
      );
    }
  };
}

/**
 * The curve of bounded losses A beside independent ones S that are far smaller, for which a contour would need nodes as near each other
 * as S asks along all that A is: delta(epsilon) = E[h(e^(epsilon - A))], where h(e^s) is the curve of S.
 *
 * h is convex and falls from 1, not steeper than 1. Between places it lies below their chords, and above the chords next to them,
 * prolonged. For such a line through points u_j = e^(s_j) the expectation is the sum of Psi_j times the change of slope at u_j, with
 * Psi_j = E[(u_j - e^(epsilon - A))+] = u_j delta_A(epsilon - s_j). Places are set where both lines are apart.
 *
 * Source: derived.
 */
export function besideSmallLosses(parts: BesideSmall): FiniteLossCurve {
  const { bounded, small, deviation, together, tolerance } = parts;
  const placed = byPlaces(parts);
  const narrow = NARROW * tolerance;
  const logDelta = (epsilon: DoubleDouble, asked: number): Enclosure =>
    toDouble(epsilon) < REACH * deviation ? together.logDelta(epsilon) : placed(epsilon, asked);
  return {
    maximum: together.maximum,
    logDelta(epsilon) {
      const found = logDelta(epsilon, narrow);
      return width(found) > WIDE_DELTA
        ? meet(found, unlessInterrupted(() => together.logDelta(epsilon)) ?? found)
        : found;
    },
    epsilon(target) {
      const end = nextUp(toUpper(bounded.maximum!) + Math.max(0, solveEpsilon(small, target).upper));
      let [from, to, start]: [number, number, number] = [0, end, solveEpsilon(bounded, target).upper];
      if (start < REACH * deviation) return solveEpsilon(together, target);
      for (let asked = FIRST_LOOK; ;) {
        const evaluate = (x: number): Enclosure => logDelta(fromDouble(x), asked);
        const found = bracketRoot({ evaluate, target, from, to, start, straightened: straightenedTail });
        const reached = widthOverUpper(found);
        if (!(reached > tolerance && asked > narrow)) {
          return reached > WIDE ? meet(found, unlessInterrupted(() => solveEpsilon(together, target)) ?? found) : found;
        }
        [from, to, start] = [found.lower, found.upper, midpoint(found)];
        asked = Math.max(narrow, (asked * tolerance) / (4 * reached));
      }
    },
  };
}
