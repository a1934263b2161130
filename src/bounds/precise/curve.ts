import { type Decimal, ZERO } from '../../numeric/decimal.ts';
import type { Composition } from '../core/bound.ts';
import type { Arithmetic, Interval } from './interval.ts';

/** Why a bound has no value in decimal arithmetic. */
export type Unavailable = 'too-large' | 'needs-lattice' | 'mechanism-not-covered' | 'not-resolved' | 'interrupted';

/** A bound's curve in interval arithmetic of decimals. */
export interface PreciseCurve {
  /** At any real epsilon. */
  readonly delta: (epsilon: Decimal) => Interval;
  /** The smallest epsilon >= 0 at delta in [0, 1]; Infinity where none will do. */
  readonly epsilon: (delta: Decimal) => Interval;
}

/** A theorem in decimal arithmetic, for a composition to which it is known to apply. */
export type PreciseBound = (composition: Composition, arithmetic: Arithmetic) => PreciseCurve | Unavailable;

/** The curve of what remains once the failures are taken out. */
export interface LossCurve {
  /** No loss exceeds this; null where losses are unbounded. */
  readonly maximum: Decimal | null;
  /** At 0 <= epsilon < maximum. */
  readonly delta: (epsilon: Decimal) => Interval;
  /** The smallest epsilon for a target in (0, 1). */
  readonly epsilon: (target: Interval) => Interval;
}

/** The curve of mechanisms that lose nothing. */
export const lossless = ({ zero }: Arithmetic): LossCurve => ({
  maximum: ZERO,
  delta: () => zero,
  epsilon: () => zero,
});

/**
 * The curve of mechanisms that fail with probability f and otherwise have the given losses: f + (1 - f) D(eps), for
 * negative eps mirrored: delta(-e) = 1 - e^-e + e^-e delta(e).
 */
export function withFailure(a: Arithmetic, losses: LossCurve, failure: Interval): PreciseCurve {
  const { maximum } = losses;
  const survival = a.subtract(a.one, failure);
  const highest = a.of(maximum ?? Infinity);
  const unit = (x: Interval): Interval => a.max(a.zero, a.min(a.one, x));
  const nonnegative = (epsilon: Decimal): Interval => {
    if (maximum?.lte(epsilon)) return failure;
    return unit(a.add(failure, a.multiply(survival, unit(losses.delta(epsilon)))));
  };
  return {
    delta(epsilon) {
      if (!epsilon.isNegative()) return nonnegative(epsilon);
      const decay = a.exponential(a.of(epsilon));
      const mirrored = a.multiply(decay, nonnegative(epsilon.negated()));
      return unit(a.add(a.subtract(a.one, decay), mirrored));
    },
    epsilon(delta) {
      if (delta.gte(1)) return a.zero;
      if (delta.lt(failure.lower)) return a.of(Infinity);
      if (delta.lt(failure.upper)) return a.between(a.zero.lower, a.of(Infinity).upper);
      if (maximum?.isZero()) return a.zero;
      const slack = a.max(a.zero, a.divide(a.subtract(a.of(delta), failure), survival));
      if (slack.upper.isZero()) return highest;
      if (slack.lower.isZero()) return a.between(a.zero.lower, highest.upper);
      return a.min(highest, a.max(a.zero, losses.epsilon(slack)));
    },
  };
}
