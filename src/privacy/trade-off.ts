import { larger, Rational } from '../numeric/rational.ts';
import type { TradeOffPoint, FinitePairMechanism } from './mechanism.ts';
import { Decimal } from '../numeric/decimal.ts';

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
      /** The point is above the line between its neighbours, which at its alpha is `limit`. */
      readonly rule: 'not-convex';
      readonly index: number;
      readonly between: readonly [Corner, Corner];
      readonly limit: Rational;
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
    const [from, corner, to] = [corners[at - 1], corners[at], corners[at + 1]];
    if (from === undefined || corner === undefined || to === undefined) return [];
    if (turn(from, corner, to).compare(ZERO) >= 0) return [];
    return [{ rule: 'not-convex', index, between: [from, to], limit: lineAt(from, to, corner.alpha) }];
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
function upperEnvelope(first: readonly Corner[], second: readonly Corner[]): readonly Corner[] {
  const all = [...first, ...second].map(({ alpha }) => alpha).sort((a, b) => a.compare(b));
  const grid = all.filter((alpha, i) => i === 0 || !alpha.equals(all[i - 1]!));
  const values = grid.map((alpha) => [valueAt(first, alpha), valueAt(second, alpha)] as const);
  return grid.flatMap((alpha, i): Corner[] => {
    const [a, b] = values[i]!;
    const corner = { alpha, beta: larger(a, b) };
    if (i + 1 === grid.length) return [corner];
    const [gap, nextGap] = [a.minus(b), values[i + 1]![0].minus(values[i + 1]![1])];
    if (gap.times(nextGap).compare(ZERO) >= 0) return [corner];
    const share = gap.over(gap.minus(nextGap));
    const crossing = alpha.plus(grid[i + 1]!.minus(alpha).times(share));
    return [corner, { alpha: crossing, beta: valueAt(first, crossing) }];
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

/** A trade-off function whose pair is not computed: it has more outcomes, or takes more digits. */
type UnhandledTradeOff =
  | { readonly rule: 'too-many-outcomes'; readonly outcomes: number; readonly limit: number }
  | { readonly rule: 'too-many-digits'; readonly limit: number };

/** Why points have no pair; at least one reason. */
export type TradeOffFaults = readonly (TradeOffFault | UnhandledTradeOff)[];

/** Finite pairs of more outcomes are too many for exact curves. */
const MOST_OUTCOMES = 200;
/** No number that is read has more decimal places than this where it is at most 1, and differences of such are exact. */
const MOST_PLACES = 1300;
/** Corners that are no decimals of as many places are rounded, by less than this power of 1/10 of any difference. */
const SPARE_PLACES = 40;

const SCALE = 10n ** BigInt(MOST_PLACES);

const isShort = ({ denominator }: Rational): boolean => SCALE % denominator === 0n;

/** A number of at least 0 itself where it has few decimal places, else rounded down to so many. */
function roundedDown(value: Rational, places: number): Rational {
  if (isShort(value)) return value;
  const scale = 10n ** BigInt(places);
  return Rational.of((value.numerator * scale) / value.denominator, scale);
}

/** The decimal that a number of few decimal places is. */
const decimalOf = ({ numerator, denominator }: Rational): Decimal =>
  new Decimal(`${numerator * (SCALE / denominator)}e-${MOST_PLACES}`);

const digitsOf = (value: bigint): number => String(value).replace('-', '').length;

/** So many decimal places that one unit of the last is less than the size of a difference; 0 where there is none. */
const placesOf = ({ numerator, denominator }: Rational): number =>
  numerator === 0n ? 0 : Math.max(0, digitsOf(denominator) - digitsOf(numerator) + 1);

/** Segment by segment: the decreases of beta and the increases of alpha. */
const steps = (line: readonly Corner[]): readonly (readonly [p: Rational, q: Rational])[] =>
  line.slice(1).map(({ alpha, beta }, i) => [line[i]!.beta.minus(beta), alpha.minus(line[i]!.alpha)]);

/** The corners of f^S, those that are no short decimals rounded toward the origin; null where that takes too many digits. */
function roundedCorners(points: readonly TradeOffPoint[]): readonly Corner[] | null {
  const half = symmetricHalf(points);
  const exact = lowerHull(withMirrorImage(half));
  if (exact.every(({ alpha, beta }) => isShort(alpha) && isShort(beta))) return exact;
  const differences = steps(exact).flatMap(([p, q]) => [p, q, p.minus(q)]);
  const places = Math.max(...differences.map(placesOf)) + SPARE_PLACES;
  if (places > MOST_PLACES) return null;
  return lowerHull(
    exact.map(({ alpha, beta }) => ({ alpha: roundedDown(alpha, places), beta: roundedDown(beta, places) })),
  );
}

const KNOWN = new WeakMap<
  readonly TradeOffPoint[],
  { readonly points: readonly TradeOffPoint[]; readonly pair: FinitePairMechanism | TradeOffFaults }
>();

const isSame = (a: readonly TradeOffPoint[], b: readonly TradeOffPoint[]): boolean =>
  a.length === b.length && a.every(({ alpha, beta }, i) => alpha.eq(b[i]!.alpha) && beta.eq(b[i]!.beta));

/**
 * The finite pair of a trade-off function f that is given by its corners, straight between them: the pair whose trade-off
 * function is f^S = max(f, f^-1) (see {@link symmetricHalf}), which dominates every f-DP mechanism; or what keeps the points
 * from being a trade-off function, or the pair from being computed. Points with a missing end have (0, 1) or (1, 0) added.
 *
 * [derived] A segment of f^S along which alpha grows by q and beta falls by p is an outcome of probability p under P and q
 * under Q; 1 - f^S(0) is the probability under P of what Q never gives, and, as f^S is its own inverse, under Q of what P
 * never gives. Along the convex f^S the ratios p / q fall, so that the likelihood-ratio tests of Q against P reject the first
 * outcomes, and their errors are the corners of f^S. The hockey-stick divergence of the pair is the conjugate:
 * delta(epsilon) = sum of max(0, p - e^epsilon q) = sup over alpha of 1 - f^S(alpha) - e^epsilon alpha. By Blackwell's theorem
 * M(D), M(D') are a post-processing of P, Q in this order; exchanging P and Q reverses the list and changes nothing else,
 * so that the order of neighbours does not matter, and the pair of direction `fixed` holds for both.
 *
 * Accuracy: corners that are decimals are exact, those of every symmetric f among them. Others (where f and f^-1 cross) have
 * both coordinates rounded down, their mirror images alike, and the lower convex hull g of all is taken. Every corner of f^S
 * is a corner of the rounded ones plus something of at least 0 in both coordinates; sums of the hull and such are the points
 * on or above g, which are convex, so they contain all points on or above f^S: g <= f^S. g is convex and symmetric, and the
 * pair of g promises less than f. A unit of the rounding is less than 1e-40 of every p, every q and every p - q that is not 0:
 * probabilities, and losses ln(p / q), change by less than 1e-38 of themselves (where a corner comes to lie on or above the
 * line between its neighbours, two segments become one whose losses were as near to each other). That is far less than the
 * rounding of their logarithms that curves of finite pairs enclose, so that their lower ends hold for f^S too.
 *
 * Source: Dong, Roth, Su (2022), Propositions 2.4, 2.12 and Theorem 2.10 (Blackwell 1950); the pair and the rounding are
 * derived.
 */
export function tradeOffPair(points: readonly TradeOffPoint[]): FinitePairMechanism | TradeOffFaults {
  const entry = KNOWN.get(points);
  if (entry !== undefined && isSame(entry.points, points)) return entry.pair;
  const pair = computePair(points);
  KNOWN.set(points, { points: [...points], pair });
  return pair;
}

function computePair(points: readonly TradeOffPoint[]): FinitePairMechanism | TradeOffFaults {
  const faults = tradeOffFaults(points);
  if (faults.length > 0) return faults;
  const corners = roundedCorners(points);
  if (corners === null) return [{ rule: 'too-many-digits', limit: MOST_PLACES }];
  const failure = Rational.ONE.minus(corners[0]!.beta);
  const outcomes: (readonly [Rational, Rational])[] = failure.isZero()
    ? [...steps(corners)]
    : [[failure, Rational.ZERO], ...steps(corners), [Rational.ZERO, failure]];
  if (outcomes.length > MOST_OUTCOMES) {
    return [{ rule: 'too-many-outcomes', outcomes: outcomes.length, limit: MOST_OUTCOMES }];
  }
  return {
    type: 'finite-pair',
    p: outcomes.map(([p]) => decimalOf(p)),
    q: outcomes.map(([, q]) => decimalOf(q)),
    direction: 'fixed',
    written: { points },
  };
}

/** Whether a pair, or why there is none. */
export const isPair = (result: FinitePairMechanism | TradeOffFaults): result is FinitePairMechanism => 'p' in result;

const areEqual = (a: readonly Decimal[], b: readonly Decimal[]): boolean =>
  a.length === b.length && a.every((value, i) => value.eq(b[i]!));

/** The points of the trade-off function that a pair was written by; null where it was not, or is by now another pair. */
export function tradeOffPoints({ p, q, written }: FinitePairMechanism): readonly TradeOffPoint[] | null {
  if (written === undefined) return null;
  const pair = tradeOffPair(written.points);
  return isPair(pair) && areEqual(pair.p, p) && areEqual(pair.q, q) ? written.points : null;
}
