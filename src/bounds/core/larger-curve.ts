import { decimalFromDouble, toLower, type Decimal } from '../../numeric/decimal.ts';
import { asLower, asUpper, type Bracket } from '../../numeric/enclosure.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';

const larger = (a: Bracket, b: Bracket): Bracket => ({
  lower: a.lower === null || b.lower === null ? null : asLower(Math.max(a.lower, b.lower)),
  upper: asUpper(Math.max(a.upper, b.upper)),
});

/** The larger of two privacy curves, at every epsilon; a lower end only where both have one. */
export const largerCurve = (a: PrivacyCurve, b: PrivacyCurve): PrivacyCurve => ({
  delta: (epsilon) => larger(a.delta(epsilon), b.delta(epsilon)),
  epsilon: (delta) => larger(a.epsilon(delta), b.epsilon(delta)),
});

/** Whether a curve is at most `delta` at the epsilon of another one there, so that its own epsilon is no larger. */
function isBelow(curve: PrivacyCurve, { lower, upper }: Bracket, delta: Decimal): boolean {
  const epsilon = lower ?? upper;
  return epsilon < Infinity && curve.delta(decimalFromDouble(epsilon)).upper <= toLower(delta);
}

/** The same where the first one usually is the larger, so that one look at the second is enough. */
export const usuallyFirst = (first: PrivacyCurve, second: PrivacyCurve): PrivacyCurve => ({
  delta: (epsilon) => larger(first.delta(epsilon), second.delta(epsilon)),
  epsilon(delta) {
    const most = first.epsilon(delta);
    // That a delta has epsilon 0 may be known of both without a look at either.
    if (most.upper === 0) return larger(most, second.epsilon(delta));
    return isBelow(second, most, delta) ? most : larger(most, second.epsilon(delta));
  },
});
