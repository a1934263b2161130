import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../numeric/rounding.ts';

/** A closed bound on one stage of the recursion: V_j(x) <= e^(logFactor - lambda x) for every real x. */
export interface TailBound {
  readonly lambda: number;
  readonly logFactor: number;
}

/** One run of the recursion. */
export interface AdaptiveTable {
  /** The bounded-range parameter e. */
  readonly epsilonEach: number;
  readonly count: number;
  /** Where the value is wanted; the grid is anchored there. */
  readonly epsilon: number;
  /** Values are wanted up to this far on both sides of it; 0 for one value. */
  readonly reach: number;
  /** Cells per e. */
  readonly cells: number;
  /** Deviations (of e / 2 per root step) kept on each side. */
  readonly deviations: number;
  /** A bound on V_j that is good near x. */
  readonly tailBound: (j: number, x: number) => TailBound;
}

/** Certified bounds on V_k at the grid points epsilon + (first + n) step. */
export interface AdaptiveValues {
  readonly first: number;
  readonly step: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** The chord weights of one step: with t = s h, u = e^-t, the lower point has weight (e^e - 1/u) / (e^e - 1). */
function chordWeights(e: number, m: number): { readonly down: Float64Array; readonly up: Float64Array } {
  const whole = -Math.expm1(-e);
  const down = new Float64Array(m + 1);
  const up = new Float64Array(m + 1);
  for (let s = 0; s <= m; s++) {
    const t = (e * s) / m;
    // q_t = (1 - e^(t-e)) / (1 - e^-e) and 1 - q_t = (e^(t-e) - e^-e) / (1 - e^-e)
    down[s] = -Math.expm1(t - e) / whole;
    up[s] = (Math.exp(t - e) * -Math.expm1(-t)) / whole;
  }
  return { down, up };
}

/**
 * Bounds the chords whose ends move along straight pieces, u = e^-t from `u1` to `u1 + width`, the lower end's value from
 * low1 to low0 and the upper end's from high1 to high0. The chord is f = A + B u + C / u, so it is concave or convex
 * throughout. With a maximum inside, f rises at u1 and falls at the other end, hence it is concave, and the tangent at
 * any point bounds it; the point is where a parabola through the two slopes has its top, so the tangent is nearly flat.
 * Returns 0 where the ends are best. Slopes are taken per cell: D = f'(u) width.
 */
function chordInside(
  e: number,
  u1: number,
  width: number,
  slopes: { readonly atUpper: number; readonly atLower: number },
  low0: number,
  low1: number,
  high0: number,
  high1: number,
): number {
  const { atUpper, atLower } = slopes;
  if (!(atLower > 0 && atUpper < 0)) return 0;
  const share = atLower / (atLower - atUpper);
  const u = u1 + share * width;
  const grow = Math.expm1(e);
  const t = -Math.log(u);
  const down = Math.max(0, -Math.expm1(t - e) / -Math.expm1(-e));
  const up = Math.max(0, (Math.exp(t - e) * -Math.expm1(-t)) / -Math.expm1(-e));
  const low = low1 + share * (low0 - low1);
  const high = high1 + share * (high0 - high1);
  const slope = (width * (low - high)) / (u * u * grow) + down * (low0 - low1) + up * (high0 - high1);
  return down * low + up * high + Math.abs(slope);
}

/** The highest chord from grid point to grid point. All are tried: there are plateaus where a climb would stop short. */
function highestGridChord(values: Float64Array, base: number, m: number, down: Float64Array, up: Float64Array): number {
  let best = 0;
  for (let s = 0; s <= m; s++) {
    const chord = down[s]! * values[base - s]! + up[s]! * values[base - s + m]!;
    if (chord > best) best = chord;
  }
  return best;
}

/** Relative error that one step adds: weights (a few elementary functions), two products, one sum, the chosen u. */
const STEP_ERROR = 8 * ELEMENTARY_ERROR + 16 * U + 1e-13;

/**
 * Encloses V_k on the grid around eps, the largest delta that k adaptively chosen mechanisms of e-bounded range can have at eps:
 * V_0(x) = max(1 - e^x, 0), V_j(x) = sup over t in [0, e] of q_t V_(j-1)(x - t) + (1 - q_t) V_(j-1)(x - t + e).
 *
 * In y = e^x every V_j is convex and decreasing, and the two weights make y the mean of the two points: V_j at y is the
 * highest chord of V_(j-1) over an interval [a, a e^e] around y. The grid x = eps + i h, h = e / m, maps to itself under
 * chords that begin on it.
 *
 * Lower: only chords from grid point to grid point. That is an adversary who only uses t = s h, so the value at the
 * anchor is attained. Upper: values at grid points bound V_(j-1) there, so by convexity its graph lies below their
 * piecewise linear interpolation in y; all chords of the interpolation are searched: in each cell of t both ends move
 * along one straight piece, the chord is A + B u + C / u in u = e^-t, and its maximum is at an end of the cell or at
 * sqrt(C / B). Both errors are O(h^2).
 *
 * Only a window of states matters; beyond it the tables are closed by bounds that hold for every x: from below 0 and
 * 1 - e^x, from above the moment bound e^(logFactor - lambda x) and, for x < 0, its mirror image
 * 1 - e^x + e^x V_j(-x) (the classes are closed under swapping). Positions are rounded, and e stands for a decimal
 * beside it: the recursion commutes with a shift of x, so starting it (and closing it) at x - blur from above and at
 * x + blur from below, with blur more than all these errors together, covers them. All terms are positive, so each step adds a relative
 * error of at most STEP_ERROR, which is taken off or put on at the end.
 *
 * Source: the recursion is Dong, Durfee, Rogers (2020), Section 5; the enclosure is derived.
 */
export function adaptiveValues(table: AdaptiveTable): AdaptiveValues {
  const { epsilonEach: e, count: k, epsilon, reach, cells: m, deviations, tailBound } = table;
  const h = e / m;
  const { down, up } = chordWeights(e, m);
  const points = Float64Array.from({ length: m + 1 }, (_, s) => Math.exp(-s * h));
  // width / (u^2 (e^e - 1)) for the cell below u = e^-sh, seen from its upper end and from its lower end.
  const turn = points.map((u) => (u * -Math.expm1(-h)) / (u * u * Math.expm1(e)));
  const turnBelow = turn.map((_, s) => (s < m ? turn[s + 1]! * Math.exp(h) : 0));
  const widths = points.map((u) => u * -Math.expm1(-h));
  // Grid points and k copies of e are off by no more than this.
  const blur = 16 * U * (Math.abs(epsilon) + reach + k * e);
  const xOf = (i: number): number => epsilon + i * h;
  const around = Math.ceil(reach / h);
  const drift = Math.max((e * e) / 8, epsilon / k);

  /** Indices kept at stage j: reachable from the anchor, and not yet decided. */
  const windowAt = (j: number): { from: number; to: number } => {
    const left = k - j;
    const spread = (deviations * e) / 2;
    const undecided = Math.min(j * e, (j * e * e) / 8 + spread * Math.sqrt(j)) + e;
    const lowest = Math.max(epsilon - reach - Math.min(left * e, left * drift + spread * Math.sqrt(left)), -undecided);
    const highest = Math.min(epsilon + reach + Math.min(left * e, spread * Math.sqrt(left)), undecided);
    const from = Math.floor((Math.min(lowest, highest) - epsilon) / h);
    return { from, to: Math.max(from, Math.ceil((highest - epsilon) / h)) };
  };

  interface Stage {
    readonly from: number;
    readonly lower: Float64Array;
    readonly upper: Float64Array;
  }

  /** Stage j on [from - m, to + m], with everything outside its own window closed by bounds. */
  const padded = (stage: Stage, j: number, from: number, to: number): Stage => {
    const [first, last] = [from - m, to + m];
    const size = last - first + 1;
    const lower = new Float64Array(size);
    const upper = new Float64Array(size);
    const own = stage.lower.length;
    const right = tailBound(j, xOf(stage.from + own - 1));
    const left = tailBound(j, -xOf(stage.from));
    const above = (bound: TailBound, x: number): number =>
      Math.min(1, Math.exp(bound.logFactor - bound.lambda * x) * (1 + 1e-12));
    for (let n = 0; n < size; n++) {
      const index = first + n - stage.from;
      if (index >= 0 && index < own) {
        lower[n] = stage.lower[index]!;
        upper[n] = stage.upper[index]!;
        continue;
      }
      const x = xOf(first + n);
      lower[n] = Math.max(0, -Math.expm1(x + blur));
      const shifted = x - blur;
      if (shifted >= j * e) upper[n] = 0;
      else if (x + blur <= -j * e) upper[n] = -Math.expm1(shifted);
      else if (shifted >= 0) upper[n] = above(right, shifted);
      else upper[n] = -Math.expm1(shifted) + Math.exp(shifted) * above(left, -shifted);
    }
    return { from: first, lower, upper };
  };

  /** The highest chord of the piecewise linear interpolation of `values`, over all its chords. */
  const highestChord = (values: Float64Array, base: number, downs: Float64Array, ups: Float64Array): number => {
    let low0 = values[base]!;
    let high0 = values[base + m]!;
    let best = downs[0]! * low0 + ups[0]! * high0;
    for (let s = 0; s < m; s++) {
      const low1 = values[base - s - 1]!;
      const high1 = values[base - s - 1 + m]!;
      const chord = downs[s + 1]! * low1 + ups[s + 1]! * high1;
      if (chord > best) best = chord;
      const fall = low0 - low1;
      const drop = high0 - high1;
      const atUpper = (low0 - high0) * turn[s]! + downs[s]! * fall + ups[s]! * drop;
      if (atUpper < 0) {
        const atLower = (low1 - high1) * turnBelow[s]! + downs[s + 1]! * fall + ups[s + 1]! * drop;
        if (atLower > 0) {
          const inside = chordInside(e, points[s + 1]!, widths[s]!, { atUpper, atLower }, low0, low1, high0, high1);
          if (inside > best) best = inside;
        }
      }
      low0 = low1;
      high0 = high1;
    }
    return best;
  };

  const start = windowAt(0);
  const atStart = (shift: number): Float64Array =>
    Float64Array.from({ length: start.to - start.from + 1 }, (_, n) =>
      Math.max(0, -Math.expm1(xOf(start.from + n) + shift)),
    );
  let stage: Stage = { from: start.from, lower: atStart(blur), upper: atStart(-blur) };
  for (let j = 1; j <= k; j++) {
    const { from, to } = j === k ? { from: -around, to: around } : windowAt(j);
    const before = padded(stage, j - 1, from, to);
    const size = to - from + 1;
    const lower = new Float64Array(size);
    const upper = new Float64Array(size);
    for (let n = 0; n < size; n++) {
      const base = n + m;
      lower[n] = highestGridChord(before.lower, base, m, down, up);
      upper[n] = highestChord(before.upper, base, down, up);
    }
    stage = { from, lower, upper };
  }
  const error = k * STEP_ERROR + 1e-14;
  return {
    first: stage.from,
    step: h,
    lower: stage.lower.map((value) => value * (1 - error)),
    upper: stage.upper.map((value) => Math.min(1, value * (1 + error))),
  };
}
