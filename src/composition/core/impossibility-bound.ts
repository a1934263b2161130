import type { Decimal } from '../../numeric/decimal.ts';
import type { LowerBound } from '../../numeric/enclosure.ts';

/** An impossibility lower bound, by a counterexample that is carried out with so many instances. */
export type ImpossibilityBound = { readonly instances: number } & (
  | { readonly solveFor: 'delta'; readonly epsilon: Decimal | 'any'; readonly delta: LowerBound }
  | { readonly solveFor: 'epsilon'; readonly epsilon: LowerBound; readonly delta: Decimal }
  | { readonly solveFor: 'renyi'; readonly alpha: Decimal; readonly epsilon: LowerBound }
);
