import type { Decimal } from '../../numeric/decimal.ts';
import type { LossCurve } from './curve.ts';
import type { Group } from './entries.ts';
import type { Arithmetic, Interval } from './interval.ts';

/** Beyond this many mechanisms the sum takes too long. */
const MOST = 200_000;

/** A stretch of the curve between two neighbouring losses: start + weight (1 - e^(eps - top)) for bottom <= eps <= top. */
interface Cell {
  readonly top: Decimal;
  readonly bottom: Decimal;
  readonly start: Interval;
  readonly weight: Interval;
}

/**
 * The optimal composition of k mechanisms that are (e, 0)-DP: losses L_i = (k - 2i) e with probability
 * C(k,i) e^(-ie) / (1 + e^-e)^k.
 *
 * With X_i = e^(L_i) sum_(j <= i) P(L_j) e^(-L_j) the curve is D(eps) = D(L_i) + X_i (1 - e^(eps - L_i)) between L_(i+1)
 * and L_i, D(L_(i+1)) = D(L_i) + X_i (1 - e^(-2e)) and X_(i+1) = e^(-2e) X_i + P(L_(i+1)): positive terms only, one pass
 * from the largest loss down, and within a cell the curve is solved in closed form.
 */
export function homogeneousOptimum({ epsilon: e, count }: Group, a: Arithmetic): LossCurve | null {
  if (count.gt(MOST)) return null;
  const k = count.toNumber();
  const maximum = e.times(count);
  const decay = a.exponential(a.of(e.negated()));
  const square = a.exponential(a.of(e.times(-2)));
  const gap = a.subtract(a.one, square);

  function* cells(): Generator<Cell> {
    let probability = a.exponential(a.negate(a.multiply(a.of(count), a.log1p(decay))));
    let weight = probability;
    let earlier = a.zero;
    for (let i = 0; i <= k; i++) {
      const top = maximum.minus(e.times(2 * i));
      yield { top, bottom: top.minus(e.times(2)), start: a.multiply(gap, earlier), weight };
      earlier = a.add(earlier, weight);
      probability = a.multiply(a.multiply(probability, decay), a.divide(a.of(k - i), a.of(i + 1)));
      weight = a.add(a.multiply(square, weight), probability);
    }
  }

  return {
    maximum,
    delta(epsilon) {
      for (const { top, bottom, start, weight } of cells()) {
        if (bottom.gt(epsilon)) continue;
        const share = a.negate(a.expm1(a.subtract(a.of(epsilon), a.of(top))));
        return a.add(start, a.multiply(weight, share));
      }
      return a.one;
    },
    epsilon(target) {
      let found: Interval | null = null;
      for (const { top, start, weight } of cells()) {
        // Past the target for certain, or the largest loss below 0.
        if (start.lower.gt(target.upper) || top.isNegative()) break;
        const end = a.add(start, a.multiply(gap, weight));
        if (end.upper.lt(target.lower)) continue;
        const share = a.divide(a.subtract(target, start), weight);
        const solution = a.min(a.of(top), a.add(a.of(top), a.log1p(a.negate(share))));
        found = found ? a.hull(found, solution) : solution;
      }
      return found ?? a.zero;
    },
  };
}
