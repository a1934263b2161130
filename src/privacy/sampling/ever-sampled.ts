import type { RateInDoubles } from './rate.ts';

/** So many mechanisms on samples of a rate. */
export interface SampleGroup {
  readonly rates: RateInDoubles;
  readonly count: number;
}

/** Above every rounding of the sum and its exponential. */
const MARGIN = 1 + 1e-12;

/**
 * At least ln delta at any epsilon >= 0 of mechanisms on samples: delta is at most the total variation, which is at most the
 * chance 1 - prod (1 - q_i)^n_i that a record is in a sample at all. The losses of a record that never is are 0.
 *
 * Source: derived; by a coupling, in which the two runs are the same unless the record is drawn.
 */
export function logEverSampled(samples: readonly SampleGroup[]): number {
  const never = samples.reduce(
    (sum, { rates, count }) => sum + count * Math.log1p(-Math.min(1, rates.rate * MARGIN)),
    0,
  );
  return Math.log(-Math.expm1(never * MARGIN)) + 1e-12;
}
