import type { QueryPair } from '../interaction/ext-con-comp.ts';
import type { Guarantee } from '../interaction/guarantee.ts';
import { Slots } from '../interaction/slots.ts';
import { suitableAnd } from './suitable.ts';
import type { VerificationFunction } from '../interaction/verifier.ts';

/**
 * Concurrent composition with fixed parameters: mechanisms are created whose guarantees are a sub-multiset of
 * `parameters`.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 4.11; finite mechanisms have discrete answers.
 */
export const fixedParameters = (parameters: readonly Guarantee[]): VerificationFunction<QueryPair> =>
  suitableAnd(() => {
    const slots = new Slots(parameters);
    return (message) =>
      message.kind === 'creation' && !slots.take(message.creation.guarantee)
        ? { code: 'beyond-parameters', condition: 'Def 4.11 (ii)' }
        : null;
  });
