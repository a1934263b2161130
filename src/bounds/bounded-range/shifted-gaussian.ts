import { encloseDecimal, toUpper } from '../../numeric/decimal.ts';
import { add, divide, multiply, subtract, times } from '../../numeric/enclosure-arithmetic.ts';
import { fromDouble } from '../../numeric/double-double.ts';
import { exactly, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import { solveEpsilon } from '../../privacy/finite-loss-curve.ts';
import { boundedRangeMoment } from '../../privacy/log-moment.ts';
import type { PureGroup } from '../../privacy/pure.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { gaussianCurve } from '../closed-form/gaussian.ts';
import { Kept, Session } from '../core/session.ts';
import { cellsOf, lengtheningFrom, STARTS, type Line } from './shifted-step.ts';

/** The curve G(x - shift), G that of Gaussian noise with mu^2 = variance. */
export interface ShiftedGaussian {
  readonly variance: number;
  readonly shift: number;
}

/** Covers the rounding of few operations for each group, and of comparisons. */
const ROUNDED = 1 + 1e-11;
const SAFE = 1 - 1e-9;

/** Where a line touches, h(a) / a is known at three points so far apart, as a part of a: a power of two. */
const APART = 2 ** -6;

/** Mechanisms of larger epsilon have no tangent here. */
const LARGEST = 14;

/** Up to a constant the second derivative of x ln(1 + x^2) at x >= 0. */
const bend = (x: number): number => (x * (3 + x * x)) / (1 + x * x) ** 2;

/**
 * The tangent to h(a) / a at about this a > 0; null where it is not known to lie above.
 *
 * With S(x) = x ln(sinh(x e / 2) / (x e / 2)) it is h(a) = S(1 + a) - S(a) - S(1), so that h(a) / a is the mean of
 * g(r) = S'(1 + r) - S'(r) over r from 0 to a. S is the sum over c = 2 pi n / e of S_c(x) = x ln(1 + x^2 / c^2). S_c''' is even,
 * and on x >= 0 it falls, then rises: for e up to {@link LARGEST} g_c'' is negative up to some r, then
 * positive. g_c tends to 0, so it is concave up to the place of its largest value and nowhere larger after it: it lies below a concave
 * function that is g_c up to there, and the mean below its tangents there. That place is beyond a where g_c'(a) >= 0, that is S_c''((1 + a) / c) >= S_c''(a / c); as ln S_c''(x) is
 * concave in ln x up to its largest value, that holds for every larger c, too.
 *
 * Between and beyond three points of a concave function it lies below its secants.
 */
export function tangentAt(epsilon: PureGroup['epsilon'], tilt: number): Line | null {
  const e = encloseDecimal(epsilon);
  const [a0, a1, a2] = [tilt * (1 - APART), tilt, tilt * (1 + APART)] as const;
  const c = (2 * Math.PI) / (e.upper * ROUNDED);
  if (!(e.upper <= LARGEST && bend((1 + a2) / c) * SAFE >= bend(a2 / c))) return null;
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
  return { drift, spread: 2 * slope, surplus: drift - slope, tilt };
}
/** The steps of equal mechanisms. */
interface Steps extends Line {
  readonly count: number;
  /** e^2 / 4. */
  readonly u: number;
  /** See {@link lengtheningFrom}. */
  readonly longer: number;
}

/**
 * The sum of steps from `start` on, by falling spread.
 *
 * The order. While s < start, steps are s -> s + (pi / 2) u, m = s / 2, u = e^2 / 4 (see gaussianVarianceAbove): the last ends below
 * start + (pi / 2) u, of which at least the part 2 / pi is u, and spread u / u again a part of that. After it, s is at least start and
 * what was added. With the largest spread in place of each in s - spread, the sums of w / (s - spread) are largest by falling spread if
 * w / spread grows with it (exchange two neighbours): it is made to.
 */
function sumOfSteps(steps: readonly Steps[], start: number): ShiftedGaussian {
  const largest = steps[0]!.spread;
  /** The most that the sum of weights / (s - spread) comes to in any order. */
  const excess = (weight: (line: Steps) => number): number => {
    let ratio = 0;
    const ratios = steps.toReversed().map((line) => (ratio = Math.max(ratio, weight(line) / line.spread)));
    let [s, sum] = [start - largest, 0];
    steps.forEach(({ spread, count }, i) => {
      sum += ratios.at(-1 - i)! * (spread / s + Math.log1p(((count - 1) * spread) / s)) * ROUNDED;
      s += count * spread;
    });
    return sum;
  };
  const total = (of: (line: Steps) => number): number =>
    steps.reduce((sum, line) => sum + line.count * of(line), 0) * ROUNDED;
  const early = start + (Math.PI / 2) * Math.max(...steps.map(({ u }) => u));
  const least = Math.min(...steps.map(({ spread, u }) => spread / u));
  const variance = total(({ spread }) => spread) + early * (1 - (2 / Math.PI) * least * SAFE);
  const surpluses = excess(({ longer, surplus, spread }) => longer * surplus * spread);
  return {
    variance: (variance + excess(({ longer, spread }) => longer * spread ** 2)) * ROUNDED,
    shift: (total(({ surplus }) => surplus) + surpluses) * ROUNDED,
  };
}

/** The tangent of a mechanism at a tilt, and what is proved of its steps, however many there are. */
interface ProvedSteps {
  readonly line: Line | null;
  readonly longerFrom: (start: number) => number | null;
}

/** Those that a session keeps. */
const PROVED = new Kept<ProvedSteps>(64);
/** Of how many starts each. */
const MOST_STARTS = 64;

function provedSteps(epsilon: PureGroup['epsilon'], tilt: number): ProvedSteps {
  const line = tangentAt(epsilon, tilt);
  if (line === null) return { line, longerFrom: () => null };
  const cells = cellsOf(epsilon, line);
  const cachedParts = new LruCache<{ readonly longer: number | null }>(MOST_STARTS);
  return {
    line,
    longerFrom: (start) =>
      cachedParts.get(String(start), () => ({ longer: lengtheningFrom(start, line, cells) })).longer,
  };
}

/**
 * A shifted Gaussian curve above the adaptive optimum of bounded-range mechanisms, in every order; best for losses at about
 * this tilt. null where none is known.
 *
 * Let F be the curve of a normal loss of mean m and variance s with density n: F(x) = E(1 - e^(x - L))+, which is G(x - (m - s / 2)),
 * and F'' - F' = n, -F' = n R(1 + a), a = (x - m) / s. One step T_t of the recursion (see solveRecursion) adds the integral of n(x + r) with
 * Green's function, so at most n A(a), A(a) = (e^h(a) - 1) / (a (a + 1)) = A(-1 - a). With the line E(a) / a = drift + a spread / 2 it is for
 * a >= -1/2
 *
 *   A(a) <= (e^E(a) - 1) / (a (a + 1)) = (spread / 2 + surplus / (1 + a)) times the integral of e^(w E(a)) over 0 < w < 1.
 *
 * Going from (m, s) to (m + dm, s + ds), dm = (1 + c) drift, ds = (1 + c) spread, adds to F, with s_w = s + w ds,
 *
 *   n times the integral over 0 < w < 1 of (1 + c) (s / s_w)^(1/2) e^(-w^2 dm^2 / (2 s_w)) (spread / 2 + surplus R_w) e^((1 + c) w E(a) s / s_w),
 *
 * R_w = R(1 + (a s - w dm) / s_w, s_w), and it grows with c. For a >= -1/2 it is R_w >= R(1 + a, s). For a = -1 - a' = -(1 + u) / 2 it is
 * E(a) = E(a') - surplus u, and R_w >= R((1 - (1 - eta) u) / 2, s), eta = spread / s, if (1 + c) (1 - eta) <= 1; (1 + c) w s / s_w is at most 1, too. If
 * what is added is always at least n A(a), T_t F_(m, s) <= F_(m + dm, s + ds): see {@link lengtheningFrom}. Then s grows by at most
 * spread + C spread^2 / (s - spread), and m - s / 2 by surplus + C surplus spread / (s - spread).
 *
 * Source: derived.
 */
export function shiftedGaussianAbove(
  groups: readonly PureGroup[],
  tilt: number,
  session = new Session(),
): ShiftedGaussian | null {
  const at = Math.fround(tilt);
  const lines = groups.map(({ epsilon, count }) => {
    const proved = session.get(PROVED, `${epsilon.toString()} ${String(at)}`, () => provedSteps(epsilon, at));
    return proved.line && { ...proved, ...proved.line, count, u: (toUpper(epsilon) ** 2 / 4) * ROUNDED };
  });
  const tangents = lines.filter((line) => line !== null).sort((a, b) => b.spread - a.spread);
  const [largest] = tangents;
  if (!largest || tangents.length < lines.length) return null;
  let best: ShiftedGaussian | null = null;
  const costOf = ({ variance, shift }: ShiftedGaussian): number => shift + (tilt + 0.5) * variance;
  for (const times of STARTS) {
    const start = times * largest.spread;
    const steps: Steps[] = [];
    for (const line of tangents) {
      const longer = line.longerFrom(start);
      if (longer !== null) steps.push({ ...line, longer });
    }
    if (steps.length < tangents.length) continue;
    const sum = sumOfSteps(steps, start);
    const isFinite = Number.isFinite(sum.variance) && Number.isFinite(sum.shift);
    if (isFinite && (best === null || costOf(sum) < costOf(best))) best = sum;
  }
  return best;
}

/** Tilts that are tried first, and the least; each answer gives the next tilt, so often. */
const FIRST_TILT = 2 ** -4;
export const LEAST_TILT = 2 ** -9;
const TURNS = 4;
/** Tilts are powers of the eighth root of 2, so that near questions share them. */
const nearTilt = (tilt: number): number =>
  Math.fround(2 ** (Math.round(8 * Math.log2(Math.max(LEAST_TILT, tilt))) / 8));

/** Upper bounds on the adaptive optimum by {@link shiftedGaussianAbove}; Infinity where none is known. */
export function shiftedBounds(groups: readonly PureGroup[], session?: Session) {
  const byTilt = new Map<number, ShiftedGaussian | null>();
  const shiftedAt = (tilt: number): ShiftedGaussian | null => {
    const known = byTilt.get(tilt);
    if (known !== undefined) return known;
    const shifted = shiftedGaussianAbove(groups, tilt, session);
    byTilt.set(tilt, shifted);
    return shifted;
  };
  /** The least of what shifted curves give, one after the other for better tilts. */
  const leastOver = (
    given: (shifted: ShiftedGaussian) => { readonly value: number; readonly epsilon: number },
  ): number => {
    let [least, tilt] = [Infinity, FIRST_TILT];
    for (let turn = 0; turn < TURNS && tilt >= LEAST_TILT; turn++) {
      const shifted = shiftedAt(tilt);
      if (shifted === null) {
        tilt = tilt > LEAST_TILT ? nearTilt(tilt / 4) : 0;
        continue;
      }
      const { value, epsilon } = given(shifted);
      least = Math.min(least, value);
      const next = nearTilt((epsilon - shifted.shift) / shifted.variance - 0.5);
      if (next === tilt) break;
      tilt = next;
    }
    return least;
  };
  return {
    logDelta: (epsilon: number): number =>
      leastOver((shifted) => {
        const rest = nextDown(nextDown(epsilon) - shifted.shift);
        const curve = gaussianCurve(exactly(shifted.variance));
        return { value: rest > 0 ? curve.logDelta(fromDouble(rest)).upper : Infinity, epsilon };
      }),
    epsilon: (logDelta: Enclosure): number =>
      leastOver(({ variance, shift }) => {
        const epsilon = nextUp(solveEpsilon(gaussianCurve(exactly(variance)), logDelta).upper + shift);
        return { value: epsilon, epsilon };
      }),
  };
}
