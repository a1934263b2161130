import { pureKl } from '../../bounds/advanced.ts';
import { Decimal, encloseDecimal } from '../../numeric/decimal.ts';
import { decimalAbove } from '../../numeric/short-decimal.ts';
import type { MechanismKind } from '../../privacy/mechanism.ts';
import type { Guarantee } from '../guarantee.ts';
import { epsilonDeltaOf } from './approximate-dp-of.ts';
import { squaredRatioUp } from './mu-squared.ts';

/** rho, and the d of an approximate guarantee. */
export interface RhoDelta {
  readonly rho: Decimal;
  readonly delta: Decimal;
}

const ZERO = new Decimal(0);
const HALF = new Decimal('0.5');
const EIGHTH = new Decimal('0.125');

/**
 * e tanh(e / 2), rounded up at 17 digits: the zCDP parameter of (e, 0)-DP, at most e^2 / 2.
 *
 * [derived] Randomized response, which dominates, has the divergence of order a
 * D_a = ln(cosh((a - 1/2) e) / cosh(e / 2)) / (a - 1). ln cosh(e sqrt(s)) is concave in s, since its derivative is a
 * multiple of tanh(y) / y at y = e sqrt(s), which decreases; so from s = 1/4 to (a - 1/2)^2 = 1/4 + a (a - 1) it grows by
 * at most a (a - 1) e tanh(e / 2), its slope at s = 1/4 times the distance. Hence D_a <= a e tanh(e / 2), with equality as
 * a tends to 1.
 */
export const rhoOfPure = (epsilon: Decimal): Decimal =>
  epsilon.isZero() ? ZERO : decimalAbove(pureKl(encloseDecimal(epsilon)).upper);

/**
 * The zCDP parameter of a mechanism, with the d of what is (e, d)-DP: it is d-approximate zCDP, since it is a
 * post-processing of randomized response that reveals everything with probability d. Null where there is none, as with
 * Renyi guarantees at single orders.
 *
 * (e, 0)-DP: e tanh(e / 2); bounded range: e^2 / 8 where there is one answer [Cesar, Rogers 2021, Lemma 3.4], or the
 * former where that is less; Gaussian noise, discrete or not, and mu-GDP: mu^2 / 2 [Bun, Steinke 2016, Prop 1.6; Canonne,
 * Kamath, Steinke 2020, Thm 4]. Rounded up where it is not a short decimal.
 */
export function rhoOf(guarantee: Guarantee, kind: MechanismKind): RhoDelta | null {
  switch (guarantee.type) {
    case 'zcdp':
      return { rho: guarantee.rho, delta: ZERO };
    case 'approximate-zcdp':
      return guarantee;
    case 'gdp':
      return { rho: guarantee.mu.times(guarantee.mu).times(HALF), delta: ZERO };
    case 'gaussian':
    case 'discrete-gaussian':
      return { rho: squaredRatioUp(guarantee).times(HALF), delta: ZERO };
    case 'bounded-range': {
      const pure = rhoOfPure(guarantee.epsilon);
      const square = guarantee.epsilon.times(guarantee.epsilon).times(EIGHTH);
      return { rho: kind === 'noninteractive' ? Decimal.min(square, pure) : pure, delta: ZERO };
    }
    case 'dp':
    case 'laplace':
    case 'discrete-laplace':
    case 'finite-pair': {
      const { epsilon, delta } = epsilonDeltaOf(guarantee);
      return { rho: rhoOfPure(epsilon), delta };
    }
    case 'rdp':
    case 'approximate-rdp':
      return null;
  }
}
