import { toLower, toUpper } from '../numeric/decimal.ts';
import { toDouble } from '../numeric/double-double.ts';
import { enclosure, exactly } from '../numeric/enclosure.ts';
import { solveEpsilon, type FiniteLossCurve } from '../privacy/finite-loss-curve.ts';
import { totalEpsilon, type PureGroup } from '../privacy/pure-group.ts';
import type { Effort } from './bound.ts';
import { nonadaptiveOptimum } from './br-nonadaptive-optimum.ts';
import { pureOptimum } from './dp-optimal.ts';
import { gaussianCurve } from './gaussian.ts';

/** e^2 / 4, the largest variance of a loss of range e, and how many mechanisms have it. */
interface Steps {
  readonly u: number;
  readonly count: number;
}

/** Covers the rounding of few operations for each group. */
const ROUNDED = 1 + 1e-11;

/** Up to this u a step from s >= 2u is sound: s >= 12 u / (12 - u) then too. */
const LARGEST_PLAIN = 5.8;

/** s after all steps s -> s^2 / (s - u) = s + u + u^2 / (s - u), from twice the largest u. */
function plainTotal(steps: readonly Steps[], largest: number): number {
  if (largest > LARGEST_PLAIN) return Infinity;
  return steps.reduce((s, { u, count }) => {
    const first = (u * u) / (s - u);
    const second = count > 1 ? (u * u) / s : 0;
    const others = count > 2 ? u * Math.log1p(((count - 2) * u) / s) : 0;
    return (s + count * u + first + second + others) * ROUNDED;
  }, 2 * largest);
}

/** The c of sharp steps. */
const SHARPNESS = 0.32;
/** Up to this u steps lengthened by e^((1 + c) u / 3.5) are sound. */
const LARGEST_SHARP = 0.35;

/** s after all steps s -> s + r u (1 + c u / s), from the largest u. */
function sharpTotal(steps: readonly Steps[], largest: number): number {
  if (largest > LARGEST_SHARP) return Infinity;
  const r = Math.exp(((1 + SHARPNESS) * largest) / 3.5);
  return steps.reduce((s, { u, count }) => {
    const first = (SHARPNESS * r * u * u) / s;
    const others = SHARPNESS * u * Math.log1p(((count - 1) * r * u) / s);
    return (s + count * r * u + first + others) * ROUNDED;
  }, largest);
}

/**
 * A mu^2 such that the curve of Gaussian noise with it lies above the adaptive optimum of bounded-range mechanisms, in every
 * order; Infinity where none is known. It exceeds the sum of e^2 / 4 by few times the largest of them, and a logarithm.
 *
 * Let G_s be the curve of Gaussian noise with mu^2 = s, and T_t one step of the recursion (see solveRecursion). If
 * T_t G_s <= G_s' for all t whenever s' = f_u(s), then by induction the optimum of a set of mechanisms is at most G at
 * the iterated f from any start (V_0 = G_0), and the order that gives most is by falling u: where f_u(s) =
 * s + u + c u^2 / s or s^2 / (s - u), f_b(f_a(s)) >= f_a(f_b(s)) for a >= b, and f grows with s >= u, or s >= 2u.
 *
 * The step. psi(x) = e^(-x/2) delta(x) solves psi'' - psi / 4 = v, v the density of the loss under sqrt(PQ): for the
 * Gaussian v_s = e^(-s/8) N(0, s), so that d psi / ds = v_s / 2. T_t psi - psi is the integral of v_s with Green's
 * function K >= 0 of that equation on the interval between the two ends. With x = l s, v_s(x + r) <= v_s(x) e^(-lr), so
 *
 *   (T_t psi - psi)(x) / v_s(x) <= A(l) = integral of K(r) e^(-lr) dr = (E e^(aL) - 1) / (a (a + 1)), a = l - 1/2,
 *   (psi_(s+d) - psi_s)(x) / v_s(x) = B(l) = half the integral over 0 < w < d of
 *                                             (1 + w/s)^(-1/2) e^(-w/8 + l^2 w s / (2 (s + w))).
 *
 * Plainly: ln E e^(aL) - a (a + 1) e^2 / 8 is concave in a, as a variance of range e is at most e^2 / 4, and 0 at a = 0 and -1.
 * So A(l) is at most half the integral of e^((l^2 - 1/4) w / 2) over 0 < w < u = e^2 / 4; substituting w s / (s + w) in B
 * leaves the factor (1 - w/s)^(-3/2) e^(-w^2 / (8 (s - w))) >= 1 where s >= 12 u / (12 - u), for s + d = s^2 / (s - u).
 *
 * Sharply: K is at most the triangle of the same base (ln(sinh x / x) is superadditive), so that A(l) <= u (H - 1) / z with
 * z = (e l)^2 / 8 and H(z) the largest moment of a centred loss of range e, ln H = ln(sinh h / h) + h coth h - 1, h^2 = 2z.
 * With d = u (1 + c u / s) and n = u / s the integral in B without e^(-w/8) is at least that where
 *
 *   (H - 1) / z <= integral over 0 < w < 1 + c n of (1 + wn)^(-1/2) e^(zw / (1 + wn)),
 *
 * which at z = 0 is c >= 1/4, and holds for c = 0.32, 0 < n <= 1 and every z (test/bounds/br-adaptive-gaussian.test.ts
 * covers the range by cells). Lengthening d by r gains sqrt(r) and loses e^(-rd/8): r = e^(d/3.5) is enough for d <= 0.467.
 *
 * Source: derived.
 */
export function gaussianVarianceAbove(groups: readonly PureGroup[]): number {
  const steps = groups
    .map(({ epsilon, count }): Steps => ({ u: (toUpper(epsilon) ** 2 / 4) * ROUNDED, count }))
    .sort((a, b) => b.u - a.u);
  const largest = steps[0]?.u ?? 0;
  return Math.min(plainTotal(steps, largest), sharpTotal(steps, largest));
}

/** One legal adversary: for equal mechanisms the best t for all, else t = e / 2, randomized responses of e / 2. */
function fixedInAdvance(groups: readonly PureGroup[], effort: Effort): FiniteLossCurve {
  const [equal, ...others] = groups;
  return equal && others.length === 0
    ? nonadaptiveOptimum(equal.epsilon, equal.count, 'lower')
    : pureOptimum(
        groups.map(({ epsilon, count }) => ({ epsilon: epsilon.div(2), count })),
        effort,
      );
}

/**
 * The adaptive optimum of many bounded-range mechanisms, without tables: from above a Gaussian curve, from below an adversary
 * who fixes his choices in advance. null where no Gaussian is known.
 */
export function manyBoundedRange(groups: readonly PureGroup[], effort: Effort): FiniteLossCurve | null {
  const muSquared = gaussianVarianceAbove(groups);
  if (muSquared === Infinity) return null;
  const maximum = totalEpsilon(groups);
  const above = gaussianCurve(exactly(muSquared));
  const below = fixedInAdvance(groups, effort);
  const most = toUpper(maximum);
  const mostBelow = below.maximum === null ? Infinity : toLower(below.maximum);
  return {
    maximum,
    logDelta(epsilon) {
      const least = toDouble(epsilon) < mostBelow ? below.logDelta(epsilon).lower : -Infinity;
      return enclosure(least, above.logDelta(epsilon).upper);
    },
    epsilon(target) {
      const least = solveEpsilon(below, target).lower;
      return enclosure(least, Math.max(least, Math.min(most, solveEpsilon(above, target).upper)));
    },
  };
}
