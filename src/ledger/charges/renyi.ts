import { Decimal, toUpper } from '../../numeric/decimal.ts';
import { divide } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, relativeWidth, type UpperBound } from '../../numeric/enclosure.ts';
import { productUp, RoundUp } from '../../numeric/round-up.ts';
import { decimalAbove } from '../../numeric/short-decimal.ts';
import type { MechanismKind, Rdp, Sampled } from '../../privacy/mechanism.ts';
import { epsilonDeltaOf, hasPurePart, momentOf, type WithPurePart } from '../../privacy/mechanisms/records.ts';
import { pureEpsilonOfRdp } from '../../privacy/mechanisms/guarantees.ts';
import type { Guarantee } from '../core/guarantee.ts';
import { launchedEntry, failureAbove, largestLossOfSample, squareAbove, rhoOf } from './rho.ts';
import { Arithmetic, type Interval } from '../../bounds/precise/interval.ts';

const SHOWN_DIGITS = 20;
const UP = 0;
const a = new Arithmetic(28);
const TWO = a.of(2);

/** From here on e tanh(e / 2), which no order is below, is e up to a share of 1e-86. */
const LARGE = 200;
/** At least e^-200. */
const NEGLIGIBLE = a.of('1e-86');
/** A term of this share of a sum no longer counts. */
const SMALL_TERM = '1e-28';
/** Below this five terms of ln(1 + x) leave a share of 1e-20. */
const SMALL = '1e-4';

/** e^x and e^-x. */
function exponentials(x: Interval): readonly [Interval, Interval] {
  const growth = a.exponential(x);
  return [growth, a.divide(a.one, growth)];
}

/** sinh x for x >= 0; for x <= 1 by its series, whose terms fall to a sixth or less of the one before. */
function sinh(x: Interval): Interval {
  if (x.upper.gt(1)) {
    const [growth, decay] = exponentials(x);
    return a.divide(a.subtract(growth, decay), TWO);
  }
  const square = a.square(x);
  let [term, sum] = [x, x];
  for (let n = 2; term.upper.gt(sum.upper.times(SMALL_TERM)); n += 2) {
    term = a.divide(a.multiply(term, square), a.of(n * (n + 1)));
    sum = a.add(sum, term);
  }
  return { lower: sum.lower, upper: sum.upper.plus(term.upper) };
}

/** At least ln(1 + x) for x >= 0: the series alternates, and ends with a positive term. */
function logarithmAbove(x: Decimal): Decimal {
  const exact = a.of(x);
  if (x.gt(SMALL)) return a.log1p(exact).upper;
  const inner = [4, 3, 2].reduce(
    (sum, n) => a.subtract(a.divide(a.one, a.of(n)), a.multiply(exact, sum)),
    a.divide(a.one, a.of(5)),
  );
  return a.multiply(exact, a.subtract(a.one, a.multiply(exact, inner))).upper;
}

/** (1 / (alpha - 1)) ln(1 + 2 sinh(alpha e / 2) sinh((alpha - 1) e / 2) / cosh(e / 2)). */
function nearZero(e: Interval, alpha: Interval, lambda: Interval): Decimal {
  const half = a.divide(e, TWO);
  const [growth, decay] = exponentials(half);
  const twiceCosh = a.add(growth, decay);
  const sinhs = a.multiply(sinh(a.multiply(alpha, half)), sinh(a.multiply(lambda, half)));
  const { upper } = a.divide(a.multiply(a.of(4), sinhs), twiceCosh);
  return a.divide(a.of(logarithmAbove(upper)), lambda).upper;
}

/** e - (ln(1 + x) - ln(1 + y)) / (alpha - 1), x = e^-e, for y = e^(-(2 alpha - 1) e) of at most e^-200. */
function farOut(e: Interval, lambda: Interval): Decimal {
  const saved = a.subtract(a.log1p(a.exponential(a.negate(e))), NEGLIGIBLE);
  return a.subtract(e, a.divide(saved, lambda)).upper;
}

/**
 * The largest Renyi divergence of order alpha > 1 of an (epsilon, 0)-DP mechanism, that of randomized response:
 *
 * D = ln(cosh((alpha - 1/2) e) / cosh(e / 2)) / (alpha - 1),
 *
 * rounded up at 20 digits, and at most epsilon: never below the truth, and at most a share of 1e-15 above it, however small
 * epsilon and alpha - 1 are.
 *
 * Accuracy: by cosh A - cosh B = 2 sinh((A + B) / 2) sinh((A - B) / 2) the quotient is 1 + X with X =
 * 2 sinh(alpha e / 2) sinh((alpha - 1) e / 2) / cosh(e / 2), in which nothing cancels. Where (2 alpha - 1) e is above 200,
 * D = e - (ln(1 + e^-e) - ln(1 + e^(-(2 alpha - 1) e))) / (alpha - 1), whose last term is nothing. In intervals of 28 digits.
 *
 * Source: Mironov, "Renyi differential privacy" (2017), Proposition 6, rearranged.
 */
export function pureRenyi(epsilon: Decimal, alpha: Decimal): Decimal {
  if (epsilon.gte(LARGE) || epsilon.isZero()) return epsilon;
  const [e, order] = [a.of(epsilon), a.of(alpha)];
  const lambda = a.subtract(order, a.one);
  const span = a.multiply(e, a.add(order, lambda));
  const divergence = span.lower.gt(LARGE) ? farOut(e, lambda) : nearZero(e, order, lambda);
  return Decimal.min(epsilon, divergence.toSignificantDigits(SHOWN_DIGITS, UP));
}

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
