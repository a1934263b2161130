import { isPrivate } from '../verify/is-private.ts';
import type { Creation, IndexedQuery, QueryPair } from '../interaction/ext-con-comp.ts';
import type { Verification, VerificationFunction, Violation } from '../interaction/verifier.ts';

const broken = (code: string, condition: string): Violation => ({ code, condition: `Def 4.5 (${condition})` });

/** A message of a suitable sequence. */
export type SuitableMessage =
  | { readonly kind: 'creation'; readonly creation: Creation }
  | { readonly kind: 'query'; readonly index: number; readonly differs: boolean };

/**
 * The conditions that every concurrent composition asks of the messages it is sent; it remembers what was created.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 4.5. Condition (iv), that a created mechanism has the guarantee asserted of it,
 * is checked by computing the guarantee.
 */
export class Suitability {
  readonly #created: Creation[] = [];
  readonly #stages: string[] = [];

  /** What was created as number `index`, from 1. */
  created(index: number): Creation {
    return this.#created[index - 1]!;
  }

  /** Takes in one more message: what it is, or what it breaks. */
  accept([zero, one]: QueryPair): SuitableMessage | Violation {
    if (zero.kind === 'query') {
      return one.kind === 'query' ? this.#query(zero, one) : broken('creation-beside-query', 'i');
    }
    if (one.kind === 'query') return broken('creation-beside-query', 'i');
    if (zero !== one) return broken('different-creations', 'i');
    return this.#creation(zero);
  }

  #creation(creation: Creation): SuitableMessage | Violation {
    if (!isPrivate(creation)) return broken('guarantee-not-kept', 'iv');
    this.#created.push(creation);
    this.#stages.push(creation.verification.start);
    return { kind: 'creation', creation };
  }

  #query(zero: IndexedQuery, one: IndexedQuery): SuitableMessage | Violation {
    const { index } = zero;
    if (one.index !== index) return broken('different-mechanisms', 'i');
    const creation = this.#created[index - 1];
    if (creation === undefined) return broken('not-created', 'ii');
    const { mechanism, verification } = creation;
    if (!mechanism.knows(zero.message) || !mechanism.knows(one.message)) return broken('unknown-message', 'iii');
    const stage = verification.after(this.#stages[index - 1]!, [zero.message, one.message]);
    if (stage === null) return broken('invalid-pairs', 'v');
    this.#stages[index - 1] = stage;
    return { kind: 'query', index, differs: zero.message !== one.message };
  }
}

/** A verification function that asks for suitability, and for more. */
export const suitableAnd = (
  begin: (suitability: Suitability) => (message: SuitableMessage) => Violation | null,
): VerificationFunction<QueryPair> => ({
  begin(): Verification<QueryPair> {
    const suitability = new Suitability();
    const more = begin(suitability);
    return {
      accept(pair) {
        const message = suitability.accept(pair);
        return 'code' in message ? message : more(message);
      },
    };
  },
});
