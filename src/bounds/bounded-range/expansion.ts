import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { ThresholdSets } from './threshold-sets.ts';

/** A set of outcomes, and a range of t for each parameter. */
export interface Box {
  readonly set: Uint8Array;
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

/** What is known of F_A(t) = Q_t(A) - e^eps P_t(A) in a box. */
export interface Expansion {
  /** At most F_A in the middle. */
  readonly value: number;
  /** At least F_A anywhere in the box. */
  readonly upper: number;
  readonly middle: readonly number[];
  /** About where the quadratic part is largest, as a step in e^t relative to the middle, and F_A there. */
  readonly step: readonly number[];
  readonly estimate: number;
  /** The parameter along which F_A varies most. */
  readonly widest: number;
}

const MOST_SWEEPS = 8;

/** Binomial coefficients to this. */
const choose = (most: number): number[][] => {
  const rows: number[][] = [];
  for (let n = 0; n <= most; n++)
    rows.push(
      Array.from({ length: n + 1 }, (_, i) => (i === 0 || i === n ? 1 : rows[n - 1]![i - 1]! + rows[n - 1]![i]!)),
    );
  return rows;
};

/** Whether a symmetric matrix has a Cholesky factor, left in `factor`, whose pivots are far above rounding. */
function isPositive(matrix: readonly Float64Array[], factor: readonly Float64Array[]): boolean {
  for (let i = 0; i < matrix.length; i++) {
    const row = factor[i]!;
    let pivot = matrix[i]![i]!;
    for (let j = 0; j < i; j++) {
      let rest = matrix[i]![j]!;
      for (let k = 0; k < j; k++) rest -= row[k]! * factor[j]![k]!;
      row[j] = rest / factor[j]![j]!;
      pivot -= row[j]! * row[j]!;
    }
    if (!(pivot > 1e-10 * matrix[i]![i]!)) return false;
    row[i] = Math.sqrt(pivot);
  }
  return true;
}

/**
 * Expands F_A around the middle of a box. With y = e^(t - c) - 1 the probabilities of the larger losses move by -a y under
 * the first and by b (1/(1 + y) - 1) under the second hypothesis, so both measures of A are polynomials, of which all
 * coefficients are computed. What is of third order counts with its largest absolute value; the rest is a quadratic
 * function, enclosed from above by its tangent at about its maximum where it is concave, and made concave where it is not.
 */
export function expansions(sets: ThresholdSets, epsilon: number): (box: Box) => Expansion {
  const { epsilons, counts, strides, outcomes } = sets;
  const m = epsilons.length;
  const binomials = choose(Math.max(...counts));
  /** The chance that z of n mechanisms have the smaller loss, in rows of n. */
  const chances = binomials.map((row) => new Float64Array(row.length));
  chances[0]![0] = 1;
  const line = new Float64Array(chances.length);
  const degree = Uint8Array.from({ length: outcomes }, (_, i) =>
    counts.reduce((sum, k, p) => sum + (Math.floor(i / strides[p]!) % (k + 1)), 0),
  );
  const whole = epsilons.map((e) => -Math.expm1(-e));
  const factor = Math.exp(epsilon);
  const [own, other] = [new Float64Array(outcomes), new Float64Array(outcomes)];
  const [ownMost, otherMost] = [new Float64Array(outcomes), new Float64Array(outcomes)];
  /**
   * Rounding, of parts whose absolute values add up to less than the products below: of probabilities 29 U (1 + e), twice in
   * each step of an axis with its few operations; of the factor; of what is added up at the end.
   */
  const rounding =
    U *
    (counts.reduce((sum, k, p) => sum + k * (80 * (1 + epsilons[p]!) + 2 * k), 0) +
      4 * m * m +
      64 +
      8 * Math.abs(epsilon));

  /** Turns the indicator of a set into the coefficients of its measure in the moves of the probabilities of larger losses. */
  const transform = (set: Uint8Array, into: Float64Array, high: Float64Array, low: Float64Array): void => {
    into.set(set);
    for (let p = 0; p < m; p++) {
      const [k, stride, q, r] = [counts[p]!, strides[p]!, high[p]!, low[p]!];
      const block = stride * (k + 1);
      for (let n = 1; k > 1 && n <= k; n++) {
        const [row, fewer] = [chances[n]!, chances[n - 1]!];
        for (let z = 0; z <= n; z++) row[z] = (z < n ? q * fewer[z]! : 0) + (z > 0 ? r * fewer[z - 1]! : 0);
      }
      for (let base = 0; base < outcomes; base += block) {
        for (let i = base; i < base + stride; i++) {
          if (k === 1) {
            const [top, bottom] = [into[i]!, into[i + stride]!];
            into[i] = q * top + r * bottom;
            into[i + stride] = top - bottom;
            continue;
          }
          for (let j = 0; j <= k; j++) line[j] = into[i + j * stride]!;
          for (let j = 0; j <= k; j++) {
            const row = chances[k - j]!;
            let sum = 0;
            for (let z = 0; z <= k - j; z++) sum += row[z]! * line[z]!;
            into[i + j * stride] = binomials[k]![j]! * sum;
            for (let z = 0; z < k - j; z++) line[z] = line[z]! - line[z + 1]!;
          }
        }
      }
    }
  };

  const vectors = Array.from({ length: 11 }, () => new Float64Array(m));
  const [a, b, q, notQ, p0, notP, reach, far, slope, bend, share] = vectors as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const square = (): Float64Array[] => Array.from({ length: m }, () => new Float64Array(m));
  const [matrix, triangle] = [square(), square()];

  return ({ set, lower, upper }) => {
    const middle = new Array<number>(m);
    let [scale, otherScale] = [1, 1];
    for (let p = 0; p < m; p++) {
      const e = epsilons[p]!;
      const c = Math.min(e, lower[p]! + Math.log1p(Math.expm1(upper[p]! - lower[p]!) / 2));
      middle[p] = c;
      // Wider by more than the rounding of c.
      reach[p] =
        upper[p]! > lower[p]!
          ? Math.max(Math.expm1(upper[p]! - c), -Math.expm1(lower[p]! - c)) * (1 + 16 * U) + 8 * U * (1 + c)
          : 0;
      far[p] = reach[p]! < 1 ? reach[p]! / (1 - reach[p]!) : Infinity;
      a[p] = Math.exp(c - e) / whole[p]!;
      b[p] = Math.exp(-c) / whole[p]!;
      q[p] = -Math.expm1(c - e) / whole[p]!;
      notQ[p] = (Math.exp(c - e) * -Math.expm1(-c)) / whole[p]!;
      p0[p] = Math.exp(-c) * q[p]!;
      notP[p] = -Math.expm1(-c) / whole[p]!;
      scale *= (1 + 2 * a[p]! * reach[p]!) ** counts[p]!;
      otherScale *= (1 + 2 * b[p]! * far[p]!) ** counts[p]!;
    }
    transform(set, own, q, notQ);
    transform(set, other, p0, notP);
    const error = rounding * (scale + factor * otherScale);
    const value = own[0]! - factor * other[0]!;
    // What is of third order, at most.
    ownMost[0] = otherMost[0] = 1;
    share.fill(0);
    let rest = 0;
    for (let p = 0; p < m; p++) {
      const stride = strides[p]!;
      const [x, z] = [a[p]! * reach[p]!, b[p]! * far[p]!];
      for (let i = stride; i < stride * (counts[p]! + 1); i++) {
        ownMost[i] = ownMost[i - stride]! * x;
        otherMost[i] = otherMost[i - stride]! * z;
      }
    }
    for (let i = 1; i < outcomes; i++) {
      if (degree[i]! >= 3) rest += Math.abs(own[i]!) * ownMost[i]! + factor * Math.abs(other[i]!) * otherMost[i]!;
    }
    for (let p = 0; p < m; p++) {
      const stride = strides[p]!;
      const second = factor * b[p]! * other[stride]!;
      slope[p] = second - a[p]! * own[stride]!;
      bend[p] = second / (1 + reach[p]!);
    }
    for (let p = 0; p < m; p++) {
      for (let r = 0; r <= p; r++) {
        const index = strides[p]! + strides[r]!;
        const isOne = p === r && counts[p] === 1;
        const second = isOne ? 0 : factor * b[p]! * b[r]! * other[index]!;
        const mixed = isOne ? 0 : a[p]! * a[r]! * own[index]! - second;
        // 1/(1 + y) - 1 is -y to first order.
        if (second !== 0) rest += Math.abs(second) * (far[p]! * far[r]! - reach[p]! * reach[r]!);
        if (p === r) matrix[p]![p] = 2 * (bend[p]! - mixed);
        else matrix[p]![r] = matrix[r]![p] = -mixed;
        const moved = Math.abs(mixed) * reach[p]! * reach[r]!;
        share[p] = share[p]! + moved;
        if (p !== r) share[r] = share[r]! + moved;
      }
      share[p] = share[p]! + Math.abs(slope[p]!) * reach[p]! + bend[p]! * reach[p]! * reach[p]!;
    }
    if (!isPositive(matrix, triangle)) {
      for (let p = 0; p < m; p++) {
        if (reach[p] === 0) continue;
        let beside = 0;
        for (let r = 0; r < m; r++) if (r !== p) beside += (Math.abs(matrix[p]![r]!) * reach[r]!) / reach[p]!;
        const lacking = beside * (1 + 2 ** -30) - matrix[p]![p]!;
        if (!(lacking > 0)) continue;
        matrix[p]![p] = matrix[p]![p]! + lacking;
        rest += 0.5 * lacking * reach[p]! * reach[p]!;
      }
    }
    const step = new Array<number>(m).fill(0);
    const pull = (p: number): number => {
      let sum = slope[p]!;
      for (let r = 0; r < m; r++) sum -= matrix[p]![r]! * step[r]!;
      return sum;
    };
    for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
      for (let p = 0; p < m; p++) {
        if (reach[p] === 0) continue;
        const next = step[p]! + pull(p) / matrix[p]![p]!;
        step[p] = Number.isFinite(next) ? Math.max(-reach[p]!, Math.min(reach[p]!, next)) : 0;
      }
    }
    let [gain, tangent, widest] = [0, 0, 0];
    for (let p = 0; p < m; p++) {
      const along = pull(p);
      gain += 0.5 * step[p]! * (slope[p]! + along);
      tangent += along > 0 ? along * (reach[p]! - step[p]!) : -along * (reach[p]! + step[p]!);
      if (share[p]! > share[widest]!) widest = p;
    }
    const largest = value + gain + tangent + rest * (1 + 4 * outcomes * U) + error;
    return {
      value: value - error,
      upper: Number.isNaN(largest) ? Infinity : largest,
      middle,
      step,
      estimate: value + gain,
      widest,
    };
  };
}
