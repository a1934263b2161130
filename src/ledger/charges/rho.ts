import type { Entry, Mechanism, MechanismKind, Sampled } from '../../privacy/mechanism.ts';
import { failureOf } from '../../bounds/core/entries.ts';
import { Decimal, decimalFromDouble, encloseDecimal } from '../../numeric/decimal.ts';
import { largestSampledLoss } from '../../privacy/sampling/largest-loss.ts';
import type { EpsilonDelta } from '../../privacy/mechanisms/record.ts';
import {
  epsilonDeltaOf,
  hasPurePart,
  recordOf,
  rhoOf as rhoOfMechanism,
  type WithPurePart,
} from '../../privacy/mechanisms/records.ts';
import { isMechanism, type Guarantee } from '../core/guarantee.ts';
import { type UpperBound, asUpper } from '../../numeric/enclosure.ts';
import { RoundUp, productUp } from '../../numeric/round-up.ts';
import { muOfFinitePair } from '../../privacy/finite-pair-as-gaussian.ts';
import { decimalAbove } from '../../numeric/short-decimal.ts';
import { muOfPure, pureKl } from '../../privacy/pure.ts';

/** One mechanism as the bounds take it. */
export const launchedEntry = (mechanism: Mechanism, kind: MechanismKind): Entry => ({
  mechanism,
  kind,
  count: 1,
  label: null,
});

/** At most the chance of an infinite loss of one mechanism on a sample, rounded up at 40 digits; shorter ones are exact. */
export const failureAbove = (mechanism: Sampled): Decimal =>
  failureOf([launchedEntry(mechanism, 'noninteractive')]).upper.toSignificantDigits(DIGITS, UP);

const DIGITS = 40;
const UP = 0;

/**
 * An e for which a mechanism on a sample is (e, 0)-DP, rounded up; null where its losses have no bound,
 * and for pairs of one direction.
 */
export function largestLossOfSample(mechanism: Sampled): Decimal | null {
  const { of } = mechanism;
  if (of.type === 'finite-pair' && of.direction === 'fixed') return null;
  const [remove, add] = [largestSampledLoss(mechanism, 'remove'), largestSampledLoss(mechanism, 'add')];
  return remove === null || add === null ? null : Decimal.max(remove, add);
}

/** As epsilonDeltaOf; null where no single (e, d) is behind a guarantee, as with Gaussian noise. */
export const approximateDpOf = (guarantee: Guarantee): EpsilonDelta | null =>
  isMechanism(guarantee) && hasPurePart(guarantee) ? epsilonDeltaOf(guarantee) : null;

const MU_DIGITS = 17;

/** mu^2 of what has the Renyi divergences of Gaussian noise, rounded up where it is not a short decimal; null of others. */
export const squareAbove = (guarantee: Guarantee): Decimal | null =>
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

/** rho, and the d of an approximate guarantee. */
export interface RhoDelta {
  readonly rho: Decimal;
  readonly delta: Decimal;
}

const ZERO = new Decimal(0);
const HALF = new Decimal('0.5');
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
  if (hasPurePart(guarantee)) return rhoOfLosses(guarantee, kind);
  const square = squareAbove(guarantee);
  return square && { rho: productUp(square, HALF), delta: ZERO };
}
