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
