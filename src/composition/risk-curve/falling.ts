import type { LowerBound, UpperBound } from '../../numeric/enclosure.ts';

/** Both ends of a value. Of a trade-off function the lower one is the claim, of a profile the upper one; null: not known. */
export interface Ends {
  readonly lower: LowerBound | null;
  readonly upper: UpperBound | null;
}

const smallest = (a: UpperBound | null, b: UpperBound | null): UpperBound | null =>
  a === null || (b !== null && b < a) ? b : a;

const largest = (a: LowerBound | null, b: LowerBound | null): LowerBound | null =>
  a === null || (b !== null && b > a) ? b : a;

/**
 * Ends of a quantity that falls along its points, or stays: what bounds it from above at a point does so at all later
 * ones, and what bounds it from below at all earlier ones.
 */
export function falling(points: readonly Ends[]): readonly Ends[] {
  let [upper, lower]: [UpperBound | null, LowerBound | null] = [null, null];
  const uppers = points.map((point) => (upper = smallest(upper, point.upper)));
  const lowers = points.toReversed().map((point) => (lower = largest(lower, point.lower)));
  return points.map((point, at) => ({
    // Where an end is not known, no other point makes it known: it would be far from the truth.
    lower: point.lower === null ? null : lowers[points.length - 1 - at]!,
    upper: point.upper === null ? null : uppers[at]!,
  }));
}
