import type { Decimal } from '../../numeric/decimal.ts';
import type { LossCurve } from './curve.ts';
import type { Group } from './entries.ts';
import type { Arithmetic, Interval } from './interval.ts';

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
