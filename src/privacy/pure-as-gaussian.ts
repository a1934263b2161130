import { encloseDecimal, type Decimal } from '../numeric/decimal.ts';
import { add, exponential, log1p, multiply, negate, squareRoot } from '../numeric/enclosure-arithmetic.ts';
import { asUpper, enclosure, exactly, midpoint, type Enclosure, type UpperBound } from '../numeric/enclosure.ts';
import { logNormalTail } from '../numeric/normal.ts';
import { nextDown, nextUp } from '../numeric/rounding.ts';

/** Below this the first terms of the series decide. */
const SMALL = 1e-3;
/** Beyond this the bound of the tail by its exponent alone is off by less than a thousandth. */
const LARGE = 1e4;
const NEWTON_STEPS = 5;
/** sqrt(2 pi) / 2. */
const HALF_SQRT_TWO_PI = enclosure(nextDown(1.2533141373155003), nextUp(1.2533141373155003));
const LOG_SQRT_TWO_PI = 0.9189385332046728;

/** About the x with ln Phi(-x) = target: Newton's method from an x that is right for small and for large e. */
function near(e: number, target: number): number {
  const linear = e * Math.sqrt(Math.PI / 8);
  let x = linear / Math.sqrt(1 + (Math.PI / 16) * e);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const value = midpoint(logNormalTail(x));
    x += (value - target) / Math.exp(-0.5 * x * x - LOG_SQRT_TWO_PI - value);
  }
  return x;
}

/** An x, hardly larger than need be, with ln Phi(-x) certainly at most the target. */
function certainlyBelow(target: Enclosure, e: number): number {
  const start = near(e, midpoint(target));
  for (let step = 4 * Number.EPSILON * start; ; step *= 4) {
    const x = start + step;
    if (logNormalTail(x).upper <= target.lower) return x;
  }
}

/**
 * The smallest mu, rounded up, such that every (e, 0)-DP mechanism is mu-GDP: mu = -2 Phi^-1(1 / (1 + e^e)).
 *
 * [derived] The trade-off curve of randomized response runs straight from (0, 1) to its fixed point c = 1 / (1 + e^e) and
 * from there, mirrored, to (1, 0). That of mu-GDP is convex, passes through (0, 1) and (1, 0), and for this mu has the same
 * fixed point; so it lies below the chords, which are the former.
 *
 * For small e: Phi(0) - Phi(-x) >= (x - x^3 / 6) / sqrt(2 pi) is at least 1/2 - 1 / (1 + e^e) = tanh(e/2) / 2 <= e / 4 at
 * x = c (1 + c^2 / 4), c = e sqrt(2 pi) / 4. For large e: Phi(-x) <= e^(-x^2 / 2) / 2 is at most 1 / (1 + e^e) at
 * x = sqrt(2 e).
 */
export function muOfPure(epsilon: Decimal): UpperBound {
  if (epsilon.isZero()) return asUpper(0);
  const e = encloseDecimal(epsilon);
  if (e.upper < SMALL) {
    const c = multiply(exactly(0.5), multiply(e, HALF_SQRT_TWO_PI));
    return multiply(exactly(2), multiply(c, add(exactly(1), multiply(exactly(0.25), multiply(c, c))))).upper;
  }
  if (e.upper > LARGE) return multiply(exactly(2), squareRoot(multiply(exactly(2), e))).upper;
  const target = negate(add(e, log1p(exponential(negate(e)))));
  return multiply(exactly(2), exactly(certainlyBelow(target, e.upper))).upper;
}
