import { Decimal, decimalFromDouble, exactUpper, toUpper } from '../../numeric/decimal.ts';
import { approximateQuantile } from '../../numeric/normal-quantile.ts';
import { asUpper, type Bracket } from '../../numeric/enclosure.ts';
import type { Answer } from '../core/outcome.ts';
import type { Profile } from './profile.ts';

const [LEAST, MOST] = [1e-300, 1 - Number.EPSILON / 2];

/** About the x beyond which a normal variable is with probability p. */
const quantile = (p: number): number => -approximateQuantile(Math.min(MOST, Math.max(LEAST, p)));

/**
 * About the epsilon at which e^epsilon alpha + delta(epsilon) is smallest, for the Gaussian profile of a mu: mu z - mu^2 / 2
 * where P(N > z) = alpha. Profiles of many mechanisms together are near it. For choosing a line where any is sound: no
 * error bound is given.
 *
 * Source: Dong, Roth, Su (2022), Eq 6: the test that rejects beyond z has the likelihood ratio e^(mu z - mu^2 / 2) there.
 */
const lineOf = (mu: number, alpha: Decimal): Decimal =>
  decimalFromDouble(mu * quantile(alpha.toNumber()) - (mu * mu) / 2);

/** That line of the Gaussian profile with an advantage in [0, 1], which is 2 P(N < mu / 2) - 1. */
export const gaussianLine = (advantage: number, alpha: Decimal): Decimal =>
  lineOf(2 * quantile((1 - advantage) / 2), alpha);

/** That line of the Gaussian profile whose true-positive rate is `rate` at alpha: P(N > z - mu). */
export const gaussianLineOf = (alpha: Decimal, rate: Decimal): Decimal =>
  lineOf(quantile(alpha.toNumber()) - quantile(rate.toNumber()), alpha);

const DIGITS = 60;
const Down = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_FLOOR });
const Up = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_CEIL });

/** e^-x in decimals is 0 beyond this. */
const LARGEST = 1e6;

const unknown: Bracket = { lower: null, upper: asUpper(1) };

/**
 * The smallest delta that (epsilon, delta) alone proves at another epsilon' at least 0: delta from epsilon on, and below it
 * 1 - (1 - delta) (1 + e^epsilon') / (1 + e^epsilon), where neighbouring is symmetric. Upper ends only.
 *
 * Source: Kairouz, Oh, Viswanath (2015), Theorem 2.1 (the region of the errors of a test; its corners are on that line).
 */
export function claimedProfile({ epsilon, delta }: Pick<Answer, 'epsilon' | 'delta'>): Profile {
  const [claimed, failure] = [exactUpper(epsilon), exactUpper(delta)];
  const at = (other: Decimal): Bracket => {
    if (!claimed.isFinite() || failure.gte(1)) return unknown;
    if (other.gte(claimed)) return { lower: null, upper: toUpper(failure) };
    if (other.isNegative() || claimed.gt(LARGEST)) return unknown;
    const below = new Down(new Down(other).exp()).plus(1);
    const above = new Up(new Up(claimed).exp()).plus(1);
    const kept = new Down(new Down(1).minus(failure)).times(below).div(above);
    return { lower: null, upper: toUpper(Decimal.min(1, new Up(1).minus(kept))) };
  };
  return { delta: at, largest: Infinity };
}
