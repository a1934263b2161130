import type { QueryPair } from '../interaction/ext-con-comp.ts';
import type { Guarantee } from '../interaction/guarantee.ts';
import { Slots } from '../interaction/slots.ts';
import { suitableAnd, type Suitability, type SuitableMessage } from './suitable.ts';
import type { VerificationFunction, Violation } from '../interaction/verifier.ts';

/** Checks that the mechanisms with pairs of different queries have guarantees that are a sub-multiset of `parameters`. */
function sparse(parameters: readonly Guarantee[], suitability: Suitability) {
  const slots = new Slots(parameters);
  const differing = new Set<number>();
  return (message: SuitableMessage): Violation | null => {
    if (message.kind === 'creation' || !message.differs || differing.has(message.index)) return null;
    differing.add(message.index);
    return slots.take(suitability.created(message.index).guarantee)
      ? null
      : { code: 'too-many-differing', condition: 'Def 5.1 (ii)' };
  };
}

/**
 * Concurrent k-sparse parallel composition, k the number of `parameters`: any number of mechanisms may be created, but
 * those that receive a pair of different queries have guarantees that are a sub-multiset of `parameters`.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 5.1.
 */
export const sparseParallel = (parameters: readonly Guarantee[]): VerificationFunction<QueryPair> =>
  suitableAnd((suitability) => sparse(parameters, suitability));

/**
 * The same for mechanisms with first-pair consistent verification functions only.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 5.13.
 */
export const firstPairConsistentParallel = (parameters: readonly Guarantee[]): VerificationFunction<QueryPair> =>
  suitableAnd((suitability) => {
    const accept = sparse(parameters, suitability);
    return (message) =>
      message.kind === 'creation' && !message.creation.verification.isFirstPairConsistent()
        ? { code: 'not-first-pair-consistent', condition: 'Def 5.13 (ii)' }
        : accept(message);
  });
