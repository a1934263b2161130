import type {
  ApproximateDp,
  Entry,
  Mechanism,
  MechanismKind,
  Sampled,
  Selection,
  Rdp,
} from '../../privacy/mechanism.ts';
import { failureOf } from '../../bounds/core/entries.ts';
import {
  Decimal,
  decimalFromDouble,
  encloseDecimal,
  toUpper,
  ZERO,
  HALF,
  RoundUp,
  productUp,
  decimalAbove,
} from '../../numeric/decimal.ts';
import { largestSampledLoss } from '../../privacy/sampling/largest-loss.ts';
import type { EpsilonDelta } from '../../privacy/mechanisms/record.ts';
import {
  epsilonDeltaOf,
  guaranteeOfSelection,
  hasPurePart,
  recordOf,
  rhoOf as rhoOfMechanism,
  type WithPurePart,
  momentOf,
} from '../../privacy/mechanisms/records.ts';
import { isMechanism, type Guarantee } from './rule.ts';
import { type UpperBound, asUpper, exactly, relativeWidth } from '../../numeric/enclosure.ts';
import { divide } from '../../numeric/enclosure-arithmetic.ts';
import { muOfFinitePair } from '../../privacy/finite-pair.ts';
import { muOfPure, pureKl } from '../../privacy/pure.ts';
import { pureEpsilonOfRdp } from '../../privacy/mechanisms/guarantees.ts';
import { Arithmetic, type Interval } from '../../bounds/precise/interval.ts';

/** One mechanism as the bounds take it. */
export const launchedEntry = (mechanism: Mechanism, kind: MechanismKind): Entry => ({
  mechanism,
  kind,
  count: 1,
  label: null,
});

/** At most the chance of an infinite loss of one mechanism on a sample, rounded up at 40 digits; shorter ones are exact. */
const failureAbove = (mechanism: Sampled): Decimal =>
  failureOf([launchedEntry(mechanism, 'noninteractive')]).upper.toSignificantDigits(DIGITS, UP);

const DIGITS = 40;
const UP = 0;

/**
 * An e for which a mechanism on a sample is (e, 0)-DP, rounded up; null where its losses have no bound,
 * and for pairs of one direction.
 */
function largestLossOfSample(mechanism: Sampled): Decimal | null {
  const { of } = mechanism;
  if (of.type === 'finite-pair' && of.direction === 'fixed') return null;
  const [remove, add] = [largestSampledLoss(mechanism, 'remove'), largestSampledLoss(mechanism, 'add')];
  return remove === null || add === null ? null : Decimal.max(remove, add);
}

/** As epsilonDeltaOf; null where no single (e, d) is behind a guarantee, as with Gaussian noise. */
export function approximateDpOf(guarantee: Guarantee): EpsilonDelta | null {
  if (guarantee.type === 'selection') return guaranteeOfSelection(guarantee);
  return isMechanism(guarantee) && hasPurePart(guarantee) ? epsilonDeltaOf(guarantee) : null;
}

/** A selection whose runs are (e, d)-DP, as its own (e, d)-DP; null of others. */
function selectionAsDp(selection: Selection): ApproximateDp | null {
  const guarantee = guaranteeOfSelection(selection);
  return guarantee && { type: 'dp', ...guarantee };
}

const MU_DIGITS = 17;

/** mu^2 of what has the Renyi divergences of Gaussian noise, rounded up where it is not a short decimal; null of others. */
const squareAbove = (guarantee: Guarantee): Decimal | null =>
  isMechanism(guarantee) ? (recordOf(guarantee).muSquared?.above(guarantee) ?? null) : null;

/** mu^2, rounded up at 17 digits. */
function squared(value: UpperBound): Decimal {
  const mu = new RoundUp(decimalFromDouble(value));
  return new Decimal(mu.times(mu).toSignificantDigits(MU_DIGITS, UP));
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

interface RhoDelta {
  readonly rho: Decimal;
  readonly delta: Decimal;
}

const EIGHTH = new Decimal('0.125');

/** e^2 times this is at least rho: of bounded range (Cesar, Rogers 2021, Lemma 3.4), of (e, 0)-DP. */
const ofSquare = ({ type }: WithPurePart): Decimal => (type === 'bounded-range' ? EIGHTH : HALF);

/** Rounded up at 17 digits, or the square above it where that is less. */
function rhoOfLosses(guarantee: WithPurePart, kind: MechanismKind): RhoDelta {
  const { epsilon, delta } = epsilonDeltaOf(guarantee);
  if (epsilon.isZero()) return { rho: ZERO, delta };
  const square = productUp(productUp(epsilon, epsilon), ofSquare(guarantee));
  const rho = rhoOfMechanism(launchedEntry(guarantee, kind))!;
  return { rho: Decimal.min(square, decimalAbove(rho.upper)), delta };
}

/** That of the mechanism on all data, or of its largest loss on a sample, with the chance of infinite losses on one. */
function rhoOfSampled(guarantee: Sampled): RhoDelta | null {
  const whole = rhoOfMechanism(launchedEntry(guarantee, 'noninteractive'))?.upper ?? Infinity;
  const largest = largestLossOfSample(guarantee);
  const pure = largest === null ? Infinity : pureKl(encloseDecimal(largest)).upper;
  const rho = Math.min(whole, pure);
  return Number.isFinite(rho) ? { rho: decimalAbove(asUpper(rho)), delta: failureAbove(guarantee) } : null;
}

/**
 * The zCDP parameter of a mechanism, with the d of what is (e, d)-DP, or of the infinite losses of a finite pair: it is
 * d-approximate zCDP, since it is a post-processing of a mechanism that reveals everything with probability d. Null where
 * there is none, as with Renyi guarantees at single orders.
 *
 * Each class has its exact parameter, see the rhoOf of mechanisms. Gaussian noise, discrete or not, and mu-GDP: mu^2 / 2
 * [Bun, Steinke 2016, Prop 1.6; Canonne, Kamath, Steinke 2020, Thm 4]. Rounded up where it is not a short decimal.
 */
export function rhoOf(guarantee: Guarantee, kind: MechanismKind): RhoDelta | null {
  if (guarantee.type === 'zcdp') return { rho: guarantee.rho, delta: guarantee.delta ?? ZERO };
  if (guarantee.type === 'approximate-zcdp') return guarantee;
  if (!isMechanism(guarantee)) return null;
  if (guarantee.type === 'sampled') return rhoOfSampled(guarantee);
  if (guarantee.type === 'selection') {
    const dp = selectionAsDp(guarantee);
    return dp && rhoOf(dp, kind);
  }
  if (hasPurePart(guarantee)) return rhoOfLosses(guarantee, kind);
  const square = squareAbove(guarantee);
  return square && { rho: productUp(square, HALF), delta: ZERO };
}

const SHOWN_DIGITS = 20;
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

interface RenyiDelta {
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/** An order alpha > 1 of the Renyi divergence. */
interface RenyiOrder {
  readonly alpha: Decimal;
  /** alpha - 1, rounded up. */
  readonly lambda: UpperBound;
}

export const renyiOrder = (alpha: Decimal): RenyiOrder => ({
  alpha,
  lambda: toUpper(new Decimal(new RoundUp(alpha).minus(1))),
});

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
    const bounds = [
      ...(Number.isFinite(upper) ? [decimalAbove(upper)] : []),
      ...(rho === null ? [] : [productUp(rho, alpha)]),
      ...(largest === null ? [] : [pureRenyi(largest, alpha)]),
    ];
    return bounds.length === 0 ? null : renyi(Decimal.min(...bounds), delta);
  };
}

/** The divergence at an order, by moments and by the guarantee of a selection. */
function ofSelection(guarantee: Selection): (order: RenyiOrder) => RenyiDelta | null {
  const dp = selectionAsDp(guarantee);
  if (dp !== null) return renyiOf(dp, 'noninteractive');
  const entry = launchedEntry(guarantee, 'noninteractive');
  const moment = momentOf(entry);
  const delta = failureOf([entry]).upper.toSignificantDigits(DIGITS, UP);
  return ({ lambda }) => {
    const { upper } = divide(moment(lambda), exactly(lambda));
    return Number.isFinite(upper) ? renyi(decimalAbove(upper), delta) : null;
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
  const epsilons = above.map(({ epsilon }) => epsilon);
  return Decimal.min(...epsilons, ...(pure === null ? [] : [pureRenyi(pure, alpha)]));
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
  if (guarantee.type === 'selection') return ofSelection(guarantee);
  return hasPurePart(guarantee) ? ofLosses(guarantee, kind) : ofGaussian(squareAbove(guarantee)!);
}
