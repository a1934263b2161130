import { Decimal } from '../../numeric/decimal.ts';
import { shareUp } from './shares.ts';

/** The users of a core decomposition whose answers differ between graphs that differ in one edge: its two ends. */
export const DIFFERING_USERS = 2;

/** The parameters of each user, and the noise that gives them. */
export interface CoreNoise {
  readonly epsilon: Decimal;
  readonly threshold: Decimal;
  readonly comparison: Decimal;
}

/**
 * How the core decomposition in the local model divides epsilon: one edge changes what two users hold, so that each user
 * is a sparse vector mechanism that is (e/2, 0)-DP: run with e/4, it has Laplace noise of scale 4/e on the threshold and
 * 8/e on each comparison. Half of epsilon is exact; noise scales are rounded up at 20 digits.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Lemma 9.1; the noise is derived from Algorithm 3 and Lemma 7.4.
 */
export function coreNoise(epsilon: Decimal): CoreNoise {
  return {
    epsilon: epsilon.div(2),
    threshold: shareUp(new Decimal(4), epsilon),
    comparison: shareUp(new Decimal(8), epsilon),
  };
}

/**
 * The order in which the error of each coreness grows with n vertices of degree at most Delta, up to constants and in
 * natural logarithms: log n log Delta, at epsilon of order 1. Never a guarantee.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Lemma 9.1.
 */
export const coreErrorShape = (vertices: number, largestDegree: number): number =>
  Math.log(vertices) * Math.log(largestDegree);
