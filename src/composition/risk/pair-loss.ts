import { outOfScale } from '../../bounds/loss-distribution/loss-distribution.ts';
import { pairsOf, WITH_PAIR, type Pairs, type WithPair } from '../../bounds/loss-distribution/pair-entries.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Direction } from '../../privacy/sampling/sampled-law.ts';

const hasPair = (entry: Entry): entry is Entry<WithPair> => WITH_PAIR.some((type) => type === entry.mechanism.type);

/**
 * The losses of mechanisms that have pairs of their own, those pairs in one order of the neighbours; null where they are
 * out of the range in which they are computed.
 */
export function pairLosses(entries: readonly Entry[], direction: Direction): Pairs | null {
  const all = entries.filter(hasPair);
  if (all.length < entries.length || outOfScale(all)) return null;
  return pairsOf(all, { way: direction === 'remove' ? 'forward' : 'backward', direction });
}
