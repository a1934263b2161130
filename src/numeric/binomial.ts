import type { Approximate } from './enclosure.ts';
import { UNIT_ROUNDOFF as U } from './rounding.ts';

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
