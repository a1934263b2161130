import { momentOf } from '../../bounds/renyi-entries.ts';
import { Decimal, toUpper } from '../../numeric/decimal.ts';
import { divide } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type UpperBound } from '../../numeric/enclosure.ts';
import { RoundUp } from '../../numeric/round-up.ts';
import { decimalAbove } from '../../numeric/short-decimal.ts';
import type { BoundedRange, ApproximateDp, MechanismKind, Rdp } from '../../privacy/mechanism.ts';
import type { Guarantee } from '../guarantee.ts';
import { epsilonDeltaOf } from './approximate-dp-of.ts';
import { launchedEntry } from './launched-entry.ts';
import { squaredRatioUp } from './mu-squared.ts';

/** The Renyi epsilon at an order, and the d of an approximate guarantee. */
export interface RenyiDelta {
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/** An order alpha > 1 of the Renyi divergence. */
export interface RenyiOrder {
  readonly alpha: Decimal;
  /** alpha - 1, rounded up. */
  readonly lambda: UpperBound;
}

export const renyiOrder = (alpha: Decimal): RenyiOrder => ({ alpha, lambda: toUpper(alpha.minus(1)) });

const ZERO = new Decimal(0);
const HALF = new Decimal('0.5');

const renyi = (epsilon: Decimal, delta = ZERO): RenyiDelta => ({ epsilon, delta });
/** alpha mu^2 / 2, rounded up beyond 2,500 digits. */
const ofGaussian =
  (muSquared: Decimal) =>
  ({ alpha }: RenyiOrder): RenyiDelta =>
    renyi(new Decimal(new RoundUp(muSquared).times(HALF).times(alpha)));
/** Beyond this the moments overflow; every Renyi epsilon of an (e, 0)-DP mechanism is at most e. */
const LARGEST = 1e150;

/** The divergence of order 1 + lambda, which grows with the order; at most e. */
function ofLosses(mechanism: ApproximateDp | BoundedRange, kind: MechanismKind): (lambda: UpperBound) => Decimal {
  const { epsilon } = mechanism;
  if (epsilon.isZero() || epsilon.gt(LARGEST)) return () => epsilon;
  const moment = momentOf(launchedEntry(mechanism, kind));
  return (lambda) => {
    if (lambda > LARGEST) return epsilon;
    const { upper } = divide(moment(lambda), exactly(lambda));
    return Number.isFinite(upper) ? Decimal.min(epsilon, decimalAbove(upper)) : epsilon;
  };
}

/** The smallest epsilon declared at an order of at least alpha, as the divergence grows with the order. */
function declaredAt({ orders }: Rdp, alpha: Decimal): Decimal | null {
  const above = orders.filter((order) => order.alpha.gte(alpha));
  return above.length === 0 ? null : Decimal.min(...above.map(({ epsilon }) => epsilon));
}

/**
 * The Renyi epsilon of a mechanism as a function of the order alpha > 1, with the d of what is (e, d)-DP, which is
 * d-approximate Renyi DP; rounded up where it is not a short decimal. Null where nothing is known, as with guarantees at
 * lower orders only.
 *
 * (e, 0)-DP: that of randomized response [Mironov 2017, Prop 6]; bounded range with one answer: the supremum over its
 * family [Dong, Durfee, Rogers 2020, Thm 5, in closed form]; rho-zCDP: alpha rho, Gaussian noise and mu-GDP:
 * alpha mu^2 / 2.
 */
export function renyiOf(guarantee: Guarantee, kind: MechanismKind): (order: RenyiOrder) => RenyiDelta | null {
  switch (guarantee.type) {
    case 'zcdp':
      return ({ alpha }) => renyi(guarantee.rho.times(alpha));
    case 'approximate-zcdp':
      return ({ alpha }) => renyi(guarantee.rho.times(alpha), guarantee.delta);
    case 'gdp':
      return ofGaussian(guarantee.mu.times(guarantee.mu));
    case 'gaussian':
    case 'discrete-gaussian':
      return ofGaussian(squaredRatioUp(guarantee));
    case 'rdp':
      return ({ alpha }) => {
        const epsilon = declaredAt(guarantee, alpha);
        return epsilon && renyi(epsilon);
      };
    case 'approximate-rdp':
      return ({ alpha }) => (guarantee.alpha.gte(alpha) ? guarantee : null);
    case 'bounded-range': {
      const at = ofLosses(guarantee, kind);
      return ({ lambda }) => renyi(at(lambda));
    }
    case 'dp':
    case 'laplace':
    case 'discrete-laplace':
    case 'finite-pair': {
      const { epsilon, delta } = epsilonDeltaOf(guarantee);
      const at = ofLosses({ type: 'dp', epsilon, delta: ZERO }, kind);
      return ({ lambda }) => renyi(at(lambda), delta);
    }
  }
}
