import type { Entry } from '../../privacy/mechanism.ts';
import type { Context } from './resolved-node.ts';
import type { Place } from '../core/uncovered.ts';

/** Every entry `times` as often; more than 2^53 - 1 of one are reported as uncovered. */
export function multiplied(
  entries: readonly Entry[],
  times: number,
  place: Place,
  { uncovered }: Context,
): readonly Entry[] {
  if (times === 0) return [];
  const all = entries.map((entry) => ({ ...entry, count: entry.count * times }));
  if (all.every(({ count }) => count <= Number.MAX_SAFE_INTEGER)) return all;
  uncovered({ code: 'too-many-mechanisms', ...place });
  return entries;
}
