import type { LossTransform } from '../numeric/contour/transform.ts';
import { Decimal, ZERO } from '../numeric/decimal.ts';
import { asUpper, type Enclosure, type UpperBound } from '../numeric/enclosure.ts';
import { add, negate } from '../numeric/enclosure-arithmetic.ts';
import { normalQuantile } from '../numeric/normal.ts';
import {
  encloseRational,
  larger,
  LOG_RATIONAL_ERROR,
  logRational,
  Rational,
  roundedDecimal,
  total,
} from '../numeric/rational.ts';
import { type LogAtom, atomsTransform } from './atoms-transform.ts';
import { atomicPair, type SinglePair } from './single-pair.ts';

/** A pair of distributions on finitely many outcomes, as decimals that sum to 1 each. */
export interface FinitePair {
  readonly p: readonly Decimal[];
  readonly q: readonly Decimal[];
}

/** A finite pair split into its revealing part and its finite losses. */
export interface SplitPair {
  /** Probability, under P, of outcomes that Q never gives. */
  readonly failure: Decimal;
  readonly finite: SinglePair;
  /** The finite losses on their own, by their moments. */
  readonly transform: LossTransform;
  /** No finite loss exceeds this. */
  readonly largest: Decimal;
}

/** The convex function y -> P(inf) + sum of max(0, p_i - y q_i): the hockey-stick curve in y = e^eps, by its kinks. */
interface Kink {
  readonly y: Rational;
  /** Mass of Q at the kink. */
  readonly q: Rational;
}

const same = (a: readonly Decimal[], b: readonly Decimal[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

/** A function of a pair that is computed once for the same decimals in the same list. */
export function oncePerPair<T>(compute: (pair: FinitePair) => T): (pair: FinitePair) => T {
  const cache = new WeakMap<readonly Decimal[], FinitePair & { readonly value: T }>();
  return (pair) => {
    const { p, q } = pair;
    const entry = cache.get(p);
    if (entry !== undefined && same(entry.p, p) && same(entry.q, q)) return entry.value;
    const value = compute(pair);
    cache.set(p, { p: [...p], q: [...q], value });
    return value;
  };
}

const ascending = (a: Rational, b: Rational): number => a.compare(b);

/** Exact, as curves that touch differ by nothing there: a rounded difference would have a sign. */
export const kinks = oncePerPair(({ p, q }): readonly Kink[] => {
  const merged = new Map<string, Kink>();
  p.forEach((mass, i) => {
    const other = q[i]!;
    if (other.isZero() || mass.isZero()) return;
    const weight = Rational.ofDecimal(other);
    const y = Rational.ofDecimal(mass).over(weight);
    const key = y.toString();
    merged.set(key, { y, q: (merged.get(key)?.q ?? Rational.ZERO).plus(weight) });
  });
  return [...merged.values()].sort((a, b) => ascending(a.y, b.y));
});

/** The probability, under P, of outcomes that Q never gives. */
export const failureOfPair = ({ p, q }: FinitePair): Decimal =>
  p.reduce((sum, mass, i) => (q[i]!.isZero() ? sum.plus(mass) : sum), ZERO);

/** The pair with its distributions exchanged. */
export const swapped = ({ p, q }: FinitePair): FinitePair => ({ p: q, q: p });

const curveAt = (list: readonly Kink[], failure: Rational, y: Rational): Rational =>
  total([failure, ...list.filter((kink) => kink.y.compare(y) > 0).map((kink) => kink.y.minus(y).times(kink.q))]);

const slopeAfter = (list: readonly Kink[], y: Rational): Rational =>
  total(list.filter((kink) => kink.y.compare(y) > 0).map(({ q }) => q)).negated();

/** The losses of a curve given by its kinks, as probabilities given that nothing is revealed. */
function pairOf(list: readonly Kink[], failure: Decimal): Pick<SplitPair, 'finite' | 'transform'> {
  const survive = Rational.ONE.minus(Rational.ofDecimal(failure));
  const atoms: LogAtom[] = list
    .filter(({ q }) => !q.isZero())
    .map(({ y, q }) => ({ loss: logRational(y), logMass: logRational(y.times(q).over(survive)) }))
    .reverse();
  const largest = Math.max(0, ...atoms.map(({ loss, logMass }) => Math.max(Math.abs(loss), Math.abs(logMass))));
  const listed = atoms.length > 0 ? atoms : [{ loss: 0, logMass: 0 }];
  const massError = 8 * Number.EPSILON + 2 * largest * LOG_RATIONAL_ERROR;
  return {
    finite: atomicPair(listed, largest * LOG_RATIONAL_ERROR, massError),
    transform: atomsTransform(listed, LOG_RATIONAL_ERROR, massError),
  };
}

/** ln of the largest ratio, rounded up at 40 digits; at least 0. */
function largestOf(list: readonly Kink[]): Decimal {
  const Up = Decimal.clone({ precision: 40, rounding: 0 });
  const top = list.filter(({ q }) => !q.isZero()).at(-1)?.y ?? Rational.ONE;
  if (top.compare(Rational.ONE) <= 0) return ZERO;
  return new Decimal(new Up(roundedDecimal(top, 60, 'up')).ln().times('1.000000000000000000000000000001'));
}

/** The largest finite loss in the direction given, rounded up at 40 digits; at least 0. */
export const largestLossOf: (pair: FinitePair) => Decimal = oncePerPair((pair) => largestOf(kinks(pair)));

/** The pair in the direction given. */
export const oneWay: (pair: FinitePair) => SplitPair = oncePerPair((pair) => {
  const failure = failureOfPair(pair);
  return { failure, ...pairOf(kinks(pair), failure), largest: largestLossOf(pair) };
});

/** The finite losses of a pair with their probabilities under p, and the chances of what only one of the two gives. */
interface LossesOfPair {
  readonly atoms: readonly LogAtom[];
  readonly onlyP: Rational;
  readonly onlyQ: Rational;
}

const lossesIn = (list: readonly Kink[], onlyP: Decimal, onlyQ: Decimal): LossesOfPair => ({
  atoms: list
    .filter(({ q }) => !q.isZero())
    .map(({ y, q }) => ({ loss: logRational(y), logMass: logRational(y.times(q)) })),
  onlyP: Rational.ofDecimal(onlyP),
  onlyQ: Rational.ofDecimal(onlyQ),
});

/** The losses of a pair as it stands (fixed), or of the pair that dominates both orders (either). */
export function lossesOf(pair: FinitePair, direction: 'either' | 'fixed'): LossesOfPair {
  const [there, back] = [failureOfPair(pair), failureOfPair(swapped(pair))];
  if (direction === 'fixed' || isSymmetric(pair)) return lossesIn(kinks(pair), there, back);
  const failure = Decimal.max(there, back);
  return lossesIn(symmetricKinks(pair), failure, failure);
}

/** The pair with its distributions exchanged. */
export const otherWay = (pair: FinitePair): SplitPair => oneWay(swapped(pair));

/**
 * A pair that dominates both directions: its curve is max(delta_PQ, delta_QP) at every y = e^eps, which is convex and
 * piecewise linear with kinks at the kinks of either curve and where they cross. Needed in the adaptive game, where the
 * neighbours' order may differ from mechanism to mechanism.
 */
export const symmetrised: (pair: FinitePair) => SplitPair = oncePerPair((pair) => {
  const list = symmetricKinks(pair);
  const failure = Decimal.max(failureOfPair(pair), failureOfPair(swapped(pair)));
  return { failure, ...pairOf(list, failure), largest: largestOf(list) };
});

const symmetricKinks = oncePerPair((pair: FinitePair): readonly Kink[] => {
  const [forward, backward] = [kinks(pair), kinks(swapped(pair))];
  const failures = [failureOfPair(pair), failureOfPair(swapped(pair))] as const;
  const [failOne, failTwo] = [Rational.ofDecimal(failures[0]), Rational.ofDecimal(failures[1])];
  const points = [...forward, ...backward].map(({ y }) => y).sort(ascending);
  const gap = (y: Rational): Rational => curveAt(forward, failOne, y).minus(curveAt(backward, failTwo, y));
  const crossings = points.flatMap((from, i) => {
    const to = points[i + 1];
    if (to === undefined || to.equals(from)) return [];
    const [a, b] = [gap(from), gap(to)];
    if (a.times(b).compare(Rational.ZERO) >= 0) return [];
    return [from.plus(to.minus(from).times(a).over(a.minus(b)))];
  });
  const grid = [...points, ...crossings].sort(ascending).filter((y, i, all) => i === 0 || !y.equals(all[i - 1]!));
  const highest = (y: Rational): Rational => larger(curveAt(forward, failOne, y), curveAt(backward, failTwo, y));
  const slope = (from: Rational, to: Rational): Rational => highest(to).minus(highest(from)).over(to.minus(from));
  return grid.map((y, i) => {
    const before = slope(grid[i - 1] ?? Rational.ZERO, y);
    const next = grid[i + 1];
    const after = next === undefined ? larger(slopeAfter(forward, y), slopeAfter(backward, y)) : slope(y, next);
    return { y, q: after.minus(before) };
  });
});

/** Whether exchanging the distributions changes nothing. */
export function isSymmetric(pair: FinitePair): boolean {
  const [forward, backward] = [kinks(pair), kinks(swapped(pair))];
  return (
    failureOfPair(pair).eq(failureOfPair(swapped(pair))) &&
    forward.length === backward.length &&
    forward.every(({ y, q }, i) => y.equals(backward[i]!.y) && q.equals(backward[i]!.q))
  );
}

/** Quantiles are enclosed of probabilities of at least this. */
const SMALLEST = 1e-300;

/** Encloses the z with Phi(-z) = p; null where p is too near to 0 or 1. */
function tailQuantile(p: Rational): Enclosure | null {
  const [tail, complement] = [encloseRational(p), encloseRational(Rational.ONE.minus(p))];
  return Math.min(tail.lower, complement.lower) < SMALLEST ? null : negate(normalQuantile(tail, complement));
}

/**
 * The smallest mu, rounded up, such that everything that a finite pair dominates, in either order, is mu-GDP; null where there is none,
 * as one of the two gives an outcome that the other never gives, or where an error of a test is below 1e-300.
 *
 * mu = max over the corners (alpha, beta) of the trade-off function of the pair of -Phi^-1(alpha) - Phi^-1(beta).
 *
 * [derived] The likelihood-ratio tests reject the outcomes of the largest p / q; their errors (alpha, beta), exact here, are the corners
 * of T(P, Q), which is straight between them. G_mu(alpha) = Phi(Phi^-1(1 - alpha) - mu) is convex and meets it at (0, 1) and (1, 0): it
 * is nowhere above T(P, Q) where it is not above it at a corner, which is Phi^-1(1 - alpha) - mu <= Phi^-1(beta). G_mu is its own
 * inverse, and T(Q, P) the inverse of T(P, Q), so that the order does not matter.
 *
 * Source: Dong, Roth, Su (2022), Definition 2.6 and Proposition 2.4.
 */
export function muOfFinitePair({ p, q }: FinitePair): UpperBound | null {
  const outcomes = p.map((mass, i) => [Rational.ofDecimal(mass), Rational.ofDecimal(q[i]!)] as const);
  const support = outcomes.filter(([massP, massQ]) => !massP.isZero() || !massQ.isZero());
  if (support.some(([massP, massQ]) => massP.isZero() || massQ.isZero())) return null;
  support.sort(([p1, q1], [p2, q2]) => p2.times(q1).compare(p1.times(q2)));
  let [alpha, beta] = [Rational.ZERO, Rational.ONE];
  let mu = 0;
  for (const [massP, massQ] of support.slice(0, -1)) {
    alpha = alpha.plus(massQ);
    beta = beta.minus(massP);
    // A test that is as good as a guess.
    if (alpha.plus(beta).equals(Rational.ONE)) continue;
    const [first, second] = [tailQuantile(alpha), tailQuantile(beta)];
    if (first === null || second === null) return null;
    mu = Math.max(mu, add(first, second).upper);
  }
  return asUpper(mu);
}
