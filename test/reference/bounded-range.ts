import { Decimal } from '../../src/numeric/decimal.ts';
import { ONE, Precise, ZERO, oneMinusExp, precise, sumOf } from './precise.ts';

/** P(loss = t) and P(loss = t - e) of RR(e, t). */
function probabilities(e: Decimal, t: Decimal): { high: Decimal; low: Decimal } {
  const whole = oneMinusExp(e);
  const high = oneMinusExp(e.minus(t)).div(whole);
  return { high, low: ONE.minus(high) };
}

/** delta of k-fold RR(e, t) at epsilon by its definition. */
export function fixedAdversaryDelta(k: number, e: Decimal, t: Decimal, epsilon: Decimal): Decimal {
  const { high, low } = probabilities(e, t);
  let choose = ONE;
  return sumOf(
    Array.from({ length: k + 1 }, (_, i) => {
      if (i > 0) choose = choose.times(k - i + 1).div(i);
      const loss = t.times(k).minus(e.times(i));
      if (loss.lte(epsilon)) return ZERO;
      return choose
        .times(high.pow(k - i))
        .times(low.pow(i))
        .times(oneMinusExp(loss.minus(epsilon)));
    }),
  );
}

/** The optimum over k equal mechanisms fixed in advance, in O(k^2): every t_l of Dong, Durfee, Rogers, Theorem 3. */
export function nonadaptiveDelta(k: number, epsilonEach: string, epsilonTotal: string): Decimal {
  const [e, epsilon] = [precise(epsilonEach), precise(epsilonTotal)];
  const values = Array.from({ length: k + 1 }, (_, l) => epsilon.plus(e.times(l + 1)).div(k + 1))
    .filter((t) => t.gte(0) && t.lte(e))
    .map((t) => fixedAdversaryDelta(k, e, t, epsilon));
  return values.reduce((max, x) => Decimal.max(max, x), ZERO);
}

/** ln E[e^(lambda L)] of RR(e, t). */
function logMomentAt(e: Decimal, t: Decimal, lambda: Decimal): Decimal {
  const { high, low } = probabilities(e, t);
  return high
    .times(lambda.times(t).exp())
    .plus(low.times(lambda.times(t.minus(e)).exp()))
    .ln();
}

/** sup over t of ln E[e^(lambda L)] by a dense search and refinements around the best point: a lower bound on it. */
export function searchedLogMoment(epsilonEach: string, lambdaAt: number): Decimal {
  const [e, lambda] = [precise(epsilonEach), precise(lambdaAt)];
  const points = 16;
  let [from, to] = [ZERO, e];
  let best: Decimal = new Precise(-Infinity);
  let place = ZERO;
  for (let round = 0; round < 10; round++) {
    const spacing = to.minus(from).div(points);
    for (let i = 0; i <= points; i++) {
      const t = from.plus(spacing.times(i));
      const value = logMomentAt(e, t, lambda);
      if (value.gt(best)) [best, place] = [value, t];
    }
    [from, to] = [Decimal.max(ZERO, place.minus(spacing)), Decimal.min(e, place.plus(spacing))];
  }
  return best;
}
