import { Decimal, ZERO } from './decimal.ts';
import type { UpperBound } from './enclosure.ts';
import { nextUp } from './rounding.ts';

/** Decimals whose sums and products are exact up to 2,500 digits and rounded away from 0 beyond. */
export const RoundUp = Decimal.clone({ precision: 2500, rounding: 0 });

/** Decimals whose sums, differences and products are exact up to 2,500 digits and rounded towards 0 beyond. */
export const RoundDown = Decimal.clone({ precision: 2500, rounding: 1 });

/** a b of two decimals of at least 0, rounded up beyond 2,500 digits. */
export const productUp = (a: Decimal, b: Decimal): Decimal => new Decimal(new RoundUp(a).times(b));

/** a b of two decimals of at least 0, rounded down beyond 2,500 digits. */
export const productDown = (a: Decimal, b: Decimal): Decimal => new Decimal(new RoundDown(a).times(b));

const Up = Decimal.clone({ precision: 60, rounding: 0 });

/** dividend / divisor, both at least 0, rounded up at 60 digits. */
export const quotientUp = (dividend: Decimal, divisor: Decimal): Decimal =>
  new Decimal(new Up(dividend).div(new Up(divisor)));

/**
 * A decimal of at most 17 digits that is at least `x`, a finite number of at least 0, and at most a few units in the last
 * place above it.
 *
 * The 17 digits nearest to the next double are at least `x`: they are off by half a unit in the 17th digit, at most 2^-54
 * of it, and doubles are 2^-53 or more apart, relatively.
 */
export const decimalAbove = (x: UpperBound): Decimal => (x === 0 ? ZERO : new Decimal(nextUp(x).toExponential(16)));
