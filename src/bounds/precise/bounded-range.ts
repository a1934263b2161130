import type { Decimal } from '../../numeric/decimal.ts';
import type { Arithmetic } from './interval.ts';
import { momentCurve, sumOfMoments, withConversion, type MomentFunction } from './moments.ts';
import { concentration, squares, sumOver, pureBound, boundedRangeKl } from './pure.ts';
import { totalOf, type Group } from './entries.ts';

/**
 * h_e(lambda) = max over t of lambda (e - t) + ln(1 + p_t c), c = e^(-lambda e) - 1, p_t = (e^-t - e^-e) / (1 - e^-e).
 *
 * With A = 1 - c e^-e / (1 - e^-e) and B = c / (1 - e^-e) it is the largest value of lambda (e - t) + ln(A + B e^-t),
 * taken at e^-t = -lambda A / (B (1 + lambda)), where A + B e^-t = A / (1 + lambda). The slope is the derivative at that
 * t: e - t - e p_t e^(-lambda e) / (1 + p_t c).
 *
 * Source: Dong, Durfee, Rogers (2020), Theorem 5; the maximum is derived.
 */
export function boundedRangeMoment(epsilon: Decimal, a: Arithmetic): MomentFunction {
  const e = a.of(epsilon);
  const decay = a.exponential(a.negate(e));
  const whole = a.subtract(a.one, decay);
  return (lambda) => {
    const tail = a.exponential(a.negate(a.multiply(lambda, e)));
    // -B, positive as c is negative.
    const fall = a.divide(a.subtract(a.one, tail), whole);
    const height = a.add(a.one, a.multiply(fall, decay));
    const order = a.add(a.one, lambda);
    const point = a.divide(a.multiply(lambda, height), a.multiply(fall, order));
    const distance = a.add(e, a.logarithm(point));
    const inner = a.divide(height, order);
    const share = a.divide(a.subtract(point, decay), whole);
    return {
      value: a.add(a.multiply(lambda, distance), a.logarithm(inner)),
      slope: a.subtract(distance, a.divide(a.multiply(e, a.multiply(share, tail)), inner)),
    };
  };
}

/** eps = sum e_i^2 / 2 + sqrt(sum e_i^2 / 2 ln(1/delta)), see src/bounds/bounded-range/dr19.ts. */
export const brDr19 = pureBound((groups, a) => {
  const half = a.divide(squares(groups, a), a.of(2));
  return concentration(a, half, half, totalOf(groups));
});

/** eps = sum (b_i - 1 - ln b_i) + sqrt(sum e_i^2 / 2 ln(1/delta)), b = e / (1 - e^-e), see src/bounds/bounded-range/optkl.ts. */
export const brOptKl = pureBound((groups, a) => {
  const mean = sumOver(groups, a, (epsilon) => boundedRangeKl(epsilon, a));
  return concentration(a, mean, a.divide(squares(groups, a), a.of(2)), totalOf(groups));
});

/** Beyond this many different parameters a search for lambda takes too long. */
export const MOST_GROUPS = 100;

/** sum of h_(e_i). */
const boundedRangeMoments = (groups: readonly Group[], a: Arithmetic): MomentFunction =>
  sumOfMoments(
    groups.map(({ epsilon, count }) => ({ moment: boundedRangeMoment(epsilon, a), count })),
    a,
  );

/** delta = inf of e^(sum h_(e_i)(lambda) - lambda eps), see src/bounds/bounded-range/mgf.ts. */
export const brMgf = pureBound((groups, a) =>
  groups.length > MOST_GROUPS ? null : momentCurve(a, totalOf(groups), (b) => boundedRangeMoments(groups, b)),
);

/** br-mgf with the factor lambda^lambda / (1 + lambda)^(1 + lambda), see src/bounds/bounded-range/rdp.ts. */
export const brRdp = pureBound((groups, a) =>
  groups.length > MOST_GROUPS
    ? null
    : momentCurve(a, totalOf(groups), (b) => withConversion(boundedRangeMoments(groups, b), b)),
);
