import { add, negate } from '../numeric/enclosure-arithmetic.ts';
import { asUpper, type Enclosure, type UpperBound } from '../numeric/enclosure.ts';
import { normalQuantile } from '../numeric/normal-quantile.ts';
import { encloseRational, Rational } from '../numeric/rational.ts';
import type { FinitePair } from './finite-pair.ts';

/** Quantiles are enclosed of probabilities of at least this. */
const SMALLEST = 1e-300;

/** Encloses the z with Phi(-z) = p; null where p is too near to 0 or 1. */
function tailQuantile(p: Rational): Enclosure | null {
  const [here, rest] = [encloseRational(p), encloseRational(Rational.ONE.minus(p))];
  return Math.min(here.lower, rest.lower) < SMALLEST ? null : negate(normalQuantile(here, rest));
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
  const given = outcomes.filter(([one, other]) => !one.isZero() || !other.isZero());
  if (given.some(([one, other]) => one.isZero() || other.isZero())) return null;
  given.sort(([p1, q1], [p2, q2]) => p2.times(q1).compare(p1.times(q2)));
  let [alpha, beta] = [Rational.ZERO, Rational.ONE];
  let most = 0;
  for (const [one, other] of given.slice(0, -1)) {
    alpha = alpha.plus(other);
    beta = beta.minus(one);
    // A test that is as good as a guess.
    if (alpha.plus(beta).equals(Rational.ONE)) continue;
    const [first, second] = [tailQuantile(alpha), tailQuantile(beta)];
    if (first === null || second === null) return null;
    most = Math.max(most, add(first, second).upper);
  }
  return asUpper(most);
}
