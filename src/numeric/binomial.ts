import { type Approximate, enclosure, type Enclosure } from './enclosure.ts';
import { UNIT_ROUNDOFF as U, ELEMENTARY_ERROR, nextDown, nextUp } from './rounding.ts';

/** ln n! - (n ln n - n + ln(2 pi n) / 2) for n = 1..16, each the nearest double. */
const TABLE = [
  0.08106146679532726, 0.0413406959554093, 0.02767792568499834, 0.020790672103765093, 0.016644691189821193,
  0.013876128823070748, 0.01189670994589177, 0.010411265261972096, 0.009255462182712733, 0.00833056343336287,
  0.007573675487951841, 0.00694284010720953, 0.006408994188004207, 0.0059513701127588475, 0.005554733551962801,
  0.0052076559196096404,
];

/**
 * The remainder of Stirling's formula, ln n! - (n ln n - n + ln(2 pi n) / 2), for whole n >= 1.
 *
 * Table to 16, then the asymptotic series of DLMF 5.11.1 to the term in n^-11; the first term left out bounds its
 * error (below 1e-18 at n = 17). Absolute error at most 2^-55 (one rounding of the leading terms).
 */
export function stirlingRemainder(n: number): number {
  if (n <= TABLE.length) return TABLE[n - 1]!;
  const s = 1 / (n * n);
  return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - (s * 691) / 360360))))) / n;
}

/** The success probability of a binomial distribution with its complement, both to the same relative error. */
export interface Probability {
  readonly value: number;
  readonly complement: number;
  /** Bound on the relative error of `value` and of `complement`. */
  readonly error: number;
}

/** Relative error that one turn of a recurrence from one probability to the next adds to a term. */
export const TURN = 16 * U;

/** Relative to a sum of probabilities so far, when further ones are left to the geometric remainder. */
export const NEGLIGIBLE = 2 ** -60;

/** The sum of what follows a term whose ratios from here on are at most `ratio`; Infinity where that bounds nothing. */
export const geometricRest = (term: number, ratio: number): number =>
  ratio < 1 ? (term * ratio) / (1 - ratio) : Infinity;

/**
 * The deviance x ln(x/m) + m - x >= 0 for x > 0, m > 0, where m carries relative error `relative`.
 *
 * Near x = m the logarithm cancels against m - x; there Loader's series in v = (x-m)/(x+m) is used:
 * (x-m) v + 2 x (v^3/3 + v^5/5 + ...). The derivative in m is (m-x)/m, so the error of m costs |x-m| `relative`.
 *
 * Source: C. Loader, "Fast and accurate computation of binomial probabilities" (2000), function bd0.
 */
function deviance(x: number, m: number, relative: number): Approximate {
  const gap = x - m;
  const inherited = Math.abs(gap) * (relative + U);
  if (Math.abs(gap) < 0.1 * (x + m)) {
    const v = gap / (x + m);
    let sum = gap * v;
    let power = 2 * x * v;
    for (let j = 3; ; j += 2) {
      power *= v * v;
      const next = sum + power / j;
      if (next === sum) return { value: sum, error: inherited + 16 * U * sum };
      sum = next;
    }
  }
  const product = x * Math.log(x / m);
  return { value: product - gap, error: inherited + 12 * U * (Math.abs(product) + Math.abs(gap)) };
}

/** trials ln(p) for p given with its complement. */
function logPower(trials: number, p: number, complement: number, relative: number): Approximate {
  const log = p > 0.5 ? Math.log1p(-complement) : Math.log(p);
  const inherited = p > 0.5 ? (complement / p) * relative : relative;
  return { value: trials * log, error: trials * inherited + 12 * U * trials * Math.abs(log) };
}

/**
 * ln of the binomial probability C(n,i) p^i (1-p)^(n-i), for whole 0 <= i <= n <= 2^53, with an absolute error bound.
 *
 * Method: Loader's saddle-point form, s(n) - s(i) - s(n-i) - D(i, np) - D(n-i, n(1-p)) + ln(n / (2 pi i (n-i))) / 2,
 * with s the Stirling remainder and D the deviance: no term is larger than the result asks for. Where a deviance is
 * infinite (p underflowed) the value is -Infinity.
 */
export function logBinomialProbability(n: number, i: number, p: Probability): Approximate {
  if (i === 0) return logPower(n, p.complement, p.value, p.error);
  if (i === n) return logPower(n, p.value, p.complement, p.error);
  const hits = deviance(i, n * p.value, p.error);
  const misses = deviance(n - i, n * p.complement, p.error);
  const correction = stirlingRemainder(n) - stirlingRemainder(i) - stirlingRemainder(n - i);
  const scale = Math.log(n / (2 * Math.PI * i * (n - i))) / 2;
  const value = correction - hits.value - misses.value + scale;
  return {
    value,
    error: hits.error + misses.error + U * (4 + 8 * Math.abs(scale) + 4 * (hits.value + misses.value)),
  };
}

/** The probabilities of a binomial distribution where they matter. */
export interface BinomialWindow {
  /** Index of the first weight. */
  readonly first: number;
  readonly weights: Float64Array;
  /** Bound on the relative error of every weight. */
  readonly relativeError: number;
  /** Bound on the probability outside the window. */
  readonly leak: number;
}

/** Relative to the mode, where the window ends unless it is said. */
const EDGE = 2 ** -84;

/**
 * The binomial probabilities C(n,i) p^i (1-p)^(n-i) around the mode down to `edge` of it: O(sqrt n) of them, by ratios
 * of neighbours from the mode outward. Beyond an edge the ratios keep falling, so a geometric series bounds the rest.
 */
export function binomialWindow(n: number, p: Probability, edge = EDGE): BinomialWindow {
  const mode = Math.min(n, Math.floor((n + 1) * p.value));
  const log = logBinomialProbability(n, mode, p);
  const peak = Math.exp(log.value);
  const walk = (direction: 1 | -1): { weights: number[]; rest: number } => {
    const odds = direction > 0 ? p.value / p.complement : p.complement / p.value;
    const weights: number[] = [];
    let weight = peak;
    for (let i = mode; ; i += direction) {
      if (i === (direction > 0 ? n : 0)) return { weights, rest: 0 };
      const ratio = (direction > 0 ? (n - i) / (i + 1) : i / (n - i + 1)) * odds;
      weight *= ratio;
      if (weight < edge * peak && ratio < 1) return { weights, rest: (2 * weight) / (1 - ratio) };
      weights.push(weight);
    }
  };
  const down = walk(-1);
  const up = walk(1);
  const weights = new Float64Array([...down.weights.reverse(), peak, ...up.weights]);
  const turns = Math.max(down.weights.length, up.weights.length);
  return {
    first: mode - down.weights.length,
    weights,
    relativeError: log.error + 2 * (ELEMENTARY_ERROR + Math.abs(log.value) * U) + turns * (8 * U + 2 * p.error),
    leak: down.rest + up.rest,
  };
}

/**
 * At least the sum of the probabilities from s to `last` over that of s, by the ratios of each to the one before, which fall: a geometric
 * series bounds what is left out.
 */
export function tailOverFirst(s: number, last: number, ratioAt: (k: number) => number): number {
  let [term, sum, turns] = [1, 1, 1];
  for (let k = s; k < last; k++, turns++) {
    const ratio = ratioAt(k);
    const rest = geometricRest(term, ratio);
    if (rest < NEGLIGIBLE * sum) {
      sum += 2 * rest;
      break;
    }
    term *= ratio;
    sum += term;
  }
  return nextUp(sum * (1 + turns * TURN));
}

/** Upper bounds on P[X >= s], and on how many times P[X = s] that is. */
export interface UpperTail {
  readonly probability: number;
  readonly overFirst: number;
}

/**
 * Both for X binomial (n, p), 1 <= s <= n, 0 < p < s/n; `p` is taken as exact, and the tail rises in it, as the second does in the odds. The
 * terms fall from s on, and so do the ratios of neighbours.
 */
export function upperTail(s: number, n: number, p: number): UpperTail {
  const log = logBinomialProbability(n, s, { value: p, complement: 1 - p, error: U });
  const first = nextUp(Math.exp(nextUp(log.value + log.error)) * (1 + ELEMENTARY_ERROR));
  const odds = p / (1 - p);
  const overFirst = tailOverFirst(s, n, (k) => ((n - k) / (k + 1)) * odds);
  return { probability: nextUp(first * overFirst), overFirst };
}

/**
 * The largest double p below s / n, as far as bisection finds it, for which a property of its {@link upperTail} holds that holds for
 * smaller p too; 0 where s is 0. The property was seen to hold at what is returned, unless that is 0.
 */
export function largestChance(s: number, n: number, holds: (tail: UpperTail) => boolean): number {
  if (s === 0) return 0;
  let [certain, beyond] = [0, s / n];
  for (;;) {
    const middle = certain + (beyond - certain) / 2;
    if (middle <= certain || middle >= beyond) return certain;
    if (holds(upperTail(s, n, middle))) certain = middle;
    else beyond = middle;
  }
}

/**
 * The lower end of the one-sided Clopper-Pearson interval: the largest double p, as far as it is certain, at which s or more successes
 * of n have a chance of at most `risk`. Whatever the true probability is, the chance that this is above it is at most `risk`.
 */
export const leastChance = (s: number, n: number, risk: number): number =>
  largestChance(s, n, ({ probability }) => probability <= risk);

/**
 * The Clopper-Pearson interval for the success probability of `trials` independent trials of which `successes`
 * succeeded: it contains the true probability with a chance of at least `confidence`, whatever that probability is. Both
 * ends are rounded outward.
 *
 * Units and domain: whole 0 <= successes <= trials, 1 <= trials <= 2^40, 0 < confidence < 1.
 *
 * Source: Clopper, Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
 * Biometrika 26 (1934): the lower end is the p at which P[X >= successes] is (1 - confidence) / 2, the upper end the one at
 * which P[X <= successes] is.
 */
export function clopperPearson(successes: number, trials: number, confidence: number): Enclosure {
  const risk = nextDown((1 - confidence) / 2);
  return enclosure(
    leastChance(successes, trials, risk),
    Math.min(1, nextUp(1 - leastChance(trials - successes, trials, risk))),
  );
}
