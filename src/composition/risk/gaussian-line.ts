import type { Decimal } from '../../numeric/decimal.ts';
import { decimalFromDouble } from '../../numeric/decimal.ts';
import { normalTail } from '../../numeric/normal.ts';

const HALVINGS = 60;
const FURTHEST = 40;

/** About the x beyond which a normal variable is with probability p in (0, 1). */
function quantile(p: number): number {
  let [below, above] = [-FURTHEST, FURTHEST];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (below + above) / 2;
    if (normalTail(middle).upper > p) below = middle;
    else above = middle;
  }
  return (below + above) / 2;
}

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
  lineOf(2 * quantile(Math.max(0, (1 - advantage) / 2)), alpha);

/** That line of the Gaussian profile whose true-positive rate is `rate` at alpha: P(N > z - mu). */
export const gaussianLineOf = (alpha: Decimal, rate: Decimal): Decimal =>
  lineOf(quantile(alpha.toNumber()) - quantile(rate.toNumber()), alpha);
