import { Decimal, toUpper } from '../../numeric/decimal.ts';
import { divide } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, relativeWidth, type UpperBound } from '../../numeric/enclosure.ts';
import { productUp, RoundUp } from '../../numeric/round-up.ts';
import { decimalAbove } from '../../numeric/short-decimal.ts';
import type { MechanismKind, Rdp, Sampled } from '../../privacy/mechanism.ts';
import { epsilonDeltaOf, hasPurePart, momentOf, type WithPurePart } from '../../privacy/mechanisms/records.ts';
import { pureEpsilonOfRdp } from '../../privacy/mechanisms/renyi.ts';
import type { Guarantee } from '../core/guarantee.ts';
import { launchedEntry } from './launched-entry.ts';
import { squareAbove } from './mu-squared.ts';
import { failureAbove } from './failure-above.ts';
import { largestLossOfSample } from './largest-loss-of-sample.ts';
import { pureRenyi } from './pure-renyi.ts';
import { rhoOf } from './rho.ts';

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

export const renyiOrder = (alpha: Decimal): RenyiOrder => ({
  alpha,
  lambda: toUpper(new Decimal(new RoundUp(alpha).minus(1))),
});

const ZERO = new Decimal(0);
const HALF = new Decimal('0.5');

const renyi = (epsilon: Decimal, delta = ZERO): RenyiDelta => ({ epsilon, delta });
/** alpha mu^2 / 2, rounded up beyond 2,500 digits. */
const ofGaussian =
  (muSquared: Decimal) =>
  ({ alpha }: RenyiOrder): RenyiDelta =>
    renyi(productUp(productUp(muSquared, HALF), alpha));
/** Beyond this the moments overflow; every Renyi epsilon of an (e, 0)-DP mechanism is at most e. */
const LARGEST = 1e150;

/** An enclosure of this relative width has lost no digits that count. */
const SHARP = 5e-13;

/** The divergence at an order; where moments lose digits at most that of (e, 0)-DP, which may be its own, and alpha rho. */
function ofLosses(guarantee: WithPurePart, kind: MechanismKind): (order: RenyiOrder) => RenyiDelta {
  const { epsilon, delta } = epsilonDeltaOf(guarantee);
  if (epsilon.isZero() || epsilon.gt(LARGEST)) return () => renyi(epsilon, delta);
  const moment = momentOf(launchedEntry(guarantee, kind));
  const rho = rhoOf(guarantee, kind)?.rho ?? epsilon;
  return ({ alpha, lambda }) => {
    if (lambda > LARGEST) return renyi(epsilon, delta);
    const divergence = divide(moment(lambda), exactly(lambda));
    const own = Number.isFinite(divergence.upper) ? decimalAbove(divergence.upper) : epsilon;
    const others = relativeWidth(divergence) <= SHARP ? [] : [pureRenyi(epsilon, alpha), productUp(rho, alpha)];
    return renyi(Decimal.min(epsilon, own, ...others), delta);
  };
}

/** The divergence at an order, by moments, by alpha rho and by the largest loss, of those that there are; null where there is none. */
function ofSampled(guarantee: Sampled): (order: RenyiOrder) => RenyiDelta | null {
  const moment = momentOf(launchedEntry(guarantee, 'noninteractive'));
  const rho = rhoOf(guarantee, 'noninteractive')?.rho ?? null;
  const delta = failureAbove(guarantee);
  const largest = largestLossOfSample(guarantee);
  return ({ alpha, lambda }) => {
    const { upper } = divide(moment(lambda), exactly(lambda));
    const known = [
      ...(Number.isFinite(upper) ? [decimalAbove(upper)] : []),
      ...(rho === null ? [] : [productUp(rho, alpha)]),
      ...(largest === null ? [] : [pureRenyi(largest, alpha)]),
    ];
    return known.length === 0 ? null : renyi(Decimal.min(...known), delta);
  };
}

/**
 * The smallest epsilon declared at an order of at least alpha, as the divergence grows with the order; one at the infinite
 * order is that of (e, 0)-DP.
 */
function declaredAt(mechanism: Rdp, alpha: Decimal): Decimal | null {
  const above = mechanism.orders.filter((order) => order.alpha.gte(alpha));
  if (above.length === 0) return null;
  const pure = pureEpsilonOfRdp(mechanism);
  const known = above.map(({ epsilon }) => epsilon);
  return Decimal.min(...known, ...(pure === null ? [] : [pureRenyi(pure, alpha)]));
}

/**
 * The Renyi epsilon of a mechanism as a function of the order alpha > 1, with the d of what is (e, d)-DP, or of the infinite
 * losses of a finite pair, which is d-approximate Renyi DP; rounded up where it is not a short decimal. Null where nothing
 * is known, as with guarantees at lower orders only.
 *
 * Each class has its own, see pureRenyi and momentOf; rho-zCDP: alpha rho, Gaussian noise and mu-GDP: alpha mu^2 / 2.
 */
export function renyiOf(guarantee: Guarantee, kind: MechanismKind): (order: RenyiOrder) => RenyiDelta | null {
  if (guarantee.type === 'zcdp' || guarantee.type === 'approximate-zcdp') {
    return ({ alpha }) => renyi(productUp(guarantee.rho, alpha), guarantee.delta);
  }
  if (guarantee.type === 'approximate-rdp') return ({ alpha }) => (guarantee.alpha.gte(alpha) ? guarantee : null);
  if (guarantee.type === 'rdp') {
    return ({ alpha }) => {
      const epsilon = declaredAt(guarantee, alpha);
      return epsilon && renyi(epsilon);
    };
  }
  if (guarantee.type === 'sampled') return ofSampled(guarantee);
  return hasPurePart(guarantee) ? ofLosses(guarantee, kind) : ofGaussian(squareAbove(guarantee)!);
}
