import type { Decimal } from '../../numeric/decimal.ts';
import type { Arithmetic } from './interval.ts';
import type { MomentFunction } from './moments.ts';

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
