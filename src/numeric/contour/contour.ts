import { difference, fromDouble, toDouble, type DoubleDouble } from '../double-double.ts';
import { enclosure, type Enclosure } from '../enclosure.ts';
import { approximateLogSum } from '../enclosure-arithmetic.ts';
import { ELEMENTARY_ERROR, leadingDigits, roundDownBy, roundUpBy, UNIT_ROUNDOFF as U } from '../rounding.ts';
import type { Watch } from '../watch.ts';
import { leastPeriod, logAliases } from './aliasing.ts';
import type { Line } from './line.ts';
import { quadratureFor, type Quadrature } from './quadrature.ts';
import { TrapezoidSum, type LeftOut, type Nodes } from './nodes.ts';
import { aboutComposed, composedLine, type AtomicPart, type ComposedLine, type ComposedLoss } from './composed-loss.ts';

/** Nodes that follow each other are turned together, so many at a time. */
const BLOCK = 32;

/**
 * The sum of Re(term e^(-i n h away)) over the nodes, of their terms for one factor. A turn is that of the first of its block
 * times one of a table: each is within 8 roundings of |n h away| and 40 roundings of 1.
 */
function turnedSum({ size, n }: Nodes, terms: Float64Array, h: number, away: number): number {
  const angle = h * away;
  const [cosines, sines] = [new Float64Array(BLOCK), new Float64Array(BLOCK)];
  const filled = Math.min(BLOCK, size);
  for (let j = 0; j < filled; j++) {
    cosines[j] = Math.cos(j * angle);
    sines[j] = Math.sin(j * angle);
  }
  let sum = 0;
  for (let start = 0; start < size;) {
    const at = n[start]!;
    let [re, im] = [0, 0];
    let i = start;
    for (; i < size && n[i]! - at < BLOCK; i++) {
      const j = n[i]! - at;
      re += terms[2 * i]! * cosines[j]! + terms[2 * i + 1]! * sines[j]!;
      im += terms[2 * i + 1]! * cosines[j]! - terms[2 * i]! * sines[j]!;
    }
    const turn = at * h * away;
    sum += re * Math.cos(turn) + im * Math.sin(turn);
    start = i;
  }
  return sum;
}

/** The line and the width that are asked of a contour. */
export interface Goal {
  readonly line: Line;
  /** The relative width of delta (below: of 1 - delta) that is asked of the epsilons that the line serves. */
  readonly width: number;
  /** Of a part of a curve: ln of the whole, about, of which the width is. */
  readonly logWhole?: number;
  /** Whether nodes without smoothing were too many. */
  readonly isSmoothed?: boolean;
  /** Other places of which the moments are wanted. */
  readonly also?: readonly number[];
}

/** The curve on a stretch of epsilons, from one set of nodes. */
export interface Contour {
  /** Where it crosses the real axis: about minus the slope of ln delta. */
  readonly c: number;
  /** Encloses ln delta (below: ln (1 - delta)) at any epsilon; narrow on the stretch it was made for. */
  readonly logValue: (epsilon: DoubleDouble) => Enclosure;
  /** How many nodes carry weight. */
  readonly size: number;
  /** Whether nodes for the width that was asked were too many, so that it was made for a larger one. */
  readonly isCut: boolean;
}

/** An error small enough, relative to the sum, and to the whole of which that is a part. */
const LEAST_SHARE = 1e-14;
const LEAST_OF_WHOLE = 1e-12;
/** What is cut off without smoothing is this part of the width: it is as large at the ends of the stretch, where the sum is less. */
const CUT = 60;
/** How much more width is asked where nodes are too many. */
const WIDER = 20;
/** Nothing is smoothed more than this, relatively. */
const WIDEST = 0.1;
/** Moments of so many terms together are computed for one contour, and of more where so many groups are together. */
const MOST_WORK = 3e6;
const MANY_GROUPS = 50;

/** A contour that is to be drawn. */
export interface LaidOut {
  /** Its last other places are those that were wanted. */
  readonly line: ComposedLine;
  /** At most how many terms of moments it takes, unless there are gaps before the nodes end. */
  readonly work: () => number;
  /** null where it takes more than so many. */
  readonly draw: (workLimit: number, watch: Watch) => Contour | null;
}

/** On a line: the share of the atoms times their E[e^(cL)] over that of all. */
function leftOutOn({ loss, logShare }: AtomicPart, all: ComposedLine, c: number): LeftOut {
  const line = composedLine(loss, c);
  const value = Math.min(0, logShare.value + line.moment.value - all.moment.value);
  return { line, logFactor: { value, error: logShare.error + line.moment.error + all.moment.error } };
}

/**
 * Bounds the terms beyond the node at t without noise, by the losses with a density besides atoms; null where there are none. The
 * kernel is at most 1 / t^2, and terms fall, so that they are at most an integral over pi.
 *
 * All else in the product is at most 1. With the atoms taken off it is a sum over the factors, of one density times all others,
 * each of which is at most its atoms and its density together: that falls as 1 / t besides.
 */
function beyondDensities({ groups }: ComposedLoss, c: number, atomsAreOff: boolean): ((t: number) => number) | null {
  const parts = groups.flatMap(({ transform, count }) => {
    const beside = transform.besideAtoms?.(c);
    return beside ? [{ ...beside, count }] : [];
  });
  if (parts.length === 0) return null;
  return (t) => {
    let [log, sum] = [1e-9, 0];
    for (const { atoms, fall, count } of parts) {
      const bound = Math.min(1, atoms + fall / t);
      log += count * (Math.log(bound) + 1e-14);
      sum += (count * fall) / (t * bound);
    }
    return (Math.exp(log) / (Math.PI * t)) * (atomsAreOff ? sum / 2 : 1);
  };
}

/**
 * The curve of a composed loss by the trapezoid rule on a vertical line.
 *
 * For c > 0, delta(epsilon) is the integral of M(z) e^(-z epsilon) / (z (z + 1)) over Re z = c, over 2 pi i; for -1 < c < 0
 * it is less by 1, the residue at 0. With nodes h apart and Y = 2 pi / h, by Poisson summation,
 *
 *   sum = sum over whole j of e^(c Y j) delta(epsilon + Y j),
 *
 * all of whose terms but j = 0 are errors of one sign, which a Chernoff bound limits (see aliasing). What lies beyond the
 * last node is limited by Gaussian noise: that which is there, or a little that is added for a bound from above and from
 * below (see smoothKernel). Without
 * their atoms the moments of losses that have a density too fall by themselves. Losses on a lattice have a periodic integrand, and no end (see latticeKernel).
 *
 * Source: the integral is the inverse Laplace transform of the curve (Alghamdi et al. 2023 use its saddle point); the
 * enclosure is derived.
 */
export function layOut(loss: ComposedLoss, leftOut: AtomicPart | null, goal: Goal): LaidOut | null {
  const { width, also = [] } = goal;
  const { side, c, from, to, steepness } = goal.line;
  const epsilon = from + (to - from) / 2;
  const guess = aboutComposed(loss, c);
  const deviation = Math.sqrt(guess.variance);
  const peak = Math.abs(c * (c + 1));
  // About the sum, relative to e^(K(c) - c epsilon), and the whole of which it is a part.
  const about = 1 / (peak * Math.sqrt(2 * Math.PI * (deviation ** 2 + 1 / c ** 2 + 1 / (c + 1) ** 2)));
  const whole = goal.logWhole === undefined ? 0 : Math.exp(goal.logWhole - guess.value + c * epsilon);
  const ofWhole = Math.max(about, whole);
  const slack = Math.max(LEAST_SHARE * about, LEAST_OF_WHOLE * whole);
  const negligible = (end: number): number => Math.log(slack) + guess.value - c * end;
  const { elsewhere, period } = leastPeriod(loss, side, c, deviation, [from, to], negligible);
  const relative = Math.min(WIDEST, (width * ofWhole) / about);
  const quadrature = quadratureFor(loss, c, period, {
    width: relative / steepness,
    negligible: Math.max(slack, (width / 50) * ofWhole),
    slack,
    smoothed: goal.isSmoothed === true,
    cut: beyondDensities(loss, c, leftOut !== null),
    cutShare: Math.max(slack, (width / CUT) * ofWhole),
  });
  const { grid, kernel } = quadrature;
  const line = composedLine(loss, c, [...elsewhere, ...also], 2 * leadingDigits(grid.h * grid.last, 1));
  if (line.moment.error === Infinity) return null;
  const sum = new TrapezoidSum(line, leftOut && leftOutOn(leftOut, line, c), c, grid, kernel, quadrature.negligible);
  return {
    line,
    work: () => sum.work(),
    draw(workLimit, watch) {
      const nodes = sum.nodes(epsilon, workLimit, watch);
      return nodes && contourByNodes(goal.line, quadrature, line, elsewhere, nodes, leftOut === null ? 1 : 2);
    },
  };
}

/** The curve by nodes; see {@link layOut}. */
function contourByNodes(
  { side, c, from, to }: Line,
  { grid, beyond, read }: Quadrature,
  line: ComposedLine,
  elsewhere: readonly number[],
  nodes: Nodes,
  products: number,
): Contour {
  const { moment, others } = line;
  const aliases = logAliases(
    side,
    c,
    elsewhere.map((place, i) => ({ c: place, moment: others[i]! })),
  );
  // What is left out ends no earlier.
  const nodeError = nodes.error + nodes.skipped + beyond * products;
  const apart = fromDouble(from + (to - from) / 2);

  function logValue(x: DoubleDouble): Enclosure {
    const { place, share } = read(x);
    const away = toDouble(difference(place, apart));
    const first = turnedSum(nodes, nodes.first, grid.h, away);
    const second = nodes.second === nodes.first ? first : turnedSum(nodes, nodes.second, grid.h, away);
    const off = (nodeError + (nodes.spread * Math.abs(away) * 8 + (nodes.size + 64) * nodes.mass) * U) * (1 + 1e-9);
    // From above delta is smoothed upwards and 1 - delta downwards.
    const [low, high] = share === null ? [second, first] : [first - share * second, first - share * second];
    const at = toDouble(place);
    const level = moment.value - c * at;
    const levelError = moment.error + 8 * U * (Math.abs(moment.value) + Math.abs(c * at)) + 1e-15;
    const alias = Math.exp(aliases(toDouble(x), grid.period) - level + levelError) * (1 + 1e-9);
    const [lower, upper] = side === 'above' ? [low - off - alias, high + off] : [-high - off - alias, -low + off];
    // A product that overflowed says nothing.
    if (Number.isNaN(level + lower + upper + levelError)) return enclosure(-Infinity, 0);
    const log = (sum: number): number => (sum > 0 ? Math.log(sum) : -Infinity);
    return enclosure(
      roundDownBy(level + roundDownBy(log(lower), ELEMENTARY_ERROR) - levelError, 4 * U),
      Math.min(0, roundUpBy(level + roundUpBy(log(upper), ELEMENTARY_ERROR) + levelError, 4 * U)),
    );
  }
  return { c, logValue, size: nodes.size, isCut: false };
}

/**
 * The curve of a composed loss by one line. Atoms that lie on a lattice are a sum of their own, as the curve is linear in
 * the distribution: it has a corner at each, where smoothing would cost more than elsewhere.
 */
export function contourFor(loss: ComposedLoss, goal: Goal, watch: Watch = {}): Contour {
  const { atoms } = loss;
  if (atoms === null) return contourOf(loss, null, goal, watch);
  const discrete = contourOf(atoms.loss, null, goal, watch);
  const remainder = contourOf({ ...loss, atoms: null }, atoms, goal, watch);
  const { value, error } = atoms.logShare;
  const off = error + 8 * U * Math.abs(value) + 1e-15;
  return {
    c: goal.line.c,
    size: discrete.size + remainder.size,
    isCut: discrete.isCut || remainder.isCut,
    logValue(x) {
      const own = discrete.logValue(x);
      return sumOf([enclosure(own.lower + value - off, own.upper + value + off), remainder.logValue(x)]);
    },
  };
}

/** A contour for the width that was asked, or where that takes too many terms for a larger one. */
function contourOf(loss: ComposedLoss, leftOut: AtomicPart | null, goal: Goal, watch: Watch): Contour {
  const workLimit = MOST_WORK * (1 + loss.groups.length / MANY_GROUPS);
  for (let { width } = goal; width <= WIDEST; width *= WIDER) {
    const contour = layOut(loss, leftOut, { ...goal, width, isSmoothed: width > goal.width })?.draw(workLimit, watch);
    if (contour) return { ...contour, isCut: width > goal.width };
  }
  return { c: goal.line.c, logValue: () => enclosure(-Infinity, 0), size: 0, isCut: true };
}

/** ln of the sum of parts of a curve, given by their logarithms. */
export function sumOf(parts: readonly Enclosure[]): Enclosure {
  const [lower, upper] = [
    parts.reduce((sum, part) => approximateLogSum(sum, part.lower), -Infinity),
    parts.reduce((sum, part) => approximateLogSum(sum, part.upper), -Infinity),
  ];
  const roundings = parts.length * ELEMENTARY_ERROR;
  return enclosure(
    roundDownBy(lower, roundings) - parts.length * 1e-15,
    Math.min(0, roundUpBy(upper, roundings) + parts.length * 1e-15),
  );
}
