import { logBinomialProbability, stirlingRemainder, tailOverFirst, upperTail } from './binomial.ts';
import { encloseRational, Rational } from './rational.ts';
import { ELEMENTARY_ERROR, nextUp, UNIT_ROUNDOFF as U } from './rounding.ts';

/** At least e^value, for a value with an absolute error; at most 1. */
const probabilityAbove = (value: number, error: number): number =>
  value === -Infinity ? 0 : Math.min(1, nextUp(Math.exp(nextUp(value + error)) * (1 + ELEMENTARY_ERROR)));

/**
 * At least P[X >= s], X binomial with n trials of a chance of at most `most` each. Rounded up; 1 where s is not above the mean.
 *
 * Units and domain: whole 0 <= s, n up to 2^53; 0 <= most <= 1.
 */
export function binomialAtLeast(n: number, most: number, s: number): number {
  if (s <= 0) return 1;
  if (s > n || most === 0) return 0;
  return most >= s / n ? 1 : Math.min(1, upperTail(s, n, most).probability);
}

/** At least P[X <= s] for a chance that is exact: that many misses or more. See {@link binomialAtLeast}. */
export const binomialAtMost = (n: number, chance: Rational, s: number): number =>
  binomialAtLeast(n, encloseRational(Rational.ONE.minus(chance)).upper, n - s);

/** At least P[X = s], X binomial with n trials of an exact chance; rounded up. */
export function binomialExactly(n: number, chance: Rational, s: number): number {
  if (chance.isZero()) return s === 0 ? 1 : 0;
  if (chance.equals(Rational.ONE)) return s === n ? 1 : 0;
  const rest = Rational.ONE.minus(chance);
  const p = { value: encloseRational(chance).upper, complement: encloseRational(rest).upper, error: 4 * U };
  const { value, error } = logBinomialProbability(n, s, p);
  return probabilityAbove(value, error);
}

/** How many of the `marked` among `all` records are in a sample of `drawn`, every one of that size being as likely. */
export interface Hypergeometric {
  readonly all: number;
  readonly marked: number;
  readonly drawn: number;
}

/**
 * ln P[X = k], with an absolute error. By P = b(k; K, p) b(n - k; N - K, p) / b(n; N, p) with p = n / N, b the binomial probabilities:
 * the powers of p and 1 - p cancel.
 *
 * Domain: 0 < drawn < all, max(0, drawn + marked - all) <= k <= min(drawn, marked).
 *
 * Source: Loader 2000 (see `logBinomialProbability`), as R evaluates dhyper.
 */
function logProbability({ all, marked, drawn }: Hypergeometric, k: number): { value: number; error: number } {
  const p = { value: drawn / all, complement: (all - drawn) / all, error: 2 * U };
  const terms = [
    logBinomialProbability(marked, k, p),
    logBinomialProbability(all - marked, drawn - k, p),
    logBinomialProbability(all, drawn, p),
  ] as const;
  return {
    value: terms[0].value + terms[1].value - terms[2].value,
    error: terms.reduce((sum, { value, error }) => sum + error + 4 * U * Math.abs(value), 0),
  };
}

/** At least P[X = k]; rounded up. */
export function hypergeometricExactly(law: Hypergeometric, k: number): number {
  const { all, marked, drawn } = law;
  if (k < Math.max(0, drawn + marked - all) || k > Math.min(drawn, marked)) return 0;
  if (drawn === 0 || drawn === all || marked === 0 || marked === all) return 1;
  const { value, error } = logProbability(law, k);
  return probabilityAbove(value, error);
}

/**
 * At least P[X >= s]; rounded up, and 1 where s is not above the mode.
 *
 * The ratios (K - k)(n - k) / ((k + 1)(N - K - n + k + 1)) of neighbouring probabilities fall in k, so a geometric series bounds
 * what is left out.
 */
export function hypergeometricAtLeast(law: Hypergeometric, s: number): number {
  const { all, marked, drawn } = law;
  if (s <= Math.max(0, drawn + marked - all)) return 1;
  const most = Math.min(drawn, marked);
  if (s > most) return 0;
  const ratioAt = (k: number): number => (((marked - k) / (k + 1)) * (drawn - k)) / (all - marked - drawn + k + 1);
  if (drawn === all || ratioAt(s) >= 1) return 1;
  return Math.min(1, nextUp(hypergeometricExactly(law, s) * tailOverFirst(s, most, ratioAt)));
}

/** At least P[X <= s]: so many or more of the drawn are not marked. */
export const hypergeometricAtMost = ({ all, marked, drawn }: Hypergeometric, s: number): number =>
  hypergeometricAtLeast({ all, marked: all - marked, drawn }, drawn - s);

/**
 * At least the probability (t b)! / (b!^t t^(t b)) that t b records, each put into one of t batches uniformly and independently, make
 * batches of b each; rounded up. In ln n! = n ln n - n + ln(2 pi n) / 2 + r(n) the large terms cancel: what is left is
 * ln(2 pi t b) / 2 - t ln(2 pi b) / 2 + r(t b) - t r(b).
 */
export function equalBatches(t: number, b: number): number {
  const [whole, single] = [Math.log(2 * Math.PI * t * b) / 2, (t * Math.log(2 * Math.PI * b)) / 2];
  const rests = [stirlingRemainder(t * b), t * stirlingRemainder(b)] as const;
  const error = 32 * U * (Math.abs(whole) + Math.abs(single) + rests[0] + rests[1]) + (1 + t) * U;
  return probabilityAbove(whole - single + rests[0] - rests[1], error);
}

/** Beneath this logarithm a probability is no double. */
const LEAST = -760;

/**
 * At least the probability that t samples of b of n records, t b <= n, drawn independently without replacement, have no record in
 * common: the product over j < t of that of a sample which avoids j b records. Rounded up.
 */
export function disjointSamples(t: number, b: number, n: number): number {
  let [value, error] = [0, 0];
  for (let j = 1; j < t && value > LEAST; j++) {
    const factor = logProbability({ all: n, marked: j * b, drawn: b }, 0);
    value += factor.value;
    error += factor.error + U * Math.abs(value);
  }
  return probabilityAbove(value, error);
}
