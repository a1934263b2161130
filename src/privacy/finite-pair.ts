import { Decimal } from '../numeric/decimal.ts';
import { atomicPair, type LogAtom, type SinglePair } from './single-pair.ts';

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
  /** No finite loss exceeds this. */
  readonly largest: Decimal;
}

const Wide = Decimal.clone({ precision: 60 });
const ZERO = new Wide(0);
const ONE = new Wide(1);

/** The convex function y -> P(inf) + sum of max(0, p_i - y q_i): the hockey-stick curve in y = e^eps, by its kinks. */
interface Kink {
  readonly y: Decimal;
  /** Mass of Q at the kink. */
  readonly q: Decimal;
}

function kinks({ p, q }: FinitePair): Kink[] {
  const merged = new Map<string, Kink>();
  p.forEach((mass, i) => {
    const other = q[i]!;
    if (other.isZero() || mass.isZero()) return;
    const y = new Wide(mass).div(other);
    const key = y.toString();
    merged.set(key, { y, q: (merged.get(key)?.q ?? ZERO).plus(other) });
  });
  return [...merged.values()].sort((a, b) => a.y.cmp(b.y));
}

/** The probability, under P, of outcomes that Q never gives. */
export const failureOfPair = ({ p, q }: FinitePair): Decimal =>
  p.reduce((sum, mass, i) => (q[i]!.isZero() ? sum.plus(mass) : sum), new Decimal(0));

/** The pair with its distributions exchanged. */
export const swapped = ({ p, q }: FinitePair): FinitePair => ({ p: q, q: p });

const curveAt = (list: readonly Kink[], failure: Decimal, y: Decimal): Decimal =>
  list.reduce<Decimal>(
    (sum, kink) => (kink.y.gt(y) ? sum.plus(kink.y.minus(y).times(kink.q)) : sum),
    new Wide(failure),
  );

const slopeAfter = (list: readonly Kink[], y: Decimal): Decimal =>
  list.reduce<Decimal>((sum, kink) => (kink.y.gt(y) ? sum.minus(kink.q) : sum), ZERO);

/**
 * The losses of a curve given by its kinks, as probabilities given that nothing is revealed; quotients and logarithms are
 * rounded at 60 and 25 digits.
 */
function pairOf(list: readonly Kink[], failure: Decimal): SinglePair {
  const Log = Decimal.clone({ precision: 25 });
  const atoms: LogAtom[] = list
    .filter(({ q }) => q.gt(0))
    .map(({ y, q }) => ({
      loss: new Log(y).ln().toNumber(),
      logMass: new Log(y.times(q).div(ONE.minus(failure))).ln().toNumber(),
    }))
    .reverse();
  const largest = Math.max(0, ...atoms.map(({ loss, logMass }) => Math.max(Math.abs(loss), Math.abs(logMass))));
  return atomicPair(
    atoms.length > 0 ? atoms : [{ loss: 0, logMass: 0 }],
    largest * Number.EPSILON,
    (8 + 2 * largest) * Number.EPSILON,
  );
}

/** ln of the largest ratio, rounded up at 40 digits; at least 0. */
function largestOf(list: readonly Kink[]): Decimal {
  const Up = Decimal.clone({ precision: 40, rounding: 0 });
  const top = list.filter(({ q }) => q.gt(0)).at(-1);
  return top?.y.gt(1) ? new Decimal(new Up(top.y).ln().times('1.000000000000000000000000000001')) : new Decimal(0);
}

/** The largest finite loss in the direction given, rounded up at 40 digits; at least 0. */
export const largestLossOf = (pair: FinitePair): Decimal => largestOf(kinks(pair));

/** The pair in the direction given. */
export function oneWay(pair: FinitePair): SplitPair {
  const list = kinks(pair);
  const failure = failureOfPair(pair);
  return { failure, finite: pairOf(list, failure), largest: largestOf(list) };
}

/** The pair with its distributions exchanged. */
export const otherWay = (pair: FinitePair): SplitPair => oneWay(swapped(pair));

/**
 * A pair that dominates both directions: its curve is max(delta_PQ, delta_QP) at every y = e^eps, which is convex and
 * piecewise linear with kinks at the kinks of either curve and where they cross. Needed in the adaptive game, where the
 * neighbours' order may differ from mechanism to mechanism.
 */
export function symmetrised(pair: FinitePair): SplitPair {
  const [one, two] = [kinks(pair), kinks(swapped(pair))];
  const [failOne, failTwo] = [failureOfPair(pair), failureOfPair(swapped(pair))];
  const points = [...one, ...two].map(({ y }) => y).sort((a, b) => a.cmp(b));
  const gap = (y: Decimal): Decimal => curveAt(one, failOne, y).minus(curveAt(two, failTwo, y));
  const crossings = points.flatMap((from, i) => {
    const to = points[i + 1];
    if (!to?.gt(from)) return [];
    const [a, b] = [gap(from), gap(to)];
    return a.times(b).isNegative() && !a.isZero() && !b.isZero()
      ? [from.plus(to.minus(from).times(a).div(a.minus(b)))]
      : [];
  });
  const grid = [...points, ...crossings].sort((a, b) => a.cmp(b)).filter((y, i, all) => i === 0 || y.gt(all[i - 1]!));
  const highest = (y: Decimal): Decimal => Wide.max(curveAt(one, failOne, y), curveAt(two, failTwo, y));
  const slope = (from: Decimal, to: Decimal): Decimal => highest(to).minus(highest(from)).div(to.minus(from));
  const list = grid.map((y, i) => {
    const before = slope(grid[i - 1] ?? ZERO, y);
    const after = i === grid.length - 1 ? Wide.max(slopeAfter(one, y), slopeAfter(two, y)) : slope(y, grid[i + 1]!);
    return { y, q: after.minus(before) };
  });
  const failure = Decimal.max(failOne, failTwo);
  return { failure, finite: pairOf(list, failure), largest: largestOf(list) };
}

/** Whether exchanging the distributions changes nothing. */
export function isSymmetric(pair: FinitePair): boolean {
  const [one, two] = [kinks(pair), kinks(swapped(pair))];
  return (
    failureOfPair(pair).eq(failureOfPair(swapped(pair))) &&
    one.length === two.length &&
    one.every(({ y, q }, i) => y.eq(two[i]!.y) && q.eq(two[i]!.q))
  );
}
