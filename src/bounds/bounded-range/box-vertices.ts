import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { Box } from './expansion.ts';
import type { ThresholdSets } from './threshold-sets.ts';

/** Between which a number lies. */
export type Range = readonly [least: number, most: number];

/** Of what a box's t's are known to satisfy, what its vertices are asked for. */
export interface ConstrainedBox extends Box {
  /** Parameters of which no mechanism ever decides: their t's are arbitrary. */
  readonly free: readonly boolean[];
  /** Between which the sum of all t that are not free lies. */
  readonly from: number;
  readonly to: number;
}

/** What the vertices of a box of t's say of all that is inside. */
export interface BoxVertices {
  /** At least F_A(t) = Q_t(A) - e^eps P_t(A) at all t of the box whose sum is in its range. */
  readonly bound: (box: ConstrainedBox) => number;
  /**
   * For each parameter, between which w = -ln E_P[e^-x | W] lies in the box (see `branch`); -Infinity to Infinity where
   * the vertices do not say.
   */
  readonly windows: (box: ConstrainedBox) => readonly Range[];
}

/** Lines through two vertices are improved this often at most; any of them bounds. */
const MOST_LINES = 12;
/** Less probable conditions are not divided by. */
const LEAST_PROBABILITY = 1e-6;

/**
 * In e^-t, one variable u for each mechanism, the probabilities under P are linear: (u - e^-e) / (1 - e^-e) of the larger
 * loss, (1 - u) / (1 - e^-e) of the smaller. With z = e^s, s the sum of all t,
 *     F_A = z E_P[e^-x; A] - e^eps P(A),   z times the product of all u = 1,
 * both linear in z and in each u; so is F_A - lambda (z times the product - 1) for any lambda, and no larger anywhere in the
 * box than at its best vertex. The lambda of the least such bound is that of a line through two vertices, one on either side
 * of the constraint.
 *
 * E_P[e^-x | W] is a quotient of two such functions, hence monotone in each u, and lies between those of the vertices.
 *
 * Mechanisms of one parameter have the same u; here each may be at either end.
 *
 * Derived.
 */
export function boxVertices(sets: ThresholdSets, epsilon: number): BoxVertices {
  const { epsilons, counts, strides, outcomes } = sets;
  const m = epsilons.length;
  const factor = Math.exp(epsilon);
  const magnitude = epsilons.reduce((sum, e, p) => sum + e * counts[p]!, 1 + Math.abs(epsilon));
  /** Absolute, of sums of probabilities: of each 29 U (1 + e), three times in a step of its axis with its operations, and of the factor. */
  const rounding =
    U * (epsilons.reduce((sum, e, p) => sum + counts[p]! * (120 * (1 + e) + 2 * counts[p]!), 0) + 64 + 8 * magnitude);
  const digit = (i: number, p: number): number => Math.floor(i / strides[p]!) % (counts[p]! + 1);
  const tilts = Float64Array.from({ length: outcomes }, (_, i) =>
    Math.exp(-epsilons.reduce((sum, e, p) => sum + e * digit(i, p), 0)),
  );
  const isBelowLast = counts.map((k, p) => Uint8Array.from({ length: outcomes }, (_, i) => (digit(i, p) < k ? 1 : 0)));
  const [tilted, plain, products] = [0, 1, 2].map(() => new Float64Array(outcomes)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const [excess, value] = [new Float64Array(2 * outcomes), new Float64Array(2 * outcomes)];
  const column = new Float64Array(Math.max(...counts) + 1);

  /**
   * The probabilities of the larger and of the smaller loss, at the lower and at the upper end of each t; and as parts of the
   * larger at the lower end: that at the upper end, and by how much it is less.
   */
  const ends = epsilons.map(() => new Float64Array(6));
  const place = ({ lower, upper }: Box): void => {
    epsilons.forEach((e, p) => {
      const [low, high] = [lower[p]!, upper[p]!];
      const whole = -Math.expm1(-e);
      const chances = ends[p]!;
      [low, high].forEach((t, end) => {
        chances[2 * end] = (Math.exp(-t) * -Math.expm1(Math.min(0, t - e))) / whole;
        chances[2 * end + 1] = -Math.expm1(-t) / whole;
      });
      const large = chances[0]!;
      chances[4] = large > 0 ? chances[2]! / large : 1;
      chances[5] = large > 0 ? (Math.exp(-low) * -Math.expm1(Math.min(0, low - high))) / whole / large : 0;
    });
  };
  const sumOverPair = (tensor: Float64Array, p: number): void => {
    const [stride, chances] = [strides[p]!, ends[p]!];
    const [large, small, largeAbove, smallAbove] = [chances[0]!, chances[1]!, chances[2]!, chances[3]!];
    for (let base = 0; base < outcomes; base += 2 * stride) {
      for (let i = base; i < base + stride; i++) {
        const none = tensor[i]!;
        const one = tensor[i + stride]!;
        tensor[i] = large * none + small * one;
        tensor[i + stride] = largeAbove * none + smallAbove * one;
      }
    }
  };
  /**
   * Sums over the digits of one parameter, k mechanisms of it, at every vertex, which takes the place of the digit. As a
   * polynomial in the chance of the smaller loss a sum has the vertices for its Bernstein coefficients between the two ends:
   * it is cut at the lower end, and what is right of it at the upper one (de Casteljau).
   */
  const sumAlong = (tensor: Float64Array, p: number, k: number): void => {
    const [stride, most] = [strides[p]!, counts[p]!];
    if (k === 0) {
      for (let base = 0; base < outcomes; base += stride * (most + 1)) {
        for (let j = 1; j <= most; j++) tensor.copyWithin(base + j * stride, base, base + stride);
      }
      return;
    }
    if (k === 1 && most === 1) {
      sumOverPair(tensor, p);
      return;
    }
    const chances = ends[p]!;
    const [large, small, keep, move] = [chances[0]!, chances[1]!, chances[4]!, chances[5]!];
    for (let base = 0; base < outcomes; base += stride * (most + 1)) {
      for (let i = base; i < base + stride; i++) {
        for (let d = 0; d <= k; d++) column[d] = tensor[i + d * stride]!;
        for (let last = k - 1; last >= 0; last--) {
          for (let d = 0; d <= last; d++) column[d] = large * column[d]! + small * column[d + 1]!;
        }
        for (let first = 1; first <= k; first++) {
          for (let d = k; d >= first; d--) column[d] = keep * column[d - 1]! + move * column[d]!;
        }
        for (let j = 0; j <= most; j++) tensor[i + j * stride] = column[Math.min(j, k)]!;
      }
    }
  };

  const bound = (box: ConstrainedBox): number => {
    const { set, lower, upper, free, from, to } = box;
    place(box);
    for (let i = 0; i < outcomes; i++) {
      plain[i] = set[i]!;
      tilted[i] = set[i]! * tilts[i]!;
    }
    products[0] = 1;
    let [least, most] = [0, 0];
    for (let p = 0; p < m; p++) {
      const k = free[p] === true ? 0 : counts[p]!;
      sumAlong(plain, p, k);
      sumAlong(tilted, p, k);
      least += k * lower[p]!;
      most += k * upper[p]!;
      const [stride, below, above] = [strides[p]!, Math.exp(-lower[p]!), Math.exp(-upper[p]!)];
      for (let j = counts[p]!; j >= 0; j--) {
        const power = k === 0 ? 1 : below ** (k - j) * above ** j;
        for (let i = 0; i < stride; i++) products[i + j * stride] = products[i]! * power;
      }
    }
    const margin = 64 * U * magnitude;
    const first = Math.exp(Math.max(from, least) - margin);
    const last = Math.exp(Math.min(to, most) + margin);
    let [left, right, size] = [-1, -1, 0];
    for (let v = 0; v < 2 * outcomes; v++) {
      const z = v < outcomes ? first : last;
      const i = v < outcomes ? v : v - outcomes;
      const [here, beyond] = [z * tilted[i]! - factor * plain[i]!, z * products[i]! - 1];
      if (!Number.isFinite(here) || !Number.isFinite(beyond)) return Infinity;
      value[v] = here;
      excess[v] = beyond;
      size = Math.max(size, z * products[i]! + 1);
      if (beyond <= 0) {
        if (left < 0 || here > value[left]!) left = v;
      } else if (right < 0 || here > value[right]!) right = v;
    }
    for (let n = 0; ; n++) {
      const isOneSided = left < 0 || right < 0;
      const lambda = isOneSided ? 0 : (value[right]! - value[left]!) / (excess[right]! - excess[left]!);
      const [there, error] = [Math.max(left, right), rounding * (last + factor + Math.abs(lambda) * size)];
      const line = value[there]! - lambda * excess[there]!;
      let [best, largest] = [there, line];
      for (let v = 0; v < 2 * outcomes; v++) {
        const height = value[v]! - lambda * excess[v]!;
        if (height > largest) [best, largest] = [v, height];
      }
      if (isOneSided || n >= MOST_LINES || !(largest > line + error))
        return Number.isFinite(largest) ? largest + error : Infinity;
      if (excess[best]! <= 0) left = best;
      else right = best;
    }
  };

  const windows = (box: ConstrainedBox): Range[] => {
    const { set, free } = box;
    place(box);
    return epsilons.map((_, p): Range => {
      const stride = strides[p]!;
      for (let i = 0; i < outcomes; i++) {
        const decides = set[i] === 1 && set[i + stride] === 0 && isBelowLast[p]![i] === 1;
        plain[i] = decides ? 1 : 0;
        tilted[i] = decides ? tilts[i]! : 0;
      }
      for (let r = 0; r < m; r++) {
        const k = free[r] === true ? 0 : counts[r]! - (r === p ? 1 : 0);
        sumAlong(plain, r, k);
        sumAlong(tilted, r, k);
      }
      let [least, most] = [Infinity, -Infinity];
      for (let i = 0; i < outcomes; i++) {
        if (!(tilted[i]! > LEAST_PROBABILITY)) return [-Infinity, Infinity];
        const w = Math.log(plain[i]! / tilted[i]!);
        const error = (4 * rounding) / tilted[i]!;
        if (w - error < least) least = w - error;
        if (w + error > most) most = w + error;
      }
      return [least, most];
    });
  };
  return { bound, windows };
}
