import { add, divide, maximum, multiply } from '../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../numeric/enclosure.ts';
import type { FinitePair } from './finite-pair.ts';
import { lossesOfBoth, type FiniteLosses } from './finite-pair-moment.ts';

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
  readonly most: number;
}

const ONE = exactly(1);

const quotient = (moment: Enclosure, lambda: number): Enclosure => {
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
  const { upper } = quotient(exactly(chord), at);
  return { from, to, atFrom, atTo, most: upper + ROUNDING * Math.abs(upper) };
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
    best = Math.max(best, quotient(moment, lambda).lower);
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
    closed = open.reduce((most, each) => (each.most > enough ? most : Math.max(most, each.most)), closed);
    const above = open.filter(({ most }) => most > enough);
    looked += above.length;
    open = above.flatMap((each) => {
      const middle = Math.sqrt(each.from * each.to);
      const atMiddle = momentAt(middle);
      return [stretch(each.from, middle, each.atFrom, atMiddle), stretch(middle, each.to, atMiddle, each.atTo)];
    });
  }
  return enclosure(
    best,
    open.reduce((most, each) => Math.max(most, each.most), closed),
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
