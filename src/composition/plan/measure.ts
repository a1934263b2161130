import type { Entry } from '../../privacy/mechanism.ts';
import { epsilonDeltaOf, hasPurePart, hasTradeOff, isZeroLoss } from '../../privacy/mechanisms/records.ts';
import type { Setting } from '../core/setting.ts';

/**
 * By which of its guarantees a mechanism enters a composition theorem: (e, 0)-DP, (e, d)-DP, Renyi DP or its trade-off
 * function; any: it answers once, so that theorems on lists of mechanisms hold for it as it is; alone: it composes with
 * nothing, so that its trade-off function holds by definition; nothing: it says nothing.
 */
export type Measure = 'nothing' | 'any' | 'alone' | 'pure' | 'approximate' | 'renyi' | 'f-dp';

/**
 * The guarantee by which an interactive or continual mechanism enters in a setting: a trade-off function needs finite
 * communication and adaptive adversaries.
 */
export function measureOf(entry: Entry, setting: Setting): Measure {
  const { mechanism, kind } = entry;
  if (isZeroLoss(mechanism)) return 'nothing';
  if (kind === 'noninteractive') return 'any';
  const tradeOff = setting.finiteCommunication === 'stated' && setting.adaptiveAdversary !== 'denied';
  if (hasTradeOff(mechanism) && tradeOff) return 'f-dp';
  if (!hasPurePart(mechanism)) return 'renyi';
  return isPure(entry) ? 'pure' : 'approximate';
}

/** Whether a mechanism is (e, 0)-DP for some e. */
export const isPure = ({ mechanism }: Pick<Entry, 'mechanism'>): boolean =>
  hasPurePart(mechanism) && epsilonDeltaOf(mechanism).delta.isZero();
