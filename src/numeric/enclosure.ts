import { ELEMENTARY_ERROR, nextDown, nextUp, roundDownBy, roundUpBy } from './rounding.ts';

declare const direction: unique symbol;

/** A double known to be at most the true value. */
export type LowerBound = number & { readonly [direction]: 'lower' };
/** A double known to be at least the true value. */
export type UpperBound = number & { readonly [direction]: 'upper' };

/** The true value lies in [lower, upper]. */
export interface Enclosure {
  readonly lower: LowerBound;
  readonly upper: UpperBound;
}

/** A certified upper bound, with a certified lower bound where one is known. */
export interface Bracket {
  readonly lower: LowerBound | null;
  readonly upper: UpperBound;
  /** The exact decimal text of `upper` (and of `lower`, where that is given) before it was rounded to a double. */
  readonly exact?: string;
}

/** Declares that `x` is at most the value it stands for; the caller owns the proof. */
export const asLower = (x: number): LowerBound => x as LowerBound;
/** Declares that `x` is at least the value it stands for; the caller owns the proof. */
export const asUpper = (x: number): UpperBound => x as UpperBound;

/** Declares that the true value lies in [lower, upper]; the caller owns the proof. */
export const enclosure = (lower: number, upper: number): Enclosure => ({
  lower: asLower(lower),
  upper: asUpper(upper),
});

/** The double `x` itself, without error. */
export const exactly = (x: number): Enclosure => enclosure(x, x);

/** A double inside the enclosure, for estimates. */
export const midpoint = ({ lower, upper }: Enclosure): number => {
  const [a, b]: [number, number] = [lower, upper];
  return a === b ? a : a + (b - a) / 2;
};

/** The intersection of two enclosures of one value. */
export const meet = (a: Enclosure, b: Enclosure): Enclosure =>
  enclosure(Math.max(a.lower, b.lower), Math.min(a.upper, b.upper));

/** `upper - lower`. */
export const width = ({ lower, upper }: Enclosure): number => upper - lower;

/** The width over the upper end, of numbers of at least 0; 0 where that end is, NaN where it is infinite. */
export const widthOverUpper = (e: Enclosure): number => (e.upper > 0 ? width(e) / e.upper : 0);

/** Below this, doubles lie evenly apart. */
const SMALLEST_NORMAL = 2 ** -1022;

/**
 * The width over the upper end: 0 where the ends meet (also at Infinity), Infinity where there is no lower end. Of numbers
 * so small that doubles lie evenly, over the smallest that is not.
 */
export function relativeWidth({ lower, upper }: Bracket): number {
  if (lower === null) return Infinity;
  const [low, high]: [number, number] = [lower, upper];
  return low >= high ? 0 : high === Infinity ? Infinity : (high - low) / Math.max(high, SMALLEST_NORMAL);
}

/** A double with a bound on its absolute error. */
export interface Approximate {
  readonly value: number;
  readonly error: number;
}

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
