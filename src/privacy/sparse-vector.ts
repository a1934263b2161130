import { Decimal, quotientUp, RoundUp } from '../numeric/decimal.ts';

/** How a sparse vector mechanism is run. */
export interface SparseVector {
  /** The scale of the noise on the threshold, above 0. */
  readonly thresholdScale: Decimal;
  /** The scale of the noise on each query, above 0. */
  readonly queryScale: Decimal;
  /** The number of positive answers after which it stops: a whole number from 1. */
  readonly positives: Decimal;
  /** The most that a query differs between neighbours. */
  readonly sensitivity: Decimal;
  /** Whether between two neighbours no query goes up while another goes down. */
  readonly monotonic: boolean;
}

/**
 * The e of the (e, 0)-DP of the sparse vector technique in this form, rounded up at 60 digits: D / b1 + 2 c D / b2, and D / b1 + c D / b2
 * where queries are monotonic.
 *
 * One noise r of scale b1 is drawn on the threshold, once and for all. Each query q, of sensitivity at most D, has a noise v of scale
 * b2 of its own; the answer is whether q + v >= T + r, and nothing else. After c positive answers it stops. Queries and thresholds T may
 * depend on the answers before. The noise is Laplace noise, or one-sided exponential, or Gumbel noise, each drawn independently.
 *
 * [derived] Answers determine the queries, so that their probability is the integral over r of its density f(r) times those of the
 * answers given r. All three kinds of noise have f(r) <= e^(D / b1) f(r + D), and P[v >= t] <= e^(s / b) P[v >= t + s] for s >= 0. With
 * r + D for r, a negative answer is no less likely on the neighbour: T + r - q rises by D, less what q rises. It is so for a positive
 * one but for a factor e^(2 D / b2), as T + r - q rises by at most 2 D. If no q is smaller on the neighbour, it rises by at most D; if
 * none is larger, r is left as it is and T - q rises by at most D, without e^(D / b1). So monotonic queries lose at most c D / b2 in one
 * of the two orders, of which no use is made. The e is attained in the limit: many negative
 * answers on queries far above the threshold, then positive ones on queries far below.
 *
 * Source: Lyu, Su, Li (2017), Algorithm 1 with b1 = D / e1 and b2 = 2 c D / e2; exponential noise: Liu, Wang, Liu, Li, Chen (2024). Not
 * covered, as they are other mechanisms: numeric answers from the noise of the comparison, noise on queries that does not grow with c,
 * no noise on the threshold, Gaussian noise.
 */
export function sparseVectorEpsilon(run: SparseVector): Decimal {
  const { thresholdScale, queryScale, positives, sensitivity, monotonic } = run;
  const shift = new RoundUp(sensitivity).times(positives).times(monotonic ? 1 : 2);
  // Over a common denominator, so that it is rounded once.
  const dividend = new RoundUp(sensitivity).times(queryScale).plus(shift.times(thresholdScale));
  return quotientUp(new Decimal(dividend), thresholdScale.times(queryScale));
}
