import { Decimal as DecimalJs } from 'decimal.js';
import {
  asLower,
  asUpper,
  enclosure,
  type Bracket,
  type Enclosure,
  type LowerBound,
  type UpperBound,
  exactly,
} from './enclosure.ts';
import { logarithm, multiply, subtract } from './enclosure-arithmetic.ts';
import { nextUp } from './rounding.ts';

/**
 * Decimals of up to 2,500 digits: sums, differences and products of user input (at most 1,000 digits each, magnitude
 * 1e-300 to 1e300) are exact in it. Quotients and transcendental functions need a context of their own.
 */
export const Decimal = DecimalJs.clone({ precision: 2500, defaults: true });
export type Decimal = DecimalJs;

export const ZERO = new Decimal(0);
export const ONE = new Decimal(1);
export const HALF = new Decimal('0.5');

const TEN = 10n;

/** `value * 10^scale` as an integer; `scale` must be at least the number of decimal places of `value`. */
function scaledInteger(value: Decimal, scale: number): bigint {
  const digits = value.d;
  let coefficient = 0n;
  digits.forEach((word, index) => {
    coefficient = index === 0 ? BigInt(word) : coefficient * 10_000_000n + BigInt(word);
  });
  const exponent = (Math.floor(value.e / 7) - digits.length + 1) * 7 + scale;
  const magnitude = exponent >= 0 ? coefficient * TEN ** BigInt(exponent) : coefficient / TEN ** BigInt(-exponent);
  return value.s < 0 ? -magnitude : magnitude;
}

/** One double and its bits, in the same place. */
const double = new Float64Array(1);
const pattern = new BigInt64Array(double.buffer);

/** `x = mantissa * 2^exponent` exactly; `x` finite. */
function binaryParts(x: number): { mantissa: bigint; exponent: number } {
  double[0] = x;
  const bits = BigInt.asUintN(64, pattern[0]!);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: x < 0 ? -magnitude : magnitude, exponent: (biased === 0 ? 1 : biased) - 1075 };
}

/** The sign of `x - numerator / denominator`, exactly; `x` finite, the denominator above 0. */
export function compareQuotient(x: number, numerator: bigint, denominator: bigint): number {
  const { mantissa, exponent } = binaryParts(x);
  let [left, right] = [mantissa * denominator, numerator];
  if (exponent >= 0) left <<= BigInt(exponent);
  else right <<= BigInt(-exponent);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The sign of `x - value`, exactly. */
function compareDouble(x: number, value: Decimal): number {
  if (!Number.isFinite(x)) return x > 0 ? 1 : -1;
  const places = Math.max(0, value.decimalPlaces());
  return compareQuotient(x, scaledInteger(value, places), TEN ** BigInt(places));
}

const neighbour = (x: number, direction: 1 | -1): number => {
  if (x === 0) return direction * Number.MIN_VALUE;
  if (!Number.isFinite(x)) return x > 0 === direction > 0 ? x : Math.sign(x) * Number.MAX_VALUE;
  double[0] = x;
  pattern[0]! += x > 0 === direction > 0 ? 1n : -1n;
  return double[0];
};

/** The largest double at most `value`. */
export function toLower(value: Decimal): LowerBound {
  const nearest = value.toNumber();
  return asLower(compareDouble(nearest, value) <= 0 ? nearest : neighbour(nearest, -1));
}

/** The smallest double at least `value`. */
export function toUpper(value: Decimal): UpperBound {
  const nearest = value.toNumber();
  return asUpper(compareDouble(nearest, value) >= 0 ? nearest : neighbour(nearest, 1));
}

/** The tightest pair of doubles around `value`; one double where it is exact. */
export function encloseDecimal(value: Decimal): Enclosure {
  const nearest = value.toNumber();
  return beside(nearest, compareDouble(nearest, value));
}

/** The tightest pair around what the nearest double is above (`side` 1), or below (-1), or is (0). */
export const beside = (nearest: number, side: number): Enclosure =>
  enclosure(side > 0 ? neighbour(nearest, -1) : nearest, side < 0 ? neighbour(nearest, 1) : nearest);

/** The finite double `x` as the decimal it is, digit for digit. */
export function decimalFromDouble(x: number): Decimal {
  const { mantissa, exponent } = binaryParts(x);
  if (exponent >= 0) return new Decimal((mantissa << BigInt(exponent)).toString());
  const scaled = (mantissa * 5n ** BigInt(-exponent)).toString();
  return new Decimal(`${scaled}e${String(exponent)}`);
}

/** The upper end of a bracket as a decimal: the exact value that was rounded to it, where that is known; may be infinite. */
export const exactUpper = ({ upper, exact }: Bracket): Decimal =>
  exact !== undefined ? new Decimal(exact) : Number.isFinite(upper) ? decimalFromDouble(upper) : new Decimal(upper);

/** Values in ascending order, each once. */
export function ascending(values: readonly Decimal[]): readonly Decimal[] {
  const sorted = [...values].sort((a, b) => a.comparedTo(b));
  return sorted.filter((value, index) => index === 0 || !value.eq(sorted[index - 1]!));
}

/** Digits of parameters that a formula gives: more than anyone sets, few enough to be the same on every machine. */
const DIGITS = 10;

/** A positive double to ten significant digits, rounded down. */
export const roundedDown = (x: number, digits = DIGITS): Decimal =>
  decimalFromDouble(x).toSignificantDigits(digits, Decimal.ROUND_DOWN);

/** A positive double to ten significant digits, rounded up. */
export const roundedUp = (x: number, digits = DIGITS): Decimal =>
  decimalFromDouble(x).toSignificantDigits(digits, Decimal.ROUND_UP);

/** Below this doubles lose digits, and then everything. */
const SMALLEST = new Decimal('1e-290');

/** ln x of a decimal x > 0, however small: where doubles would underflow, of x 10^k less k ln 10. */
export function logDecimal(x: Decimal): Enclosure {
  if (x.gte(SMALLEST)) return logarithm(encloseDecimal(x));
  const shift = -x.e;
  const shifted = logarithm(encloseDecimal(x.times(new Decimal(10).pow(shift))));
  return subtract(shifted, multiply(exactly(shift), logarithm(exactly(10))));
}

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
