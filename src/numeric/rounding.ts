/** Relative error of one correctly rounded double operation, 2^-53. */
export const UNIT_ROUNDOFF = 2 ** -53;

/**
 * Relative error assumed of `Math.exp`, `log`, `expm1`, `log1p`, `sin`, `cos` and `atan2`: four units in the last place. The largest observed
 * on V8 is about one (4,000 random points each); ECMAScript itself promises nothing.
 */
export const ELEMENTARY_ERROR = 8 * UNIT_ROUNDOFF;

/** The largest number of so many binary digits that is at most x >= 0; x itself where there is none. */
export function leadingDigits(x: number, digits: number): number {
  const unit = 2 ** (Math.floor(Math.log2(x)) + 1 - digits);
  return unit > 0 && unit < Infinity ? Math.floor(x / unit) * unit : x;
}

const SMALLEST = Number.MIN_VALUE;
const STEP = UNIT_ROUNDOFF * (1 + 2 * UNIT_ROUNDOFF);

/**
 * A double at least the successor of `x` and at most two steps above it. An overflow to -Infinity comes back as the
 * most negative double, +Infinity stays.
 *
 * Source: Rump, Zimmermann, Boldo, Melquiond, "Computing predecessor and successor in rounding to nearest", BIT 49 (2009).
 */
export function nextUp(x: number): number {
  return x === -Infinity ? -Number.MAX_VALUE : x + (Math.abs(x) * STEP + SMALLEST);
}

/** A double at most the predecessor of `x` and at least two steps below it. See {@link nextUp}. */
export function nextDown(x: number): number {
  return x === Infinity ? Number.MAX_VALUE : x - (Math.abs(x) * STEP + SMALLEST);
}

/** An upper bound on a value computed as `x` with relative error at most `error`. */
export function roundUpBy(x: number, error: number): number {
  const finite = Math.max(x, -Number.MAX_VALUE);
  return nextUp(finite + Math.abs(finite) * error);
}

/** A lower bound on a value computed as `x` with relative error at most `error`. */
export function roundDownBy(x: number, error: number): number {
  const finite = Math.min(x, Number.MAX_VALUE);
  return nextDown(finite - Math.abs(finite) * error);
}
