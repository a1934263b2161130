import { Decimal } from '../../numeric/decimal.ts';
import type { Arithmetic, Interval } from './interval.ts';
import type { LossCurve } from './curve.ts';
import { root } from './root.ts';

/** A convex function of lambda > 0 and its derivative. */
export interface Moment {
  readonly value: Interval;
  readonly slope: Interval;
}

export type MomentFunction = (lambda: Interval) => Moment;

/** Where lambda is looked for. Any lambda is sound. */
const SMALLEST = new Decimal('1e-12');
const LARGEST = new Decimal('1e15');

/** ln(lambda^lambda / (1 + lambda)^(1 + lambda)), the factor of the optimal conversion. */
export function logConversion(lambda: Interval, a: Arithmetic): Moment {
  const [x, y] = [a.logarithm(lambda), a.log1p(lambda)];
  return {
    value: a.subtract(a.multiply(lambda, x), a.multiply(a.add(a.one, lambda), y)),
    slope: a.subtract(x, y),
  };
}

/** A moment with the factor of the optimal conversion. */
export const withConversion =
  (moment: MomentFunction, a: Arithmetic): MomentFunction =>
  (lambda) => {
    const [own, factor] = [moment(lambda), logConversion(lambda, a)];
    return { value: a.add(own.value, factor.value), slope: a.add(own.slope, factor.slope) };
  };

/** The sum of functions, each so many times. */
export function sumOfMoments(
  parts: readonly { readonly moment: MomentFunction; readonly count: Decimal }[],
  a: Arithmetic,
): MomentFunction {
  return (lambda) => {
    const all = parts.map(({ moment, count }) => ({ ...moment(lambda), times: a.of(count) }));
    return {
      value: a.sum(all.map(({ value, times }) => a.multiply(times, value))),
      slope: a.sum(all.map(({ slope, times }) => a.multiply(times, slope))),
    };
  };
}

/**
 * delta(eps) = inf over lambda > 0 of e^(K(lambda) - lambda eps) and eps(delta) = inf of (K(lambda) - ln delta) / lambda,
 * K convex: at the inf K' = eps, or lambda K' = K - ln delta, both increasing.
 *
 * The value at any lambda is a bound; near the best one it changes with the square of the distance, so half the digits
 * of lambda give all digits of the bound.
 */
export function momentCurve(
  a: Arithmetic,
  maximum: Decimal | null,
  moment: (a: Arithmetic) => MomentFunction,
  largest: Decimal = LARGEST,
): LossCurve {
  const exact = moment(a);
  const best = (condition: (a: Arithmetic, lambda: Interval, moment: Moment) => Interval): Interval => {
    const digits = Math.ceil(a.digits / 2) + 8;
    const at = (precision: number): ((x: Decimal) => Decimal) => {
      // Differences of logarithms of nearly equal numbers: twice the digits cover what they lose.
      const arithmetic = a.withDigits(2 * precision);
      const momentOf = moment(arithmetic);
      return (x) => {
        const lambda = arithmetic.of(x);
        return arithmetic.middle(condition(arithmetic, lambda, momentOf(lambda)));
      };
    };
    return a.of(root(at, { from: SMALLEST, to: largest, digits }));
  };
  return {
    maximum,
    delta(epsilon) {
      const lambda = best((b, _, { slope }) => b.subtract(slope, b.of(epsilon)));
      return a.exponential(a.subtract(exact(lambda).value, a.multiply(lambda, a.of(epsilon))));
    },
    epsilon(target) {
      const logTarget = a.logarithm(target);
      const goal = a.middle(logTarget);
      const lambda = best((b, x, { value, slope }) => b.add(b.subtract(b.multiply(x, slope), value), b.of(goal)));
      return a.divide(a.subtract(exact(lambda).value, logTarget), lambda);
    },
  };
}
