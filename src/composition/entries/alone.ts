import { hasTradeOff, isZeroLoss } from '../../privacy/mechanisms/records.ts';
import type { Entry } from '../../privacy/mechanism.ts';

/**
 * The same mechanisms, of which one that is run alone counts as one that answers once: what it answers is the view of
 * its adversary. A trade-off function is declared of the two views of every adaptive adversary, so alone its curve holds
 * as it is, and nothing is asked of its communication.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Definition 14.6; interactive: Haney et al. (2023), Definition 2.2.
 */
export function withOneAnswer(entries: readonly Entry[]): readonly Entry[] {
  const [only, ...others] = entries.filter(({ mechanism }) => !isZeroLoss(mechanism));
  if (only === undefined || others.length > 0 || only.count > 1 || !hasTradeOff(only.mechanism)) return entries;
  return entries.map((entry) => (entry === only ? { ...only, kind: 'noninteractive' } : entry));
}
