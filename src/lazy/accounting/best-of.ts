import { minimum } from '../../numeric/enclosure-arithmetic.ts';
import { enclosure } from '../../numeric/enclosure.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';

/** The smaller of two upper bounds on one curve, at every epsilon; it says nothing from below. */
export const bestOf = (a: FiniteLossCurve, b: FiniteLossCurve): FiniteLossCurve => ({
  maximum: a.maximum,
  logDelta: (x) => enclosure(-Infinity, minimum(a.logDelta(x), b.logDelta(x)).upper),
  epsilon: (target) => enclosure(0, minimum(a.epsilon!(target), b.epsilon!(target)).upper),
});

/** A curve whose upper ends are no worse than an upper bound on it. */
export const atMost = (curve: FiniteLossCurve, bound: FiniteLossCurve): FiniteLossCurve => ({
  maximum: curve.maximum,
  logDelta(x) {
    const { lower, upper } = curve.logDelta(x);
    return enclosure(lower, Math.min(upper, bound.logDelta(x).upper));
  },
  epsilon(target) {
    const { lower, upper } = curve.epsilon!(target);
    return enclosure(lower, Math.min(upper, bound.epsilon!(target).upper));
  },
});
