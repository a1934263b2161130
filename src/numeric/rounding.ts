/** Relative error of one correctly rounded double operation, 2^-53. */
export const UNIT_ROUNDOFF = 2 ** -53;

const SMALLEST = Number.MIN_VALUE;
const STEP = UNIT_ROUNDOFF * (1 + 2 * UNIT_ROUNDOFF);

/**
 * A double at least the successor of `x` and at most two steps above it; infinities and NaN are returned as they are.
 *
 * Source: Rump, Zimmermann, Boldo, Melquiond, "Computing predecessor and successor in rounding to nearest", BIT 49 (2009).
 */
export function nextUp(x: number): number {
  return x + (Math.abs(x) * STEP + SMALLEST);
}

/** A double at most the predecessor of `x` and at least two steps below it. See {@link nextUp}. */
export function nextDown(x: number): number {
  return x - (Math.abs(x) * STEP + SMALLEST);
}
