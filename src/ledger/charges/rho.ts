import { Decimal, encloseDecimal } from '../../numeric/decimal.ts';
import { asUpper } from '../../numeric/enclosure.ts';
import { productUp } from '../../numeric/round-up.ts';
import { decimalAbove } from '../../numeric/short-decimal.ts';
import type { MechanismKind, Sampled } from '../../privacy/mechanism.ts';
import {
  epsilonDeltaOf,
  hasPurePart,
  rhoOf as rhoOfMechanism,
  type WithPurePart,
} from '../../privacy/mechanisms/records.ts';
import { isMechanism, type Guarantee } from '../core/guarantee.ts';
import { pureKl } from '../../privacy/pure.ts';
import { failureAbove, launchedEntry, largestLossOfSample } from './entries.ts';
import { squareAbove } from './mu-squared.ts';

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
