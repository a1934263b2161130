import type { Decimal } from '../../numeric/decimal.ts';
import { decimalFromDouble } from '../../numeric/decimal.ts';
import { approximateQuantile } from '../../numeric/normal-quantile.ts';

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
