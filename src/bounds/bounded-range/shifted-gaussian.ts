import { encloseDecimal, toUpper } from '../../numeric/decimal.ts';
import { add, divide, multiply, subtract, times } from '../../numeric/enclosure-arithmetic.ts';
import { fromDouble } from '../../numeric/double-double.ts';
import { exactly, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { millsRatio } from '../../numeric/normal.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import { solveEpsilon } from '../../privacy/finite-loss-curve.ts';
import { boundedRangeMoment } from '../../privacy/log-moment.ts';
import type { PureGroup } from '../../privacy/pure.ts';
import { gaussianCurve } from '../closed-form/gaussian.ts';

/** The curve G(x - shift), G that of Gaussian noise with mu^2 = variance. */
export interface ShiftedGaussian {
  readonly variance: number;
  readonly shift: number;
}

/** A line above h(a) / a for a >= -1/2, h(a) the extremal ln E e^(a L): drift + a spread / 2. */
interface Line {
  readonly drift: number;
  readonly spread: number;
  /** drift - spread / 2, at least 0. */
  readonly surplus: number;
}

/** Covers the rounding of few operations for each group, and of comparisons. */
const ROUNDED = 1 + 1e-11;
const SAFE = 1 - 1e-9;

/** Where a line touches, h(a) / a is known at three points so far apart, as a part of a: a power of two. */
const APART = 2 ** -6;

/** Up to a constant the second derivative of x ln(1 + x^2) at x >= 0. */
const bend = (x: number): number => (x * (3 + x * x)) / (1 + x * x) ** 2;

/**
 * The tangent to h(a) / a at about this a > 0; null where it is not known to lie above.
 *
 * With S(x) = x ln(sinh(x e / 2) / (x e / 2)) it is h(a) = S(1 + a) - S(a) - S(1), so that h(a) / a is the mean of
 * g(r) = S'(1 + r) - S'(r) over r from 0 to a. S is the sum over c = 2 pi n / e of S_c(x) = x ln(1 + x^2 / c^2). S_c''' is even,
 * and on x >= 0 it falls, then rises: for e up to 14 g_c'' is negative up to some r, then positive (condition (1) fails for larger
 * e). g_c tends to 0, so it is concave up to the place of its largest value and nowhere larger after it: it lies below a concave
 * function that is g_c up to there, and the mean below its tangents there. That place is beyond a where g_c'(a) >= 0, that is S_c''((1 + a) / c) >= S_c''(a / c); as ln S_c''(x) is
 * concave in ln x up to its largest value, that holds for every larger c, too.
 *
 * Between and beyond three points of a concave function it lies below its secants.
 */
export function tangentAt(epsilon: PureGroup['epsilon'], tilt: number): Line | null {
  const e = encloseDecimal(epsilon);
  const [a0, a1, a2] = [tilt * (1 - APART), tilt, tilt * (1 + APART)] as const;
  const c = (2 * Math.PI) / (e.upper * ROUNDED);
  if (!(bend((1 + a2) / c) * SAFE >= bend(a2 / c))) return null;
  const moment = boundedRangeMoment(e);
  const [k0, k1, k2] = [a0, a1, a2].map((a) => divide(moment(a), exactly(a))) as [Enclosure, Enclosure, Enclosure];
  const apart = exactly(tilt * APART);
  const before = divide(subtract(k1, k0), apart);
  const after = divide(subtract(k2, k1), apart);
  const slope = Math.max(after.upper, midpoint(times(0.5, add(before, after))));
  const above = (k: Enclosure, a: number): number => subtract(k, multiply(exactly(slope), exactly(a))).upper;
  const least = Math.max(
    above(k0, a0),
    above(k2, a2),
    above(k1, a1) + Math.max(0, Math.max(before.upper, after.upper) - after.lower) * tilt * APART * ROUNDED,
  );
  // Farther to the left than a0 the line may fall behind by this.
  const drift = Math.max(slope, (least + Math.max(0, slope - before.lower) * (a0 + 0.5)) * ROUNDED);
  return { drift, spread: 2 * slope, surplus: drift - slope };
}
/** (s + 4) (1 - R / 2) is above this, R as below: see shifted-gaussian.test.ts. */
export const LEAST_REST = 2.7;

/** For every u >= 0: (spread / 2) (1 - e^(-u Q)) <= 2 surplus (e^(g u) - 1 / (1 + u)). */
function holdsForAll(spread: number, surplus: number, q: number, g: number): boolean {
  const gained = (u: number): number => 2 * surplus * (Math.exp(g * u) - 1 / (1 + u)) * SAFE;
  const first = 2 ** -10;
  if ((spread / 2) * q > 2 * surplus * (g + 1 / (1 + first)) * SAFE) return false;
  for (let u = first; u < 1e6; u *= 1.01) {
    if (gained(u) >= spread / 2) return true;
    // Both sides grow: from here to the next u the left is at most what it is beyond it.
    if ((spread / 2) * -Math.expm1(-1.011 * u * q) > gained(u)) return false;
  }
  return false;
}

/**
 * Whether steps along a line are sound from s on. With eta = spread / s and z = 4 surplus / s,
 *
 *   (drift + z)^2 / (2 (1 - eta)) + 2 surplus <= 1.5 spread,                                                        (1)
 *   (spread / 2) (e^(uQ) - 1) + 2 surplus e^(uQ) / (1 + u) <= (surplus + z) R((1 - (1 - eta) u) / 2) for u >= 0,    (2)
 *
 * Q = surplus (1 + 2 / s) and R(b) the integral of e^(-br - r^2 / (2s)) over r > 0, which is log-convex. With R = R(1/2) and the mean
 * mu = s (1 / R - 1/2) of r under it, R(1/2 - y) >= R e^(mu y); and (1 + 4 / s) R >= 2. With g = (1 - eta) mu / 2 - Q >= 0, as
 * 1 - e^-x <= min(x, 1) and e^(gu) >= 1 + gu, (2) holds where
 *
 *   (spread / 2) (1 + 2 / s) + (1 + 4 / s) R Q^2 / (1 + Q) <= (1 - eta) / 2 (s + 4) (1 - R / 2),
 *
 * and where {@link holdsForAll} does. What is asked here holds for every larger s if for s: mu and 1 - eta grow, Q falls.
 */
export function isSoundFrom(s: number, { drift, spread, surplus }: Line): boolean {
  const [eta, z, q] = [spread / s, (4 * surplus) / s, surplus * (1 + 2 / s)];
  if (!((drift + z) ** 2 / (2 * (1 - eta)) + 2 * surplus <= 1.5 * spread * SAFE)) return false;
  const mean = s * (1 / (Math.sqrt(s) * millsRatio(Math.sqrt(s) / 2).upper) - 0.5) * SAFE;
  const g = ((1 - eta) / 2) * mean - q;
  if (!(g >= 0)) return false;
  const left = (spread / 2) * (1 + 2 / s) + (2 * (1 + 4 / s) * q * q) / (1 + q);
  return left <= LEAST_REST * ((1 - eta) / 2) * SAFE || holdsForAll(spread, surplus, q, g);
}

/** From so many times the largest spread on steps may be sound. */
const STARTS = [2, 3, 4, 5, 6, 8, 12, 16, 20, 24, 32, 48];

/**
 * A shifted Gaussian curve above the adaptive optimum of bounded-range mechanisms, in every order; best for losses at about
 * this tilt. null where none is known.
 *
 * Let F be the curve of a normal loss of mean m and variance s with density n: F(x) = E(1 - e^(x - L))+, which is G(x - (m - s / 2)),
 * and F'' - F' = n, -F' = n R(1 + a), a = (x - m) / s. One step T_t of the recursion (see solveRecursion) adds the integral of n(x + r) with
 * Green's function, so at most n A(a), A(a) = (e^h(a) - 1) / (a (a + 1)) = A(-1 - a). If E(a) = a drift + a^2 spread / 2 >= h(a) for a > 0, and
 * <= h(a) for -1/2 < a < 0, then for a >= -1/2
 *
 *   A(a) <= (spread / 2 + surplus / (1 + a)) times the integral of e^(v E(a)) over 0 < v < 1.
 *
 * Going from (m, s) to (m + dm, s + ds), dm = (drift + z) / (1 - eta), ds = spread / (1 - eta), adds to F, with v the share of the way
 * on a scale on which s (1 - v eta) = s^2 / s_v,
 *
 *   n times the integral over 0 < v < 1 of (1 - v eta)^(-3/2) e^(-D) (spread / 2 + (surplus + z) R_v) e^(v (E(a) + a z)),
 *   D = v^2 (drift + z)^2 / (2 s (1 - v eta)),  R_v >= R(1 + a (1 - v eta) - v (drift + z) / s).
 *
 * By (1) of {@link isSoundFrom} the first two factors are at least e^(2 v surplus / s). For a >= -1/2 it is (surplus + z) R_v >= surplus / (1 + a)
 * by Mills' ratio, and e^(v a z) is made up for. For a = -1 - a' = -(1 + u) / 2 the exponent is v (E(a') - surplus u - (1 + a') z), and (2) is
 * what is left. So T_t F_(m, s) <= F_(m + dm, s + ds): s grows by spread + spread^2 / (s - spread), m - s / 2 by
 * surplus + surplus (4 + spread) / (s - spread).
 *
 * The order. While s < start, steps are s -> s + (pi / 2) u, m = s / 2, u = e^2 / 4 (see gaussianVarianceAbove): the last ends below
 * start + (pi / 2) u, of which at least the part 2 / pi is u, and spread u / u again a part of that. After it, s is at least start and
 * what was added. With the largest spread in place of each in s - spread, the sums of w / (s - spread) are largest by falling spread if
 * w / spread grows with it (exchange two neighbours): it is made to.
 *
 * Source: derived.
 */
export function shiftedGaussianAbove(groups: readonly PureGroup[], tilt: number): ShiftedGaussian | null {
  const at = Math.fround(tilt);
  const steps = groups.map(({ epsilon, count }) => {
    const line = tangentAt(epsilon, at);
    return line && { ...line, count, u: (toUpper(epsilon) ** 2 / 4) * ROUNDED };
  });
  const known = steps.filter((step) => step !== null).sort((a, b) => b.spread - a.spread);
  const [largest] = known;
  if (!largest || known.length < steps.length) return null;
  const start = STARTS.map((times) => times * largest.spread).find((s) => known.every((line) => isSoundFrom(s, line)));
  if (start === undefined) return null;

  /** The most that the sum of weights / (s - spread) comes to in any order. */
  const excess = (weight: (line: Line) => number): number => {
    let ratio = 0;
    const ratios = known.toReversed().map((line) => (ratio = Math.max(ratio, weight(line) / line.spread)));
    let [s, sum] = [start - largest.spread, 0];
    known.forEach(({ spread, count }, i) => {
      sum += ratios.at(-1 - i)! * (spread / s + Math.log1p(((count - 1) * spread) / s)) * ROUNDED;
      s += count * spread;
    });
    return sum;
  };
  const total = (of: (line: Line) => number): number =>
    known.reduce((sum, line) => sum + line.count * of(line), 0) * ROUNDED;
  const early = start + (Math.PI / 2) * Math.max(...known.map(({ u }) => u));
  const least = Math.min(...known.map(({ spread, u }) => spread / u));
  const variance = total(({ spread }) => spread) + early * (1 - (2 / Math.PI) * least * SAFE);
  const found = {
    variance: (variance + excess(({ spread }) => spread ** 2)) * ROUNDED,
    shift: (total(({ surplus }) => surplus) + excess(({ surplus, spread }) => surplus * (4 + spread))) * ROUNDED,
  };
  return Number.isFinite(found.variance) && Number.isFinite(found.shift) ? found : null;
}

/** Tilts that are tried first, and the least; each answer gives the next tilt, so often. */
const FIRST_TILT = 0.05;
export const LEAST_TILT = 2 ** -9;
const TURNS = 4;

/** The least of what shifted curves give, one after the other for better tilts; Infinity where none is known. */
function leastOver(
  groups: readonly PureGroup[],
  given: (shifted: ShiftedGaussian) => { readonly value: number; readonly epsilon: number },
): number {
  let [least, tilt] = [Infinity, FIRST_TILT];
  for (let turn = 0; turn < TURNS && tilt >= LEAST_TILT; turn++) {
    const shifted = shiftedGaussianAbove(groups, tilt);
    if (shifted === null) {
      tilt = tilt > LEAST_TILT ? Math.max(LEAST_TILT, tilt / 4) : 0;
      continue;
    }
    const { value, epsilon } = given(shifted);
    least = Math.min(least, value);
    tilt = Math.max(LEAST_TILT, (epsilon - shifted.shift) / shifted.variance - 0.5);
  }
  return least;
}

/** Upper bounds on the adaptive optimum by {@link shiftedGaussianAbove}; Infinity where none is known. */
export const shiftedBounds = (groups: readonly PureGroup[]) => ({
  logDelta: (epsilon: number): number =>
    leastOver(groups, (shifted) => {
      const rest = nextDown(nextDown(epsilon) - shifted.shift);
      const curve = gaussianCurve(exactly(shifted.variance));
      return { value: rest > 0 ? curve.logDelta(fromDouble(rest)).upper : Infinity, epsilon };
    }),
  epsilon: (logDelta: Enclosure): number =>
    leastOver(groups, ({ variance, shift }) => {
      const epsilon = nextUp(solveEpsilon(gaussianCurve(exactly(variance)), logDelta).upper + shift);
      return { value: epsilon, epsilon };
    }),
});
