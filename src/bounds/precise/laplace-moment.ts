import type { Decimal } from '../../numeric/decimal.ts';
import type { Arithmetic, Interval } from './interval.ts';
import type { MomentFunction } from './moments.ts';

/** A function of lambda and its derivative. */
interface Weight {
  readonly value: Interval;
  readonly slope: Interval;
}

/** lambda e + ln(1 + w(lambda) m), m = e^(-(1 + 2 lambda) e) - 1. */
function withWeight(epsilon: Decimal, a: Arithmetic, weight: (lambda: Interval) => Weight): MomentFunction {
  const e = a.of(epsilon);
  const two = a.of(2);
  return (lambda) => {
    const tail = a.exponential(a.negate(a.multiply(a.add(a.one, a.multiply(two, lambda)), e)));
    const { value: w, slope } = weight(lambda);
    const m = a.subtract(tail, a.one);
    const inner = a.add(a.one, a.multiply(w, m));
    const change = a.subtract(a.multiply(slope, m), a.multiply(a.multiply(two, a.multiply(w, e)), tail));
    return { value: a.add(a.multiply(lambda, e), a.logarithm(inner)), slope: a.add(e, a.divide(change, inner)) };
  };
}

/** Laplace noise: w = lambda / (1 + 2 lambda). Source: Mironov (2017), Proposition 6. */
export const laplaceMoment = (epsilon: Decimal, a: Arithmetic): MomentFunction =>
  withWeight(epsilon, a, (lambda) => {
    const whole = a.add(a.one, a.multiply(a.of(2), lambda));
    return { value: a.divide(lambda, whole), slope: a.divide(a.one, a.square(whole)) };
  });

/**
 * Discrete Laplace noise, P(z) proportional to e^(-r |z|): w = A / (A + B), A = e^-r (1 - e^(-2 lambda r)),
 * B = 1 - e^(-2 (1 + lambda) r), which is sinh(lambda r) / (sinh(lambda r) + sinh((1 + lambda) r)).
 */
export function discreteLaplaceMoment(epsilon: Decimal, scale: Decimal, a: Arithmetic): MomentFunction {
  const rate = a.divide(a.one, a.of(scale));
  const decay = a.exponential(a.negate(rate));
  const twice = a.multiply(a.of(2), rate);
  return withWeight(epsilon, a, (lambda) => {
    const near = a.exponential(a.negate(a.multiply(twice, lambda)));
    const far = a.exponential(a.negate(a.multiply(twice, a.add(a.one, lambda))));
    const [above, below] = [a.multiply(decay, a.subtract(a.one, near)), a.subtract(a.one, far)];
    const total = a.add(above, below);
    const rise = a.multiply(a.multiply(twice, decay), a.multiply(near, below));
    const fall = a.multiply(a.multiply(twice, far), above);
    return { value: a.divide(above, total), slope: a.divide(a.subtract(rise, fall), a.square(total)) };
  });
}
