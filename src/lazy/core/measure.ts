import type { Decimal } from '../../numeric/decimal.ts';

/** The exponential weights e^(-eta sum of losses) over experts, losses in [0, 1]: the measure of DP-OPE (Lemma 3.9). */
export interface MultiplicativeWeights {
  readonly type: 'multiplicative-weights';
}

/** Any measure of Assumption 3.1 with delta0 = 0. */
export interface AnyMeasure {
  readonly type: 'any';
}

/**
 * The density e^(-beta (sum of losses + lambda |x|^2)) on a convex set, losses convex and Lipschitz: the measure of
 * DP-OCO (Lemma 3.11). All four are above 0.
 */
export interface RegularisedWeights {
  readonly type: 'regularised-multiplicative-weights';
  readonly beta: Decimal;
  readonly lambda: Decimal;
  /** L, the Lipschitz constant of every loss. */
  readonly lipschitz: Decimal;
  /** D, the diameter of the set, which contains the origin. */
  readonly diameter: Decimal;
}

/** The measure from which L2P samples. */
export type Measure = MultiplicativeWeights | AnyMeasure | RegularisedWeights;
