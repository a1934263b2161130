import { type Decimal, encloseDecimal, ZERO } from '../numeric/decimal.ts';
import { equalTogether } from './mechanism-key.ts';
import { exactly, asUpper, enclosure, midpoint, type Enclosure, type UpperBound } from '../numeric/enclosure.ts';
import {
  add,
  divide,
  exponential,
  expm1,
  multiply,
  negate,
  log1p,
  squareRoot,
} from '../numeric/enclosure-arithmetic.ts';
import { logNormalTail } from '../numeric/normal.ts';
import { nextDown, nextUp } from '../numeric/rounding.ts';

/** `count` mechanisms that are (epsilon, 0)-DP, epsilon > 0. */
export interface PureGroup {
  readonly epsilon: Decimal;
  readonly count: number;
}

/** Collects equal parameters, as far as doubles can count them, and drops those that are 0; ascending. */
export const groupEqual = (parts: readonly PureGroup[]): PureGroup[] =>
  equalTogether(
    parts.filter(({ epsilon }) => !epsilon.isZero()).map(({ epsilon, count }) => ({ epsilon, count })),
    ({ epsilon }) => epsilon.toString(),
  ).sort((a, b) => a.epsilon.cmp(b.epsilon));

/** sum of epsilon count, exactly. */
export function totalEpsilon(groups: readonly PureGroup[]): Decimal {
  return groups.reduce((sum, { epsilon, count }) => sum.plus(epsilon.times(count)), ZERO);
}

/** How many mechanisms they are. */
export const mechanismsOf = (groups: readonly PureGroup[]): number => groups.reduce((sum, { count }) => sum + count, 0);

/**
 * The largest expected loss of an (e, 0)-DP mechanism, e tanh(e / 2).
 *
 * It is also the zCDP parameter of the class, at most e^2 / 2, with equality as the order tends to 1.
 *
 * [derived] Randomized response, which dominates, has the divergence of order a
 * D_a = ln(cosh((a - 1/2) e) / cosh(e / 2)) / (a - 1). ln cosh(e sqrt(s)) is concave in s, since its derivative is a
 * multiple of tanh(y) / y at y = e sqrt(s), which decreases; so from s = 1/4 to (a - 1/2)^2 = 1/4 + a (a - 1) it grows by
 * at most a (a - 1) e tanh(e / 2), its slope at s = 1/4 times the distance. Hence D_a <= a e tanh(e / 2).
 */
export function pureKl(epsilon: Enclosure): Enclosure {
  const decay = exponential(negate(epsilon));
  return multiply(epsilon, divide(negate(expm1(negate(epsilon))), add(exactly(1), decay)));
}

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
