import type { Probability } from '../../numeric/binomial.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';

/**
 * Counts of n shuffled reports under two neighbours. Each of the n users sends, independently, a telling report with the
 * chance `telling`, of the first kind with the chance `first`, else of the second; i and j are their counts, N = i + j, and G
 * stands for what the rest tells. With p = e^epsilon, the counts have the probability under
 *
 *     P:  w (f p i + s j + G) / n        Q:  w (f i + s p j + G) / n,        w the probability of (N, i) among the n,
 *
 * f and s the scales of the kinds. G is c (n - N), or where it spreads, binomial of n - N trials with the probability c. So
 *
 *     delta(P, Q) = (1/n) E (f (p - E) i - s (p E - 1) j - (E - 1) G)+,    E = e^eps.
 */
export interface ReportLaw {
  /** n. */
  readonly users: number;
  /** The epsilon of one report, above 0. */
  readonly epsilon: Decimal;
  readonly telling: Probability;
  readonly first: Probability;
  /** f and s, and a bound on the relative error of both, of `drift`, of p and of numbers of the law alike. */
  readonly scales: readonly [number, number];
  /** E - 1 times this is the mean, from below, of one telling report: (s (p E - 1) (1 - first) - f (p - E) first) / (E - 1). */
  readonly drift: number;
  /** c and 1 - c. */
  readonly rest: Probability;
  readonly isSpread: boolean;
  readonly error: number;
}

/** The law where reports tell by one of two equally likely symbols out of k, and the others are alike for both. */
function symmetricLaw(users: number, epsilon: Decimal, k: number, isSpread: boolean): ReportLaw {
  const e = epsilon.toNumber();
  const gain = Math.expm1(e);
  const error = ELEMENTARY_ERROR + (12 + e) * U;
  const whole = gain + k;
  const others = gain + (k - 2);
  return {
    users,
    epsilon,
    telling: { value: 2 / whole, complement: others / whole, error: 2 * error },
    first: { value: 0.5, complement: 0.5, error: 0 },
    scales: [1, 1],
    drift: 1 + gain / 2,
    rest: { value: (k - 2) / others, complement: gain / others, error: 2 * error },
    isSpread: isSpread && k > 2,
    error,
  };
}

/**
 * The pair that dominates n shuffled reports of any (epsilon, 0)-locally private randomizer, in both orders of the neighbours
 * and for sequentially adaptive reports too; for k-ary randomized response (k at least 2, every other symbol as likely) its
 * blanket, which is the same pair for k = 2.
 *
 * [proved] (i) Let w(y) = max(R_x, R_x')(y) / p, at most R_z(y) for every input z; of k-ary response the smallest R_z(y). Reveal of
 * every other user whether the report was drawn from w, and otherwise the report. Of m + 1 hidden reports, one of them the
 * person's, the likelihood ratio is the mean of g R_x / w over them, g the mass of w; Bin(m; n - 1, g) g / (m + 1) = Bin(m + 1; n, g) / n
 * gives delta <= (1/n) E (sum of n independent X)+, X = (R_x - E R_x') / w at y drawn from w, else 0 (Balle, Bell, Gascon, Nissim 2019).
 * (ii) Where R_x / R_x' lies between 1/p and p it is a mixture of (p, 1) or (1, p) and (1, 1); X there is a mean of the values of these:
 * splitting enlarges X in convex order, which sums of independent terms keep. (iii) The term of (1, 1), -p (E - 1) with the
 * chance 1/p and else 0, is below X' in convex order, X' = p - E and 1 - p E with the chance 1/(p + 1) each, else 0, for 1 <= E <= p: equal
 * means; at a threshold between the two values (1 - 1/p)(-c) <= (-c) p / (p + 1) + (p - E) / (p + 1), and elsewhere Jensen, or 0. So X' gives
 * the largest delta, and the pair of this law has it. For E < 1 the neighbours are exchanged, which leaves the pair as it is.
 *
 * Source: the blanket: Balle, Bell, Gascon, Nissim (2019); the pair: Feldman, McMillan, Talwar (2022), whose general claim a later
 * erratum withdrew; this proof is derived, and does not use the lemma that fails.
 */
export const dominatingReports = (users: number, epsilon: Decimal, categories: number | null): ReportLaw =>
  symmetricLaw(users, epsilon, categories ?? 2, true);

/**
 * k-ary randomized response, k at least 3, every other user on one third symbol, and all symbols but the two that differ
 * not told apart: a post-processing of a data set's own pair, so a lower bound.
 */
export const thirdSymbolReports = (users: number, epsilon: Decimal, categories: number): ReportLaw =>
  symmetricLaw(users, epsilon, categories, false);

/**
 * Binary randomized response, every other user on the second of the two values: the pair of that data set, first against
 * second value (isForward), or the other way round.
 */
export function binaryReports(users: number, epsilon: Decimal, isForward: boolean): ReportLaw {
  const e = epsilon.toNumber();
  const small = Math.exp(-e);
  const common = { value: small / (1 + small), complement: 1 / (1 + small) };
  const error = ELEMENTARY_ERROR + (12 + e) * U;
  const [value, complement] = isForward ? [common.value, common.complement] : [common.complement, common.value];
  return {
    users,
    epsilon,
    telling: { value: 1, complement: 0, error: 0 },
    first: { value, complement, error: 2 * error },
    scales: isForward ? [1, small] : [small, 1],
    drift: 1,
    rest: { value: 0, complement: 1, error: 0 },
    isSpread: false,
    error: 2 * error,
  };
}
