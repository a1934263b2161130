import { larger, Rational } from '../../../src/numeric/rational.ts';
import type { Criterion } from './criterion.ts';

/**
 * max{0, P(v) - e^epsilon Q(v)}: its sum over all views is the smallest delta at that epsilon, in one direction.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 2.1 and 10.2.
 */
export const hockeyStick = (factor: Rational): Criterion<Rational> => ({
  zero: Rational.ZERO,
  stop: (p, q) => larger(Rational.ZERO, p.minus(factor.times(q))),
  add: (a, b) => a.plus(b),
  scale: (value, by) => value.times(by),
  larger,
});
