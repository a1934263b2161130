import type { Creation, IndexedQuery, QueryPair } from '../interaction/ext-con-comp.ts';
import type { Guarantee } from '../interaction/guarantee.ts';
import { Slots } from '../interaction/slots.ts';
import type { Verification, VerificationFunction, Violation } from '../interaction/verifier.ts';
import { isPrivate } from '../verify/is-private.ts';

/** A mechanism that was created, and what it was sent so far. */
interface Created extends Creation {
  stage: string;
  /** Whether a pair of different queries was among that. */
  differed: boolean;
}

const unsuitable = (code: string, condition: string): Violation => ({ code, condition: `Def 4.5 (${condition})` });

class SparseVerification implements Verification<QueryPair> {
  readonly #created: Created[] = [];
  /** The guarantees that no mechanism with different queries has taken yet. */
  readonly #free: Slots;

  constructor(parameters: readonly Guarantee[]) {
    this.#free = new Slots(parameters);
  }

  accept([zero, one]: QueryPair): Violation | null {
    if (zero.kind === 'query' && one.kind === 'query') return this.#query(zero, one);
    if (zero.kind === 'query' || one.kind === 'query') return unsuitable('creation-beside-query', 'i');
    return zero === one ? this.#creation(zero) : unsuitable('different-creations', 'i');
  }

  #creation(creation: Creation): Violation | null {
    if (!isPrivate(creation)) return unsuitable('guarantee-not-kept', 'iv');
    this.#created.push({ ...creation, stage: creation.verification.start, differed: false });
    return null;
  }

  #query(zero: IndexedQuery, one: IndexedQuery): Violation | null {
    if (one.index !== zero.index) return unsuitable('different-mechanisms', 'i');
    const created = this.#created[zero.index - 1];
    if (created === undefined) return unsuitable('not-created', 'ii');
    const { mechanism, verification, stage, guarantee } = created;
    if (!mechanism.knows(zero.message) || !mechanism.knows(one.message)) return unsuitable('unknown-message', 'iii');
    const next = verification.after(stage, [zero.message, one.message]);
    if (next === null) return unsuitable('invalid-pairs', 'v');
    created.stage = next;
    if (zero.message === one.message || created.differed) return null;
    created.differed = true;
    return this.#free.take(guarantee) ? null : { code: 'too-many-differing', condition: 'Def 5.1 (ii)' };
  }
}

/**
 * Concurrent k-sparse parallel composition, k the number of `parameters`: any number of mechanisms may be created, but
 * those that receive a pair of different queries have guarantees that are a sub-multiset of `parameters`. Besides,
 * messages are suitable, as every concurrent composition asks; that a created mechanism has the guarantee asserted of it
 * (condition iv) is checked by computing the guarantee.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 4.5 and 5.1.
 */
export const sparseParallel = (parameters: readonly Guarantee[]): VerificationFunction<QueryPair> => ({
  begin: () => new SparseVerification(parameters),
});
