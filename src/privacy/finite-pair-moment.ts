import { enclosure, exactly, type Enclosure } from '../numeric/enclosure.ts';
import {
  add,
  exponential,
  expm1,
  log1p,
  logarithm,
  maximum,
  multiply,
  subtract,
  divide,
} from '../numeric/enclosure-arithmetic.ts';
import { encloseLogRational, encloseRational, Rational } from '../numeric/rational.ts';
import { failureOfPair, kinks, oncePerPair, swapped, type FinitePair } from './finite-pair.ts';
import type { LogMoment } from './log-moment.ts';

/** A finite loss with the probability that it occurs where nothing is revealed. */
interface Atom {
  readonly loss: Enclosure;
  readonly mass: Enclosure;
}

function atomsOf(pair: FinitePair): readonly Atom[] {
  const survival = Rational.ONE.minus(Rational.ofDecimal(failureOfPair(pair)));
  return kinks(pair).map(({ y, q }) => ({
    loss: encloseLogRational(y),
    mass: encloseRational(y.times(q).over(survival)),
  }));
}

/** The finite losses of one direction of a pair. */
interface FiniteLosses {
  /** ln E[e^(lambda L)], given that nothing is revealed. */
  readonly logMoment: LogMoment;
  /** E[L], given that nothing is revealed. */
  readonly mean: Enclosure;
  readonly smallest: number;
  readonly largest: number;
}

const total = (values: readonly Enclosure[]): Enclosure => values.reduce(add, exactly(0));

/** Where all exponents are this small, their difference from 1 is summed. */
const NEAR = 0.5;

/** The finite losses of a pair as it stands; null where it reveals everything. */
export const finiteLossesOf = oncePerPair((pair): FiniteLosses | null => {
  const atoms = atomsOf(pair);
  if (atoms.length === 0) return null;
  const largest = Math.max(...atoms.map(({ loss }) => loss.upper));
  const smallest = Math.min(...atoms.map(({ loss }) => loss.lower));
  const farthest = Math.max(Math.abs(largest), Math.abs(smallest));
  return {
    mean: total(atoms.map(({ loss, mass }) => multiply(mass, loss))),
    smallest,
    largest,
    logMoment(lambda) {
      const t = exactly(lambda);
      if (lambda * farthest < NEAR) {
        const excess = total(atoms.map(({ loss, mass }) => multiply(mass, expm1(multiply(t, loss)))));
        return log1p(enclosure(Math.max(-1, excess.lower), excess.upper));
      }
      const top = exactly(largest);
      const terms = atoms.map(({ loss, mass }) => multiply(mass, exponential(multiply(t, subtract(loss, top)))));
      return add(multiply(t, top), logarithm(total(terms)));
    },
  };
});

/** The finite losses of both directions; none where a direction reveals everything. */
const lossesOfBoth = (pair: FinitePair): readonly FiniteLosses[] =>
  [pair, swapped(pair)].flatMap((direction) => finiteLossesOf(direction) ?? []);

/**
 * The larger of ln E[e^(lambda L)] over both directions of a finite pair, given that nothing is revealed; what is revealed
 * comes on top as in (e, d)-DP.
 *
 * [derived] Of a composition, with f the largest chance and M the largest moment of either direction,
 * delta <= 1 - prod(1 - f_i) (1 - c e^(-lambda eps) prod M_i), whichever directions are chosen adaptively: this holds
 * with nothing left to play, and 1 - (1 - f) a (1 - b M) grows in f and M as long as it is below 1.
 */
export function finitePairMoment(pair: FinitePair): LogMoment {
  const both = lossesOfBoth(pair);
  return (lambda) => both.map(({ logMoment }) => logMoment(lambda)).reduce(maximum, exactly(0));
}

/** The relative width to which the supremum is enclosed. */
const TOLERANCE = 1e-10;
/** Stretches of orders that are looked at, at most. */
const MOST = 2_000;
/** Times the inverse of the farthest loss: where the orders that are searched begin. */
const FIRST = 1e-12;
/** Where they end. */
const LAST = 1e15;
/** The relative rounding error of the value of a chord and of the place where its quotient is largest. */
const ROUNDING = 1e-12;

/** Orders minus 1 with upper ends of the log-moments there, and what convexity allows the quotient to be between. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly atFrom: number;
  readonly atTo: number;
  readonly upper: number;
}

const ONE = exactly(1);

const rhoOf = (moment: Enclosure, lambda: number): Enclosure => {
  const t = exactly(lambda);
  return divide(moment, multiply(t, add(ONE, t)));
};

/**
 * At least the largest value of K(lambda) / (lambda (1 + lambda)) on a stretch. A convex K with K(0) = 0 lies below its
 * chord a + b lambda there, and a <= 0, so that the chord's quotient has one maximum, where b lambda^2 = -a (1 + 2 lambda).
 * A relative error of that place changes the quotient by at most four times as much.
 */
function stretch(from: number, to: number, atFrom: number, atTo: number): Stretch {
  const slope = (atTo - atFrom) / (to - from);
  const start = Math.max(0, slope * from - atFrom);
  const peak = slope > 0 ? (start + Math.sqrt(start * start + slope * start)) / slope : from;
  const at = Math.min(to, Math.max(from, peak));
  const share = (at - from) / (to - from);
  const chord = atFrom * (1 - share) + atTo * share;
  const { upper } = rhoOf(exactly(chord), at);
  return { from, to, atFrom, atTo, upper: upper + ROUNDING * Math.abs(upper) };
}

/** The supremum over lambda > 0 of K(lambda) / (lambda (1 + lambda)), K the log-moment of finite losses; at least 0. */
function supremum({ logMoment, mean, smallest, largest }: FiniteLosses): Enclosure {
  if (!(largest > 0)) return exactly(0);
  const first = FIRST / Math.max(largest, -smallest);
  // K'' is a variance, at most a quarter of the range squared.
  const atZero = mean.upper + (first * (largest - smallest) ** 2) / 8;
  let best: number = Math.max(0, mean.lower);
  const momentAt = (lambda: number): number => {
    const moment = logMoment(lambda);
    best = Math.max(best, rhoOf(moment, lambda).lower);
    return moment.upper;
  };
  let open: Stretch[] = [];
  let [from, atFrom] = [first, momentAt(first)];
  // Beyond, K <= lambda largest.
  while (from < LAST && largest / (1 + from) > best) {
    const to = from * 2;
    const atTo = momentAt(to);
    open.push(stretch(from, to, atFrom, atTo));
    [from, atFrom] = [to, atTo];
  }
  let closed = Math.max(atZero, largest / (1 + from));
  for (let looked = 0; open.length > 0 && looked < MOST;) {
    const enough = best * (1 + TOLERANCE);
    closed = open.reduce((max, piece) => (piece.upper > enough ? max : Math.max(max, piece.upper)), closed);
    const above = open.filter(({ upper }) => upper > enough);
    looked += above.length;
    open = above.flatMap((piece) => {
      const middle = Math.sqrt(piece.from * piece.to);
      const atMiddle = momentAt(middle);
      return [stretch(piece.from, middle, piece.atFrom, atMiddle), stretch(middle, piece.to, atMiddle, piece.atTo)];
    });
  }
  return enclosure(
    best,
    open.reduce((max, piece) => Math.max(max, piece.upper), closed),
  );
}

/**
 * The zCDP parameter of a finite pair, sup over a > 1 of D_a / a in either direction, given that nothing is revealed; the
 * chance of that comes on top as in (e, d)-DP. Enclosed to about 1e-10.
 *
 * Source: Bun, Steinke (2016), Definition 1.1; the search is derived. For k-ary randomized response with k <= 6 it is the
 * expected loss (Harrison, Manurangsi 2026).
 */
export const finitePairRho = (pair: FinitePair): Enclosure =>
  lossesOfBoth(pair).map(supremum).reduce(maximum, exactly(0));
