/** Bounds on the tails of a measure on a lattice, whose weights may carry noise larger than the tails. */
export interface Tails {
  /** ln sum of weight e^(s x), x the loss counted from the measure's origin; an upper bound. */
  readonly logMoment: (s: number) => number;
  /** About the variance of the loss. */
  readonly variance: number;
  /** The losses may have been moved by at most this since `logMoment` was true of them. */
  readonly displacement: number;
}

/** e^-LOG_LEAK is the weight that may lie beyond each end. */
const LOG_LEAK = 56;
export const TAIL_LEAK = Math.exp(-LOG_LEAK);

/** Covers the rounding of the logarithms below. */
const MARGIN = 1e-6;

/** The tails of weights that are free of noise: computed from them. */
export function tailsOfWeights(first: number, weights: Float64Array, step: number): Tails {
  let [mass, mean, square] = [0, 0, 0];
  weights.forEach((weight, m) => {
    const x = (first + m) * step;
    mass += weight;
    mean += weight * x;
    square += weight * x * x;
  });
  mean /= mass;
  const logs = weights.map(Math.log);
  const logMoment = (s: number): number => {
    const exponents = logs.map((log, m) => log + s * step * (first + m));
    const top = exponents.reduce((max, x) => Math.max(max, x), -Infinity);
    return top + Math.log(exponents.reduce((sum, x) => sum + Math.exp(x - top), 0)) + MARGIN;
  };
  return { logMoment, variance: Math.max(0, square / mass - mean * mean), displacement: 0 };
}

/** The tails of a sum of independent losses. */
export function sumOfTails(a: Tails, b: Tails): Tails {
  return {
    logMoment: a === b ? (s) => 2 * a.logMoment(s) : (s) => a.logMoment(s) + b.logMoment(s),
    variance: a.variance + b.variance,
    displacement: a.displacement + b.displacement,
  };
}

/**
 * An interval outside which lies at most TAIL_LEAK of the weight on each side: for every s > 0 the weight above x is at
 * most e^(logMoment(s) - s x) (Chernoff); a few s around the one that suits a normal law of deviation at least `step`
 * are tried.
 */
export function windowOf(
  { logMoment, variance, displacement }: Tails,
  step: number,
): { readonly from: number; readonly to: number } {
  const scale = Math.sqrt((2 * LOG_LEAK) / Math.max(variance, step * step));
  let [from, to] = [-Infinity, Infinity];
  for (const factor of [0.35, 0.6, 1, 1.7]) {
    const s = scale * factor;
    to = Math.min(to, (logMoment(s) + LOG_LEAK) / s);
    from = Math.max(from, -(logMoment(-s) + LOG_LEAK) / s);
  }
  return { from: from - displacement, to: to + displacement };
}
