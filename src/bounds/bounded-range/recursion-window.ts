import type { Grid } from './adaptive-grid.ts';
import type { GridPairs } from './grid-pairs.ts';

/** How far single pairs' joint loss moves the state; the largest loss in steps. */
export type Spread = Pick<GridPairs, 'largest' | 'mean' | 'variance'>;

/** The moves that are played, on one grid of states: bounded-range parameters, then single pairs. */
export interface Moves {
  readonly grid: Grid;
  readonly pairs: readonly Spread[];
  /** Deviations (of e / 2 for bounded range) beyond the mean that are kept. */
  readonly deviations: number;
}

/** How many states, on each side of 0, are kept of a set of mechanisms, counted move by move. */
export function windowSize({ grid, pairs, deviations }: Moves, counts: readonly number[]): number {
  const { step, parameters } = grid;
  let [total, drift, variance, largest] = [0, 0, 0, 0];
  parameters.forEach(({ cells, fraction }, p) => {
    const count = counts[p]!;
    if (count === 0) return;
    const e = (cells + fraction) * step;
    total += count * e;
    drift += (count * e * e) / 8;
    variance += (count * e * e) / 4;
    largest = Math.max(largest, e);
  });
  pairs.forEach((pair, q) => {
    const count = counts[parameters.length + q]!;
    if (count === 0) return;
    total += count * pair.largest * step;
    drift += count * pair.mean;
    variance += count * pair.variance;
  });
  const kept = Math.min(total, drift + deviations * Math.sqrt(variance) + largest);
  return Math.max(1, Math.ceil(kept / step));
}
