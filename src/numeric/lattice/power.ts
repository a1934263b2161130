import { composeLattices, DIRECT_LIMIT } from './compose.ts';
import type { LatticeMeasure } from './measure.ts';
import { advance, type Watch } from '../watch.ts';

/** How often the lattice is made twice as coarse on the way to the sum of `count` losses: its deviation doubles as often. */
export const coarseningsFor = (count: number): number => Math.floor(Math.log2(count) / 2);

/** Where more than this many copies are still to be made, errors matter that much more. */
const MANY = 4096;
const CAREFUL_LIMIT = 2 ** 26;

/**
 * The sum of `count` >= 1 independent losses of the same law, by repeated doubling; after every second doubling the
 * lattice is made twice as coarse, since the deviation has doubled too. The result's step is 2^coarseningsFor(count)
 * times the measure's.
 */
export function latticePower(
  measure: LatticeMeasure,
  count: number,
  coarsen: (measure: LatticeMeasure) => LatticeMeasure,
  directLimit?: number,
  watch: Watch = {},
): LatticeMeasure {
  let result: LatticeMeasure | null = null;
  let doubled = measure;
  for (let rest = count, doublings = 0; ; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result ? composeLattices(result, doubled, directLimit) : doubled;
    if (rest < 2) return result ?? doubled;
    advance(watch);
    doubled = composeLattices(doubled, doubled, directLimit ?? (rest > MANY ? CAREFUL_LIMIT : DIRECT_LIMIT));
    doublings++;
    if (doublings % 2 === 0) {
      doubled = coarsen(doubled);
      result &&= coarsen(result);
    }
  }
}

/** The sum of several independent losses on one lattice, composed pairwise: few large transforms instead of many. */
export function composeAll(
  measures: readonly LatticeMeasure[],
  directLimit?: number,
  watch: Watch = {},
): LatticeMeasure {
  let level = measures;
  let done = 0;
  while (level.length > 1) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => {
      const [a, b] = [level[2 * i]!, level[2 * i + 1]];
      if (!b) return a;
      const both = composeLattices(a, b, directLimit);
      advance(watch, ++done / (measures.length - 1));
      return both;
    });
  }
  return level[0]!;
}
