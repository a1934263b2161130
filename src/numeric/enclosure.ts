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
