import { Decimal } from '../../numeric/decimal.ts';
import { lossless, withFailure, type LossCurve, type PreciseBound } from './curve.ts';
import { totalGaussianRho } from './entries.ts';
import type { Arithmetic, Interval } from './interval.ts';
import { upperTail } from './normal.ts';
import { certifiedRoot } from './root.ts';

/** mu^2 above this is not handled in decimals. */
const LARGEST = 1e6;

/** Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2), the delta of Gaussian noise of sensitivity mu and deviation 1. */
export function gaussianDelta(epsilon: Decimal, mu: Interval, a: Arithmetic): Interval {
  const x = a.of(epsilon);
  const [quotient, half] = [a.divide(x, mu), a.divide(mu, a.of(2))];
  const second = a.multiply(a.exponential(x), upperTail(a.add(quotient, half), a));
  return a.max(a.zero, a.subtract(upperTail(a.subtract(quotient, half), a), second));
}

/** The exact composition of Gaussian noise, see src/bounds/closed-form/gaussian.ts. */
export const gaussian: PreciseBound = ({ entries }, a) => {
  const muIn = (b: Arithmetic): Interval => b.squareRoot(b.multiply(b.of(2), totalGaussianRho(entries, b) ?? b.zero));
  const rho = totalGaussianRho(entries, a);
  if (!rho) return 'mechanism-not-covered';
  if (rho.upper.gt(LARGEST / 2)) return 'too-large';
  const mu = muIn(a);
  if (mu.upper.isZero()) return withFailure(a, lossless(a), a.zero);
  const curve: LossCurve = {
    maximum: null,
    delta: (epsilon) => gaussianDelta(epsilon, mu, a),
    epsilon(target) {
      const zero = new Decimal(0);
      const about = (digits: number): ((x: Decimal) => Decimal) => {
        const b = a.withDigits(digits);
        const each = muIn(b);
        return (x) => b.middle(gaussianDelta(x, each, b));
      };
      if (gaussianDelta(zero, mu, a).upper.lte(target.lower)) return a.zero;
      let to = new Decimal(1);
      while (gaussianDelta(to, mu, a).upper.gt(target.lower)) to = to.times(2);
      const atLeast = (x: Decimal): Decimal => gaussianDelta(x, mu, a).lower;
      const atMost = (x: Decimal): Decimal => gaussianDelta(x, mu, a).upper;
      return certifiedRoot(a, { about, atLeast, atMost }, target, zero, to);
    },
  };
  return withFailure(a, curve, a.zero);
};
