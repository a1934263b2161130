import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import { RoundUp } from '../../numeric/round-up.ts';
import { muOfPure } from '../../privacy/pure-as-gaussian.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import { isMechanism, type Guarantee } from '../core/guarantee.ts';
import { approximateDpOf } from './approximate-dp-of.ts';

const DIGITS = 17;
const UP = 0;

/** mu^2 of what has the Renyi divergences of Gaussian noise, rounded up where it is not a short decimal; null of others. */
export const squareAbove = (guarantee: Guarantee): Decimal | null =>
  isMechanism(guarantee) ? (recordOf(guarantee).muSquared?.above(guarantee) ?? null) : null;

/** mu^2 of (e, 0)-DP, rounded up at 17 digits. */
function ofPure(epsilon: Decimal): Decimal {
  const mu = new RoundUp(decimalFromDouble(muOfPure(epsilon)));
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
  return pure?.delta.isZero() === true ? ofPure(pure.epsilon) : null;
}
