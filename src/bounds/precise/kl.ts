import type { Decimal } from '../../numeric/decimal.ts';
import type { Arithmetic, Interval } from './interval.ts';

/** 1 - e^-x. */
const decayed = (x: Interval, a: Arithmetic): Interval => a.negate(a.expm1(a.negate(x)));

/** e tanh(e / 2) = e (1 - e^-e) / (1 + e^-e), the largest expected loss of an (e, 0)-DP mechanism. */
export function pureKl(epsilon: Decimal, a: Arithmetic): Interval {
  const e = a.of(epsilon);
  const decay = a.exponential(a.negate(e));
  return a.multiply(e, a.divide(a.subtract(a.one, decay), a.add(a.one, decay)));
}

/** e + e^-e - 1, the expected loss of Laplace noise. */
export function laplaceKl(epsilon: Decimal, a: Arithmetic): Interval {
  const e = a.of(epsilon);
  return a.subtract(e, decayed(e, a));
}

/** e - (r / sinh r)(1 - e^-e), r = 1 / scale, the expected loss of discrete Laplace noise. */
export function discreteLaplaceKl(epsilon: Decimal, scale: Decimal, a: Arithmetic): Interval {
  const [e, rate] = [a.of(epsilon), a.divide(a.one, a.of(scale))];
  const twice = a.multiply(a.of(2), rate);
  const quotient = a.divide(a.multiply(twice, a.exponential(a.negate(rate))), decayed(twice, a));
  return a.subtract(e, a.multiply(quotient, decayed(e, a)));
}

/** b - 1 - ln b with b = e / (1 - e^-e), the largest expected loss of an e-bounded-range mechanism. */
export function boundedRangeKl(epsilon: Decimal, a: Arithmetic): Interval {
  if (epsilon.isZero()) return a.zero;
  const e = a.of(epsilon);
  const b = a.divide(e, decayed(e, a));
  return a.subtract(a.subtract(b, a.one), a.logarithm(b));
}
