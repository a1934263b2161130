import { larger, Rational } from '../numeric/rational.ts';
import type { TradeOffPoint } from './mechanism.ts';

/** A corner of a convex polygonal line. */
export interface Corner {
  readonly alpha: Rational;
  readonly beta: Rational;
}

/** A point that is no corner of a trade-off function. */
export type TradeOffFault =
  | {
      /**
       * above-diagonal: beta > 1 - alpha; not-ascending: alpha is not above that of the point before; rising: beta is above
       * that of the point before.
       */
      readonly rule: 'above-diagonal' | 'not-ascending' | 'rising';
      readonly index: number;
    }
  | {
      /** The point is above the line between its neighbours, which at its alpha is `most`. */
      readonly rule: 'not-convex';
      readonly index: number;
      readonly between: readonly [Corner, Corner];
      readonly most: Rational;
    };

const { ZERO, ONE } = Rational;

const cornerOf = ({ alpha, beta }: TradeOffPoint): Corner => ({
  alpha: Rational.ofDecimal(alpha),
  beta: Rational.ofDecimal(beta),
});

/** How many corners stand before the first point: (0, 1), unless that has alpha 0. */
const addedBefore = ([first]: readonly TradeOffPoint[]): 0 | 1 => (first?.alpha.isZero() === true ? 0 : 1);

/** The points with the ends that are missing: (0, 1) and (1, 0). */
function withEnds(points: readonly TradeOffPoint[]): readonly Corner[] {
  const last = points.at(-1);
  return [
    ...(addedBefore(points) === 1 ? [{ alpha: ZERO, beta: ONE }] : []),
    ...points.map(cornerOf),
    ...(last?.alpha.eq(1) === true ? [] : [{ alpha: ONE, beta: ZERO }]),
  ];
}

/** Above 0 where the way from a over b to c turns to the left, 0 where it is straight. */
const turn = (a: Corner, b: Corner, c: Corner): Rational =>
  b.alpha
    .minus(a.alpha)
    .times(c.beta.minus(a.beta))
    .minus(c.alpha.minus(a.alpha).times(b.beta.minus(a.beta)));

const lineAt = (from: Corner, to: Corner, alpha: Rational): Rational =>
  from.beta.plus(to.beta.minus(from.beta).times(alpha.minus(from.alpha).over(to.alpha.minus(from.alpha))));

function faultOfPoint(
  { alpha, beta }: TradeOffPoint,
  before: TradeOffPoint | undefined,
  index: number,
): TradeOffFault[] {
  if (alpha.plus(beta).gt(1)) return [{ rule: 'above-diagonal', index }];
  if (before === undefined) return [];
  if (alpha.lte(before.alpha)) return [{ rule: 'not-ascending', index }];
  return beta.gt(before.beta) ? [{ rule: 'rising', index }] : [];
}

function convexFaults(points: readonly TradeOffPoint[]): readonly TradeOffFault[] {
  const corners = withEnds(points);
  return points.flatMap((_, index): TradeOffFault[] => {
    const at = index + addedBefore(points);
    const [from, here, to] = [corners[at - 1], corners[at], corners[at + 1]];
    if (from === undefined || here === undefined || to === undefined) return [];
    if (turn(from, here, to).compare(ZERO) >= 0) return [];
    return [{ rule: 'not-convex', index, between: [from, to], most: lineAt(from, to, here.alpha) }];
  });
}

/**
 * What keeps points with coordinates from 0 to 1 from being corners of a trade-off function: a function f on [0, 1] that is
 * convex, continuous and does not increase, with f(alpha) <= 1 - alpha. A missing end, (0, 1) or (1, 0), is added
 * first. Exact: a point that is 1e-300 above the line between its neighbours is found.
 *
 * Source: Dong, Roth, Su (2022), Proposition 2.2.
 */
export function tradeOffFaults(points: readonly TradeOffPoint[]): readonly TradeOffFault[] {
  const single = points.flatMap((point, index) => faultOfPoint(point, points[index - 1], index));
  return single.length > 0 ? single : convexFaults(points);
}

const mirrored = ({ alpha, beta }: Corner): Corner => ({ alpha: beta, beta: alpha });

/** The value at `alpha` of a polygonal line that has it between its ends. */
function valueAt(line: readonly Corner[], alpha: Rational): Rational {
  const next = Math.max(
    1,
    line.findIndex((corner) => corner.alpha.compare(alpha) >= 0),
  );
  return lineAt(line[next - 1]!, line[next]!, alpha);
}

/** The larger of two polygonal lines over the same stretch, with corners wherever either has one and where they cross. */
function upperEnvelope(one: readonly Corner[], two: readonly Corner[]): readonly Corner[] {
  const all = [...one, ...two].map(({ alpha }) => alpha).sort((a, b) => a.compare(b));
  const grid = all.filter((alpha, i) => i === 0 || !alpha.equals(all[i - 1]!));
  const values = grid.map((alpha) => [valueAt(one, alpha), valueAt(two, alpha)] as const);
  return grid.flatMap((alpha, i): Corner[] => {
    const [a, b] = values[i]!;
    const corner = { alpha, beta: larger(a, b) };
    if (i + 1 === grid.length) return [corner];
    const [here, there] = [a.minus(b), values[i + 1]![0].minus(values[i + 1]![1])];
    if (here.times(there).compare(ZERO) >= 0) return [corner];
    const share = here.over(here.minus(there));
    const crossing = alpha.plus(grid[i + 1]!.minus(alpha).times(share));
    return [corner, { alpha: crossing, beta: valueAt(one, crossing) }];
  });
}

/**
 * The corners of the largest convex function that is nowhere above the given ones, whose alphas ascend: none of them lies
 * on the line between its neighbours.
 */
export function lowerHull(corners: readonly Corner[]): readonly Corner[] {
  const hull: Corner[] = [];
  for (const corner of corners) {
    while (hull.length > 1 && turn(hull.at(-2)!, hull.at(-1)!, corner).compare(ZERO) <= 0) hull.pop();
    hull.push(corner);
  }
  return hull;
}

/** Corners of the part with beta >= alpha of a symmetric line, the last of them with beta = alpha, and their mirror images. */
export const withMirrorImage = (half: readonly Corner[]): readonly Corner[] => [
  ...half,
  ...half.slice(0, -1).reverse().map(mirrored),
];

/**
 * The part with beta >= alpha of f^S = max(f, f^-1), from alpha = 0 to the point c with f(c) = c, by its corners and perhaps
 * others on the lines between them; f is given by points without faults (see {@link tradeOffFaults}). Exact.
 *
 * A mechanism is f-DP where T(M(D), M(D')) >= f for all neighbours D, D', of which the order is free. As T(Q, P) is the
 * inverse of T(P, Q), it is then f^-1-DP as well, and so f^S-DP; and as f^S >= f, what is f^S-DP is f-DP. f^S is a trade-off
 * function, its own inverse, and the one through which f-DP is composed without loss.
 *
 * Where beta >= alpha, f has its corners up to c, and f^-1 the mirror images of those of f from c on; both meet at c.
 *
 * Source: Dong, Roth, Su (2022), Definition 2.3 and Proposition 2.4; the corners are derived.
 */
export function symmetricHalf(points: readonly TradeOffPoint[]): readonly Corner[] {
  const all = withEnds(points);
  // Further on f is 0.
  const corners = all.slice(0, all.findIndex(({ beta }) => beta.isZero()) + 1);
  const below = corners.findIndex(({ alpha, beta }) => beta.compare(alpha) <= 0);
  const low = corners[below]!;
  const high = corners[below - 1];
  if (high === undefined) return [low];
  const [above, under] = [high.beta.minus(high.alpha), low.beta.minus(low.alpha)];
  const c = high.alpha.plus(low.alpha.minus(high.alpha).times(above.over(above.minus(under))));
  const middle = { alpha: c, beta: c };
  const inverse = corners
    .slice(below)
    .filter(({ alpha }) => !alpha.equals(c))
    .reverse();
  return upperEnvelope([...corners.slice(0, below), middle], [...inverse.map(mirrored), middle]);
}
