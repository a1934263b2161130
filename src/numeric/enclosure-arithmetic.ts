import { enclosure, exactly, type Enclosure } from './enclosure.ts';
import { ELEMENTARY_ERROR, nextDown, nextUp, roundDownBy, roundUpBy } from './rounding.ts';

/*
 * Interval arithmetic rounded outward: every result contains the exact result for every choice of arguments inside
 * the given enclosures. The four operations and sqrt are correctly rounded in IEEE 754, so one step outward suffices;
 * exp, log, expm1 and log1p are widened by ELEMENTARY_ERROR.
 */

export function add(a: Enclosure, b: Enclosure): Enclosure {
  return enclosure(nextDown(a.lower + b.lower), nextUp(a.upper + b.upper));
}

export function subtract(a: Enclosure, b: Enclosure): Enclosure {
  return enclosure(nextDown(a.lower - b.upper), nextUp(a.upper - b.lower));
}

export function negate(a: Enclosure): Enclosure {
  const [lower, upper]: [number, number] = [a.lower, a.upper];
  return enclosure(-upper, -lower);
}

export function multiply(a: Enclosure, b: Enclosure): Enclosure {
  const [first, second] = [a.lower * b.lower, a.lower * b.upper];
  const [third, fourth] = [a.upper * b.lower, a.upper * b.upper];
  return enclosure(nextDown(Math.min(first, second, third, fourth)), nextUp(Math.max(first, second, third, fourth)));
}

/** n a, for a double n. */
export const times = (n: number, a: Enclosure): Enclosure => multiply(exactly(n), a);

/** `a / b` for positive `b`. */
export function divide(a: Enclosure, b: Enclosure): Enclosure {
  return enclosure(
    nextDown(a.lower / (a.lower >= 0 ? b.upper : b.lower)),
    nextUp(a.upper / (a.upper >= 0 ? b.lower : b.upper)),
  );
}

/** The square root of the nonnegative part. */
export function squareRoot(a: Enclosure): Enclosure {
  return enclosure(Math.max(0, nextDown(Math.sqrt(Math.max(0, a.lower)))), nextUp(Math.sqrt(Math.max(0, a.upper))));
}

/** Applies an increasing function whose double evaluation has relative error at most ELEMENTARY_ERROR. */
const increasing =
  (f: (x: number) => number) =>
  (a: Enclosure): Enclosure =>
    enclosure(roundDownBy(f(a.lower), ELEMENTARY_ERROR), roundUpBy(f(a.upper), ELEMENTARY_ERROR));

const outwardExponential = increasing(Math.exp);

/** e^a; never below zero. */
export function exponential(a: Enclosure): Enclosure {
  const { lower, upper } = outwardExponential(a);
  return enclosure(Math.max(0, lower), upper);
}

const outwardLogarithm = increasing(Math.log);

/** ln of the nonnegative part of `a`; the lower end is -Infinity where `a` may be 0, both where it is. */
export const logarithm = (a: Enclosure): Enclosure =>
  a.upper <= 0 ? enclosure(-Infinity, -Infinity) : outwardLogarithm(a.lower >= 0 ? a : enclosure(0, a.upper));

/** e^a - 1. */
export const expm1 = increasing(Math.expm1);

/** ln(1 + a), for a >= -1. */
export const log1p = increasing(Math.log1p);

/** The larger of the two values. */
export function maximum(a: Enclosure, b: Enclosure): Enclosure {
  return enclosure(Math.max(a.lower, b.lower), Math.max(a.upper, b.upper));
}

/** The smaller of the two values. */
export function minimum(a: Enclosure, b: Enclosure): Enclosure {
  return enclosure(Math.min(a.lower, b.lower), Math.min(a.upper, b.upper));
}

/** ln(e^a + e^b) in doubles; nothing over- or underflows. */
export function approximateLogSum(a: number, b: number): number {
  const [low, high] = a < b ? [a, b] : [b, a];
  return high === -Infinity ? high : high + Math.log1p(Math.exp(low - high));
}

/** ln(e^a + e^b) of two doubles; `end` is the side to which it is rounded. */
function logSumEnd(a: number, b: number, end: 'lower' | 'upper'): number {
  const [high, low] = a >= b ? [a, b] : [b, a];
  if (low === -Infinity || high === Infinity) return high;
  return add(exactly(high), log1p(exponential(subtract(exactly(low), exactly(high)))))[end];
}

/** ln(e^a + e^b); nothing underflows. */
export const logSum = (a: Enclosure, b: Enclosure): Enclosure =>
  enclosure(logSumEnd(a.lower, b.lower, 'lower'), logSumEnd(a.upper, b.upper, 'upper'));
