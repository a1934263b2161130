import type { Entry } from '../privacy/mechanism.ts';
import { hasPurePart, isZeroLoss } from '../privacy/mechanisms/records.ts';
import { muSquaredOf } from './charges/mu-squared.ts';
import type { Terms } from './core/terms.ts';

/**
 * Whether a ledger covers an interactive or continual mechanism only where its communication is finite.
 *
 * (e, d)-DP mechanisms with discrete answers are post-processings of noninteractive ones, and Renyi divergences add up
 * anyway; of a trade-off function that is known under finite communication only (Haney et al. 2023, Theorem 3.4; Henzinger,
 * Safavi, Vadhan 2025, Theorem 12.4, Corollaries 13.8 and 14.10). The rule gdp adds up such functions. Beside mechanisms
 * with d > 0, zcdp-optimal takes noise for what such a function makes of it; known by its rho alone, it is an open question.
 */
export function needsFiniteCommunication({ mechanism, kind }: Entry, terms: Terms): boolean {
  if (kind === 'noninteractive' || isZeroLoss(mechanism)) return false;
  if (terms.concurrency === 'sequential' || terms.mode === 'compositor') return false;
  const { rule } = terms;
  if (rule.id === 'gdp') return muSquaredOf(mechanism) !== null && !hasPurePart(mechanism);
  const isBesideFailures = rule.id === 'zcdp-optimal' && rule.deltaPrime.lt(rule.delta);
  return isBesideFailures && !['dp', 'zcdp', 'rdp'].includes(mechanism.type);
}
