import { Decimal, ZERO } from './decimal.ts';
import type { UpperBound } from './enclosure.ts';
import { nextUp } from './rounding.ts';

/**
 * A decimal of at most 17 digits that is at least `x`, a finite number of at least 0, and at most a few units in the last
 * place above it.
 *
 * The 17 digits nearest to the next double are at least `x`: they are off by half a unit in the 17th digit, at most 2^-54
 * of it, and doubles are 2^-53 or more apart, relatively.
 */
export const decimalAbove = (x: UpperBound): Decimal => (x === 0 ? ZERO : new Decimal(nextUp(x).toExponential(16)));
