/** The losses of one round, one for each expert, in [0, 1]. */
export type ExpertLosses = readonly number[];

/** e^(-eta total) for each expert, normalised; `totals` are the sums of earlier losses. */
export function weightsOf(eta: number, totals: ArrayLike<number>): Float64Array {
  const values = Float64Array.from(totals);
  const least = values.reduce((min, total) => Math.min(min, total), Infinity);
  const weights = values.map((total) => Math.exp(-eta * (total - least)));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Pr[S_s = 1] of Algorithm 1 for multiplicative weights: x and y are kept through a batch in which they lost this much. */
export const keepChance = (eta: number, batch: number, lossOfX: number, lossOfY: number): number =>
  Math.min(1, Math.exp(-2 * batch * eta - eta * (lossOfX - lossOfY)));
