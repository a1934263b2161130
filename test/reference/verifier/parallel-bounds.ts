import { Rational } from '../../../src/numeric/rational.ts';
import type { PairVerification } from '../../../src/composition/attack/interaction/pair-verification.ts';
import { isFirstPairConsistent } from './first-pair.ts';
import { responseDelta, unless } from './response-delta.ts';
import { isClosedUnderSwapping } from './swap-closure.ts';

/** The theorems on copies of a continual mechanism of which some may receive different messages. */
export type ParallelBoundId = 'first-pair' | 'product' | 'doubled' | 'fixed';

/** A bound on delta by a theorem, whether or not the theorem covers the verification function. */
export interface ParallelBound {
  readonly id: ParallelBoundId;
  readonly delta: Rational;
  readonly applies: boolean;
}

/** Copies of one mechanism. */
export interface Copies {
  readonly verification: PairVerification;
  readonly factor: Rational;
  readonly delta: Rational;
  readonly copies: number;
  readonly sparsity: number;
}

const TWO = Rational.of(2);

/**
 * The bounds on delta at e^epsilon = `target` for l copies of a mechanism with guarantee (epsilon_0, delta_0), of which k
 * may receive different messages; D_k is the delta of k times randomized response with epsilon_0.
 *
 * - `first-pair`: 1 - (1 - delta_0)^k (1 - D_k), for first-pair consistent verification functions (Thm 5.14);
 * - `product`: 1 - (1 - delta_0)^l (1 - D_k), for verification functions closed under swapping (Thm 5.4 with Lemma 5.11);
 *   shown also where it does not apply, since it is printed without that condition;
 * - `doubled`: the same with min{1, 2 delta_0}, which every verification function allows: its closure under swapping at most
 *   doubles delta_0, for the pairs of one direction have delta_0, and those of the other too (derived);
 * - `fixed`: 1 - (1 - delta_0)^l (1 - D_l), as if all of them might receive different messages (Thm 4.10).
 *
 * Source: Henzinger, Safavi, Vadhan (2025).
 */
export function parallelBounds(of: Copies, target: Rational): ParallelBound[] {
  const { verification, factor, delta, copies, sparsity } = of;
  const some = responseDelta(factor, sparsity, target);
  const swappable = isClosedUnderSwapping(verification);
  const fixed: ParallelBound = {
    id: 'fixed',
    delta: unless(responseDelta(factor, copies, target), delta, copies),
    applies: true,
  };
  if (sparsity === copies) return [fixed];
  const firstPair: ParallelBound = { id: 'first-pair', delta: unless(some, delta, sparsity), applies: true };
  const doubled: ParallelBound = {
    id: 'doubled',
    delta: unless(some, delta.times(TWO).compare(Rational.ONE) > 0 ? Rational.ONE : delta.times(TWO), copies),
    applies: true,
  };
  return [
    ...(isFirstPairConsistent(verification) ? [firstPair] : []),
    { id: 'product', delta: unless(some, delta, copies), applies: swappable },
    ...(swappable ? [] : [doubled]),
    fixed,
  ];
}
