/** A mean over independent values with its 95% interval by the normal approximation. */
export interface Estimate {
  readonly mean: number;
  readonly lower: number;
  readonly upper: number;
}

const NORMAL_QUANTILE = 1.959963984540054;

/** The mean of at least two independent values of one law, with its interval. */
export function estimate(values: readonly number[]): Estimate {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const reach = NORMAL_QUANTILE * Math.sqrt(variance / values.length);
  return { mean, lower: mean - reach, upper: mean + reach };
}
