import { withFailure, type LossCurve, type PreciseBound } from './curve.ts';
import { failureOf, isHandled, pureGroups, type Group } from './entries.ts';
import type { Arithmetic, Interval } from './interval.ts';
import type { Decimal } from '../../numeric/decimal.ts';

/**
 * A theorem about the epsilons of mechanisms that have an (e, d)-DP guarantee, their failures apart.
 *
 * @param curveOf - the curve of what is lost to the epsilons; null where it would take too long
 */
export const pureBound =
  (curveOf: (groups: readonly Group[], a: Arithmetic) => LossCurve | null): PreciseBound =>
  ({ entries }, a) => {
    const groups = pureGroups(entries, a);
    if (!groups) return 'mechanism-not-covered';
    const curve = isHandled(groups) ? curveOf(groups, a) : null;
    return curve ? withFailure(a, curve, failureOf(entries, a)) : 'too-large';
  };

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

/** sum over the mechanisms of groups. */
export const sumOver = (groups: readonly Group[], a: Arithmetic, of: (epsilon: Decimal) => Interval): Interval =>
  a.sum(groups.map(({ epsilon, count }) => a.multiply(a.of(count), of(epsilon))));

/** sum of e_i^2. */
export const squares = (groups: readonly Group[], a: Arithmetic): Interval =>
  sumOver(groups, a, (epsilon) => a.square(a.of(epsilon)));

/** eps = mean + sqrt(scale ln(1/delta)) and delta = e^(-(eps - mean)^2 / scale) above the mean. */
export function concentration(a: Arithmetic, mean: Interval, scale: Interval, maximum: Decimal): LossCurve {
  return {
    maximum,
    delta(epsilon) {
      const distance = a.max(a.zero, a.subtract(a.of(epsilon), mean));
      return a.exponential(a.negate(a.divide(a.square(distance), scale)));
    },
    epsilon: (target) => a.add(mean, a.squareRoot(a.negate(a.multiply(scale, a.logarithm(target))))),
  };
}
