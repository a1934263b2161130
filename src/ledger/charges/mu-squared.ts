import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import { quotientUp } from '../../numeric/quotient.ts';
import { RoundUp } from '../../numeric/round-up.ts';
import { muOfPure } from '../../privacy/pure-as-gaussian.ts';
import { epsilonDeltaOf } from '../../privacy/pure-guarantee.ts';
import type { Guarantee } from '../core/guarantee.ts';

const DIGITS = 17;
const UP = 0;

/** (sensitivity / sigma)^2 of Gaussian noise, the quotient rounded up at 60 digits. */
export const squaredRatioUp = ({ sensitivity, sigma }: { sensitivity: Decimal; sigma: Decimal }): Decimal =>
  quotientUp(sensitivity.times(sensitivity), sigma.times(sigma));

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
  switch (guarantee.type) {
    case 'gdp':
      return guarantee.mu.times(guarantee.mu);
    case 'gaussian':
      return squaredRatioUp(guarantee);
    case 'dp':
    case 'bounded-range':
    case 'laplace':
    case 'discrete-laplace':
    case 'finite-pair': {
      const { epsilon, delta } = epsilonDeltaOf(guarantee);
      return delta.isZero() ? ofPure(epsilon) : null;
    }
    case 'discrete-gaussian':
    case 'zcdp':
    case 'approximate-zcdp':
    case 'rdp':
    case 'approximate-rdp':
      return null;
  }
}
