import type { Decimal } from '../numeric/decimal.ts';

/**
 * adaptive: each mechanism may depend on earlier outputs, the parameters are fixed in advance;
 * nonadaptive: all mechanisms are fixed in advance;
 * parameters: the parameters are chosen along the way too.
 */
export type Adaptivity = 'adaptive' | 'nonadaptive' | 'parameters';

/** What is asked: the smallest epsilon at a delta in [0, 1], or the smallest delta at a real epsilon. */
export type Query =
  { readonly solveFor: 'epsilon'; readonly delta: Decimal } | { readonly solveFor: 'delta'; readonly epsilon: Decimal };
