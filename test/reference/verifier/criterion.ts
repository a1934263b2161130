import type { Rational } from '../../../src/numeric/rational.ts';

/**
 * A measure of how far the views under the two secret bits are apart: the sum over all views v of `stop(P(v), Q(v))`.
 *
 * `stop` is convex, homogeneous of degree 1, and 0 where P(v) is 0; so it only grows while the conversation goes on, and
 * grows no more once P(v) or Q(v) is 0.
 */
export interface Criterion<V> {
  readonly zero: V;
  stop(p: Rational, q: Rational): V;
  add(a: V, b: V): V;
  /** `value` times a positive number. */
  scale(value: V, factor: Rational): V;
  larger(a: V, b: V): V;
}
