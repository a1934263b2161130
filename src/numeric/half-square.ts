import type { DoubleDouble } from './double-double.ts';
import { fromDouble, scaled } from './double-double.ts';
import { enclosure, exactly, type Enclosure } from './enclosure.ts';
import { add, exponential, multiply, negate } from './enclosure-arithmetic.ts';
import { nextDown, nextUp, UNIT_ROUNDOFF } from './rounding.ts';

/** x^2 / 2 = head + tail, with a small tail: the exponent of the normal density without the rounding of the square. */
export interface HalfSquare {
  readonly head: number;
  readonly tail: Enclosure;
}

/** More than anything lost to underflow in the products below. */
const UNDERFLOW = 2 ** -1000;

/**
 * x^2 / 2 for |x| <= 2^500, where `x` is known to within `error`.
 *
 * Method: the square of the high part is exact as a sum of two doubles, the rest is small. The tail is widened by 8
 * roundings of every term of it, by what `error` can do, and by what underflow can do.
 */
export function halfSquare(x: DoubleDouble, error = 0): HalfSquare {
  const square = scaled(fromDouble(x.high), x.high);
  const cross = Math.abs(x.low) * (Math.abs(x.high) + Math.abs(x.low));
  const tail = square.low / 2 + x.low * (x.high + x.low / 2);
  const slack =
    8 * UNIT_ROUNDOFF * (Math.abs(square.low) + cross) +
    2 * error * (Math.abs(x.high) + Math.abs(x.low) + error) +
    UNDERFLOW;
  return { head: square.high / 2, tail: enclosure(nextDown(tail - slack), nextUp(tail + slack)) };
}

/** Beyond this e^-head is less than half the smallest double. */
const UNDERFLOWN = 750;

/** e^(x^2 / 2) for sign +1 and e^(-x^2 / 2) for sign -1, to about 1e-15 (relative; absolute below 1e-308). */
export function exponentialOfHalfSquare({ head, tail }: HalfSquare, sign: 1 | -1): Enclosure {
  const y = sign > 0 ? tail : negate(tail);
  const magnitude = Math.max(Math.abs(y.lower), Math.abs(y.upper));
  if (head - magnitude > UNDERFLOWN) {
    return sign < 0 ? enclosure(0, Number.MIN_VALUE) : enclosure(Number.MAX_VALUE, Infinity);
  }
  if (magnitude > 1) return sign < 0 ? enclosure(0, 1) : enclosure(1, Infinity);
  // 1 + y <= e^y <= 1 + y + y^2 for |y| <= 1
  const correction = add(exactly(1), enclosure(y.lower, nextUp(y.upper + nextUp(magnitude * magnitude))));
  const { lower, upper } = exponential(exactly(sign * head));
  // In the subnormal range an error in units of the last place is absolute.
  const rounded = enclosure(Math.max(0, lower - 8 * Number.MIN_VALUE), upper + 8 * Number.MIN_VALUE);
  const product = multiply(rounded, correction);
  return enclosure(Math.max(0, product.lower), product.upper);
}
