import { toLower, toUpper } from '../../numeric/decimal.ts';
import { toDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly } from '../../numeric/enclosure.ts';
import { solveEpsilon, vacuousCurve, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { totalEpsilon, type PureGroup } from '../../privacy/pure.ts';
import type { Effort } from '../core/bound.ts';
import { nonadaptiveOptimum } from './nonadaptive-optimum.ts';
import { LEAST_TILT, shiftedBounds, shiftedGaussianAbove } from './shifted-gaussian.ts';
import { tiltedChoices } from './tilted-choices.ts';
import { gaussianCurve } from '../closed-form/gaussian.ts';

/** e^2 / 4, the largest variance of a loss of range e, and how many mechanisms have it. */
interface Steps {
  readonly u: number;
  readonly count: number;
}

/** Steps s -> s + g_u(s), sound for s >= from times the largest u. */
interface StepRule {
  readonly from: number;
  /** Bounds the sum over `count` steps of g_u - u. */
  readonly excess: (steps: Steps, s: number) => number;
}

/** Covers the rounding of few operations for each group. */
const ROUNDED = 1 + 1e-11;
/** A smaller u is taken for this one, a larger class: its square would underflow. */
const LEAST = 1e-140;
/** Where every epsilon is below this their steps are taken for far larger ones. */
export const SMALLEST_EPSILON = 2 * Math.sqrt(LEAST);

/** Up to this u the plain step is sound: s >= 12 u / (12 - u) where s >= 2u. */
const LARGEST_PLAIN = 5.8;
/** s -> s^2 / (s - u) = s + u + u^2 / (s - u). */
const PLAIN: StepRule = {
  from: 2,
  excess({ u, count }, s) {
    const second = count > 1 ? (u * u) / s : 0;
    const others = count > 2 ? u * Math.log1p(((count - 2) * u) / s) : 0;
    return (u * u) / (s - u) + second + others;
  },
};

/** phi(n) = 1 + c n + k n^5. */
const [C, K] = [0.26, 0.06];
const REACH = 1 + C + K;
/** Up to this u steps lengthened by e^(REACH u / 5) are sound. */
const LARGEST_SHARP = 0.35;
/** s -> s + r u phi(u / s). */
const SHARP: StepRule = {
  from: 1,
  excess({ u, count }, s) {
    const n = u / s;
    const r = Math.exp((REACH * u) / 5);
    const first = r * u * (C * n + K * n ** 5);
    const others = count > 1 ? C * u * Math.log1p((count - 1) * r * n) + (K / 4) * u * n ** 4 : 0;
    return (Math.expm1((REACH * u) / 5) * count * u + first + others) * ROUNDED;
  },
};

/** No step, wherever it begins, exceeds u by a larger part of its length. */
const LOOSE = 1 - 2 / Math.PI;

/** The most that steps in any order come to, from 0. */
function longest(steps: readonly Steps[], { from, excess }: StepRule): number {
  const largest = steps[0]?.u ?? 0;
  const sum = steps.reduce((total, { u, count }) => total + count * u, 0);
  const excessFrom = (start: number): number =>
    steps.reduce((s, each) => (s + each.count * each.u + excess(each, s)) * ROUNDED, start) - start - sum;
  const ends = [from * largest, (from + Math.PI / 2) * largest];
  return (sum + Math.max(...ends.map((s) => LOOSE * s * ROUNDED + excessFrom(s)))) * ROUNDED;
}

/**
 * A mu^2 such that the curve of Gaussian noise with it lies above the adaptive optimum of bounded-range mechanisms, in every
 * order; Infinity where none is known. It exceeds the sum of u = e^2 / 4 by few times the largest of them, and a logarithm.
 *
 * Let G_s be the curve of Gaussian noise with mu^2 = s, and T_t one step of the recursion (see solveRecursion). If
 * T_t G_s <= G_s' for all t whenever s' = f_u(s), then by induction the optimum of a set of mechanisms is at most G at
 * the most that the iterated f come to in any order, from s = 0.
 *
 * Anywhere f_u(s) = s + (pi / 2) u. One mechanism alone has V_1(x) = (1 - e^((x - e)/2))^2 / (1 - e^-e), that is psi(x) =
 * e^(-x/2) V_1(x) solves psi'' - psi / 4 = v with v constant on (-e, e), 0 outside. For G it is v_s = e^(-s/8) N(0, s), which
 * falls: the difference w of the two has w'(0) = 0, and w'' - w/4 is positive, then negative up to e, so it is not
 * negative if w(0) is not (maximum principle), and w(0) = erf(sqrt(pi) e / 8) - tanh(e / 4) >= 0 at s = (pi / 2) u, as the
 * logarithm of the ratio of the slopes, 2 ln cosh y - pi y^2 / 4, first grows, then falls. And T_t G_s is E[V(x - L)] of
 * the curve V of that one choice, at most V_1, L the loss of the Gaussian: at most E[G(x - L)].
 *
 * From s = a M on, M the largest u, sharper steps. psi(x) = e^(-x/2) delta(x) of G has d psi / ds = v_s / 2.
 * T_t psi - psi is the integral of v_s with Green's function K >= 0 of that equation on the interval between the two ends.
 * With x = l s, v_s(x + r) <= v_s(x) e^(-lr), so
 *
 *   (T_t psi - psi)(x) / v_s(x) <= A(l) = integral of K(r) e^(-lr) dr = (E e^(aL) - 1) / (a (a + 1)), a = l - 1/2,
 *   (psi_(s+d) - psi_s)(x) / v_s(x) = B(l) = half the integral over 0 < w < d of
 *                                             (1 + w/s)^(-1/2) e^(-w/8 + l^2 w s / (2 (s + w))).
 *
 * Plainly: ln E e^(aL) - a (a + 1) e^2 / 8 is concave in a, as a variance of range e is at most e^2 / 4, and 0 at a = 0 and -1.
 * So A(l) is at most half the integral of e^((l^2 - 1/4) w / 2) over 0 < w < u; substituting w s / (s + w) in B
 * leaves the factor (1 - w/s)^(-3/2) e^(-w^2 / (8 (s - w))) >= 1 where s >= 12 u / (12 - u), for s + d = s^2 / (s - u).
 *
 * Sharply: K is at most the triangle of the same base (ln(sinh x / x) is superadditive), so that A(l) <= u (H - 1) / (2 z)
 * with z = (e l)^2 / 8 and H(z) the largest moment of a centred loss of range e, ln H = ln(sinh h / h) + h coth h - 1,
 * h^2 = 2z. With d = u phi(n) and n = u / s the integral in B without e^(-w/8) is at least that where
 *
 *   (H - 1) / z <= integral over 0 < w < phi(n) of (1 + wn)^(-1/2) e^(zw / (1 + wn)),
 *
 * which at z = 0 is phi(n) >= 1 + n/4, and holds for phi(n) = 1 + 0.26 n + 0.06 n^5, 0 < n <= 1 and every z
 * (test/bounds/bounded-range/adaptive-gaussian.test.ts covers the range by cells). Lengthening d by r gains
 * r (1 + (r - 1) d / (s + d))^(-1/2) and loses e^(-rd/8): r = e^(d/5) is enough for d <= 0.467 and s >= u.
 *
 * The order. From any s on, the order that comes to most is by falling u: with g_u(s) = r u phi(u / s), or u^2 / (s - u) + u,
 * g_b / g_a >= r_b b^2 / (r_a a^2) for a >= b, and each term c r u^(p+1) / s^p of the excess, falling and convex in s, makes up
 * for its like in the other order. Before s = a M steps may come in any order, and the last of them ends below (a + pi / 2) M; up
 * to there at most a part 1 - 2 / pi of s is excess. What follows exceeds its u by no more than all steps would from there,
 * a convex function of s: the sum is largest at one of the two ends.
 *
 * Source: derived.
 */
export function gaussianVarianceAbove(groups: readonly PureGroup[]): number {
  const steps = groups
    .map(({ epsilon, count }): Steps => ({ u: Math.max(LEAST, (toUpper(epsilon) ** 2 / 4) * ROUNDED), count }))
    .sort((a, b) => b.u - a.u);
  const largest = steps[0]?.u ?? 0;
  return Math.min(
    largest <= LARGEST_PLAIN ? longest(steps, PLAIN) : Infinity,
    largest <= LARGEST_SHARP ? longest(steps, SHARP) : Infinity,
  );
}

/** A mu^2 that grows with the number of mechanisms: that of k of them is first + each k. */
export interface LinearVariance {
  readonly first: number;
  readonly each: number;
}

/** One mechanism alone, and one after any others: f_u(s) = s + (pi / 2) u. */
const ANYWHERE = Math.PI / 2;

/** So many mechanisms are added one by one, and those after them together. */
const ONE_BY_ONE = 8;

/**
 * A mu^2 such that the curve of Gaussian noise with it lies above the adaptive optimum of k mechanisms of e-bounded range, for
 * every whole k >= 0; closest for k about `near` >= 1. null where none is known. `e` must not be below the parameter.
 *
 * The steps of {@link gaussianVarianceAbove} lead from s_0 = 0 by s_1 = (pi / 2) u to s_k. Each is shorter than the one before,
 * as g_u(s) falls in s, so that s_k is concave in k: it lies below any line through (near, s) whose slope is the step at s, if
 * s >= s_near.
 *
 * Source: derived.
 */
export function linearVarianceAbove(e: number, near: number): LinearVariance | null {
  const u = Math.max(LEAST, (e ** 2 / 4) * ROUNDED);
  if (!(u <= LARGEST_PLAIN)) return null;
  const { from, excess } = u <= LARGEST_SHARP ? SHARP : PLAIN;
  const stepAt = (s: number): number =>
    s < from * u ? ANYWHERE * u * ROUNDED : (u + excess({ u, count: 1 }, s)) * ROUNDED;
  let s = ANYWHERE * u * ROUNDED;
  let k = 1;
  for (; k < Math.min(near, ONE_BY_ONE); k++) s = (s + stepAt(s)) * ROUNDED;
  if (k < near) s = (s + (near - k) * u + excess({ u, count: near - k }, s)) * ROUNDED;
  const each = stepAt(s);
  return { first: s * ROUNDED - each * near, each };
}

/** Choices are made for a tail of about the size that is asked: this is near enough. */
const TOLERANCE_OF_CHOICES = 1e-5;

/** A legal adversary: for equal mechanisms the best t for all, else one that is good for the tail. */
function fixedInAdvance(groups: readonly PureGroup[], effort: Effort): FiniteLossCurve {
  const [equal, ...others] = groups;
  return equal && others.length === 0
    ? nonadaptiveOptimum(equal.epsilon, equal.count, 'lower')
    : tiltedChoices(groups, TOLERANCE_OF_CHOICES, effort);
}

/**
 * The adaptive optimum of many bounded-range mechanisms, without tables: from above the lower of two Gaussian curves (see also
 * shiftedGaussianAbove), from below an adversary who fixes his choices in advance. null where no Gaussian is known.
 */
export function manyBoundedRange(groups: readonly PureGroup[], effort: Effort): FiniteLossCurve | null {
  const muSquared = gaussianVarianceAbove(groups);
  const shifted = shiftedBounds(groups, effort.session);
  if (muSquared === Infinity && shiftedGaussianAbove(groups, LEAST_TILT, effort.session) === null) return null;
  const maximum = totalEpsilon(groups);
  const above = muSquared === Infinity ? vacuousCurve(maximum) : gaussianCurve(exactly(muSquared));
  const below = fixedInAdvance(groups, effort);
  const most = toUpper(maximum);
  const mostBelow = below.maximum === null ? Infinity : toLower(below.maximum);
  return {
    maximum,
    logDelta(epsilon) {
      const x = toDouble(epsilon);
      const least = x < mostBelow ? below.logDelta(epsilon).lower : -Infinity;
      return enclosure(least, Math.min(above.logDelta(epsilon).upper, shifted.logDelta(x)));
    },
    epsilon(target) {
      const least = solveEpsilon(below, target).lower;
      const upper = Math.min(most, solveEpsilon(above, target).upper, shifted.epsilon(target));
      return enclosure(least, Math.max(least, upper));
    },
  };
}
