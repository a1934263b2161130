import { composeLattices } from './compose-lattices.ts';
import type { LatticeMeasure } from './lattice-measure.ts';

/** The sum of `count` >= 1 independent losses of the same law, by repeated doubling. */
export function latticePower(measure: LatticeMeasure, count: number): LatticeMeasure {
  let result: LatticeMeasure | null = null;
  let doubled = measure;
  for (let rest = count; ; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result ? composeLattices(result, doubled) : doubled;
    if (rest < 2) return result ?? doubled;
    doubled = composeLattices(doubled, doubled);
  }
}

/** The sum of several independent losses on one lattice, composed pairwise: few large transforms instead of many. */
export function composeAll(measures: readonly LatticeMeasure[]): LatticeMeasure {
  let level = measures;
  while (level.length > 1) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => {
      const [a, b] = [level[2 * i]!, level[2 * i + 1]];
      return b ? composeLattices(a, b) : a;
    });
  }
  return level[0]!;
}
