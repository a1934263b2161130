import type { Decimal } from '../numeric/decimal.ts';

/**
 * adaptive: each mechanism may depend on earlier outputs, the parameters are fixed in advance;
 * nonadaptive: all mechanisms are fixed in advance;
 * parameters: the parameters are chosen adaptively too.
 */
export type Adaptivity = 'adaptive' | 'nonadaptive' | 'parameters';

/**
 * any: who chooses the mechanisms may choose their order too;
 * declared: they are run in the order in which they are listed.
 */
export type Order = 'any' | 'declared';

/** The order as far as it matters: where all mechanisms are fixed in advance it does not. */
export const effectiveOrder = (adaptivity: Adaptivity, order: Order = 'any'): Order =>
  adaptivity === 'nonadaptive' ? 'any' : order;

/** A query: for the smallest epsilon at a delta in [0, 1], or the smallest delta at a real epsilon. */
export type Query =
  { readonly solveFor: 'epsilon'; readonly delta: Decimal } | { readonly solveFor: 'delta'; readonly epsilon: Decimal };

/** The query that solves for one of epsilon and delta, the other one given. */
export const queryAt = (solveFor: Query['solveFor'], given: Decimal): Query =>
  solveFor === 'epsilon' ? { solveFor, delta: given } : { solveFor, epsilon: given };
