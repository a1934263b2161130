import {
  add,
  exponential,
  expm1,
  log1p,
  logarithm,
  multiply,
  negate,
  subtract,
  times,
} from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure, type UpperBound } from '../../numeric/enclosure.ts';
import { approximateQuantile } from '../../numeric/normal-quantile.ts';
import { INVERSE_SQRT_TWO_PI, normalTail } from '../../numeric/normal.ts';

/** Steps per unit of the sums; the bound is at most one step above the mean. */
const STEPS = 128;

/** Sums go so far beyond where one of d normals is expected. */
const BEYOND = 4;

/** E (N - a)^+ = phi(a) - a Phi(-a), a >= 0. */
function excessMean(a: number): Enclosure {
  const square = multiply(exactly(a), exactly(a));
  const density = multiply(INVERSE_SQRT_TWO_PI, exponential(times(-0.5, square)));
  return subtract(density, multiply(exactly(a), normalTail(a)));
}

/**
 * An upper bound on the expected largest of d >= 2 independent standard normals, at most 1/128 above it:
 *
 *   the integral over x > 0 of 1 - Phi(x)^d, less that over x < 0 of Phi(x)^d.
 *
 * Both integrands fall with |x|: the first is bounded from above by its values at the left ends of steps, and from some point on by d
 * times Phi(-x); the second from below by its values at the outer ends.
 */
export function largestNormal(d: number): UpperBound {
  const last = Math.ceil(STEPS * (BEYOND - approximateQuantile(1 / d)));
  let sum = exactly(0);
  for (let i = 0; i < last; i++) {
    const tail = normalTail(i / STEPS);
    sum = add(sum, negate(expm1(times(d, log1p(negate(tail))))));
    if (i > 0) sum = subtract(sum, exponential(times(d, logarithm(tail))));
  }
  return add(times(1 / STEPS, sum), times(d, excessMean(last / STEPS))).upper;
}
