import type { Entry } from '../../privacy/mechanism.ts';
import { epsilonDeltaOf } from '../../privacy/pure-guarantee.ts';
import { isZeroLoss } from '../../privacy/zero-loss.ts';
import type { Setting } from '../core/setting.ts';

/**
 * By which of its guarantees a mechanism enters a composition theorem: (e, 0)-DP, (e, d)-DP, Renyi DP or its trade-off
 * function; any: it answers once, so that theorems on lists of mechanisms hold for it as it is; nothing: it says nothing.
 */
export type Measure = 'nothing' | 'any' | 'pure' | 'approximate' | 'renyi' | 'f-dp';

/**
 * The guarantee by which an interactive or continual mechanism enters in a setting: a trade-off function needs finite
 * communication and adaptive adversaries.
 */
export function measureOf(entry: Entry, setting: Setting): Measure {
  const { mechanism, kind } = entry;
  if (isZeroLoss(mechanism)) return 'nothing';
  if (kind === 'noninteractive') return 'any';
  const tradeOff = setting.finiteCommunication === 'stated' && setting.adaptiveAdversary !== 'denied';
  switch (mechanism.type) {
    case 'dp':
      return mechanism.delta.isZero() ? 'pure' : 'approximate';
    case 'bounded-range':
      return 'pure';
    case 'laplace':
    case 'discrete-laplace':
      return tradeOff ? 'f-dp' : 'pure';
    case 'gaussian':
    case 'discrete-gaussian':
    case 'gdp':
      return tradeOff ? 'f-dp' : 'renyi';
    case 'zcdp':
    case 'rdp':
      return 'renyi';
    case 'finite-pair':
      return tradeOff ? 'f-dp' : isPure(entry) ? 'pure' : 'approximate';
  }
}

/** Whether a mechanism is (e, 0)-DP for some e. */
export function isPure({ mechanism }: Entry): boolean {
  switch (mechanism.type) {
    case 'dp':
      return mechanism.delta.isZero();
    case 'bounded-range':
    case 'laplace':
    case 'discrete-laplace':
      return true;
    case 'gaussian':
    case 'discrete-gaussian':
    case 'gdp':
    case 'zcdp':
    case 'rdp':
      return false;
    case 'finite-pair':
      return epsilonDeltaOf(mechanism).delta.isZero();
  }
}
