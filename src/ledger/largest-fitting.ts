import { Decimal } from '../numeric/decimal.ts';

/** A decimal; or any, where there is no end. */
export type Found = Decimal | 'any';

/** The significant digits of the numbers that are tried. */
const DIGITS = 20;
const LARGEST_EXPONENT = 300;
const ZERO = new Decimal(0);

const power = (exponent: number): Decimal => new Decimal(`1e${exponent}`);

/** The last place of 0 to `length` at which `holds` is true; it is at 0 and not at `length`, and does not come back. */
function lastOf(length: bigint, holds: (i: bigint) => boolean): bigint {
  let [from, to] = [0n, length];
  while (to - from > 1n) {
    const middle = (from + to) / 2n;
    if (holds(middle)) from = middle;
    else to = middle;
  }
  return from;
}

/** The last number of 20 digits, from 1e-300 to below 1e300, at which `holds` is true; it is at the first. */
function lastNumber(holds: (x: Decimal) => boolean): Decimal {
  const decade = lastOf(2n * BigInt(LARGEST_EXPONENT), (i) => holds(power(Number(i) - LARGEST_EXPONENT)));
  const exponent = Number(decade) - LARGEST_EXPONENT;
  const first = 10n ** BigInt(DIGITS - 1);
  const at = (i: bigint): Decimal => new Decimal(`${(first + i).toString()}e${exponent - DIGITS + 1}`);
  return at(lastOf(9n * first, (i) => holds(at(i))));
}

/**
 * The largest number of 20 significant digits from 0 to 1e300 that fits: the next one does not. Null where not even 0
 * does. `fits` must be monotone: where a number fits, everything below it does.
 */
export function largestFitting(fits: (x: Decimal) => boolean): Found | null {
  if (!fits(ZERO)) return null;
  if (fits(power(LARGEST_EXPONENT))) return 'any';
  return fits(power(-LARGEST_EXPONENT)) ? lastNumber(fits) : ZERO;
}

/**
 * The smallest number of 20 significant digits from 1e-300 to 1e300 that fits: the one before it does not. Null where
 * not even the largest does. `fits` must be monotone: where a number fits, everything above it does.
 */
export function smallestFitting(fits: (x: Decimal) => boolean): Found | null {
  if (!fits(power(LARGEST_EXPONENT))) return null;
  if (fits(power(-LARGEST_EXPONENT))) return 'any';
  const below = lastNumber((x) => !fits(x));
  return below.plus(power(below.e - DIGITS + 1));
}
