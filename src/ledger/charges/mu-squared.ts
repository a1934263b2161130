import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import type { UpperBound } from '../../numeric/enclosure.ts';
import { RoundUp } from '../../numeric/round-up.ts';
import { muOfFinitePair } from '../../privacy/finite-pair-as-gaussian.ts';
import type { MechanismKind } from '../../privacy/mechanism.ts';
import { muOfPure } from '../../privacy/pure.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import { isMechanism, type Guarantee } from '../core/guarantee.ts';
import { approximateDpOf } from './entries.ts';

const DIGITS = 17;
const UP = 0;

/** mu^2 of what has the Renyi divergences of Gaussian noise, rounded up where it is not a short decimal; null of others. */
export const squareAbove = (guarantee: Guarantee): Decimal | null =>
  isMechanism(guarantee) ? (recordOf(guarantee).muSquared?.above(guarantee) ?? null) : null;

/** mu^2, rounded up at 17 digits. */
function squared(value: UpperBound): Decimal {
  const mu = new RoundUp(decimalFromDouble(value));
  return new Decimal(mu.times(mu).toSignificantDigits(DIGITS, UP));
}

/**
 * mu^2 of a mechanism that is mu-Gaussian DP: (sensitivity / sigma)^2 of Gaussian noise, and of (e, 0)-DP with
 * mu = -2 Phi^-1(1 / (1 + e^e)), rounded up where it is not a short decimal. Null where none is known: discrete Gaussian
 * noise, (e, d)-DP with d > 0, Renyi guarantees.
 */
export function muSquaredOf(guarantee: Guarantee): Decimal | null {
  if (guarantee.type === 'gdp' || guarantee.type === 'gaussian') return squareAbove(guarantee);
  const pure = approximateDpOf(guarantee);
  return pure?.delta.isZero() === true ? squared(muOfPure(pure.epsilon)) : null;
}

/**
 * As {@link muSquaredOf}, or less: a finite pair that answers once is charged by its trade-off function. One with more than one answer
 * is charged by its largest loss, as only (e, d)-DP holds for it without finite communication (Henzinger, Safavi, Vadhan 2025,
 * Theorem 12.4 and Corollary 14.10).
 */
export function leastMuSquaredOf(guarantee: Guarantee, kind: MechanismKind): Decimal | null {
  const byLoss = muSquaredOf(guarantee);
  if (byLoss === null || guarantee.type !== 'finite-pair' || kind !== 'noninteractive') return byLoss;
  const mu = muOfFinitePair(guarantee);
  return mu === null ? byLoss : Decimal.min(byLoss, squared(mu));
}
