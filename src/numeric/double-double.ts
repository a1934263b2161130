import { type Decimal, decimalFromDouble } from './decimal.ts';

/**
 * An unevaluated sum `high + low` of two doubles with |low| <= ulp(high)/2: about 106 significant bits.
 * Magnitudes up to 1e280 are safe (the splitting must not overflow).
 */
export interface DoubleDouble {
  readonly high: number;
  readonly low: number;
}

/** Relative error bound of one operation below, and of the conversion from a decimal: 2^-102. */
export const DOUBLE_DOUBLE_ERROR = 2 ** -102;

const SPLITTER = 2 ** 27 + 1;

function quickTwoSum(a: number, b: number): DoubleDouble {
  const high = a + b;
  return { high, low: b - (high - a) };
}

function twoSum(a: number, b: number): DoubleDouble {
  const high = a + b;
  const part = high - a;
  return { high, low: a - (high - part) + (b - part) };
}

/** The exact product of two doubles (Dekker 1971). */
function twoProduct(a: number, b: number): DoubleDouble {
  const high = a * b;
  const scaledA = SPLITTER * a;
  const headA = scaledA - (scaledA - a);
  const tailA = a - headA;
  const scaledB = SPLITTER * b;
  const headB = scaledB - (scaledB - b);
  const tailB = b - headB;
  return { high, low: headA * headB - high + headA * tailB + tailA * headB + tailA * tailB };
}

/** The double `x` itself. */
export const fromDouble = (x: number): DoubleDouble => ({ high: x, low: 0 });

/** `value` to 2^-105 relative. */
export function fromDecimal(value: Decimal): DoubleDouble {
  const high = value.toNumber();
  return { high, low: Number.isFinite(high) ? value.minus(decimalFromDouble(high)).toNumber() : 0 };
}

/** a - b, with error at most DOUBLE_DOUBLE_ERROR (|a| + |b|). */
export function difference(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const head = twoSum(a.high, -b.high);
  const tail = twoSum(a.low, -b.low);
  const { high, low } = quickTwoSum(head.high, head.low + tail.high);
  return quickTwoSum(high, low + tail.low);
}

/** a + b, with error at most DOUBLE_DOUBLE_ERROR (|a| + |b|). */
export const sum = (a: DoubleDouble, b: DoubleDouble): DoubleDouble => difference(a, { high: -b.high, low: -b.low });

/** n a for a double `n`. */
export function scaled(a: DoubleDouble, n: number): DoubleDouble {
  const product = twoProduct(a.high, n);
  return quickTwoSum(product.high, product.low + a.low * n);
}

/** a / n for a nonzero double `n`. */
export function quotient(a: DoubleDouble, n: number): DoubleDouble {
  const high = a.high / n;
  const remainder = difference(a, twoProduct(high, n));
  return quickTwoSum(high, (remainder.high + remainder.low) / n);
}

/** The nearest double. */
export const toDouble = (a: DoubleDouble): number => a.high + a.low;
