import { LruCache } from '../../numeric/lru-cache.ts';

/** A kind of value that a session keeps: slow to compute, and a function of its key alone. */
export class Kept<Value> {
  /** Only names the type. */
  declare readonly value: Value;
  /** How many of them a session keeps. */
  readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }
}

/** Values that are kept from one question to the next, see {@link createSession}. */
export class Session {
  readonly #kept = new Map<Kept<unknown>, LruCache<unknown>>();

  /**
   * The value of a key: the one that is kept, else a new one.
   *
   * @internal
   */
  get<Value>(kind: Kept<Value>, key: string, make: () => Value): Value {
    let values = this.#kept.get(kind);
    if (values === undefined) {
      values = new LruCache(kind.capacity);
      this.#kept.set(kind, values);
    }
    // Under a kind only its own values are put.
    return values.get(key, make) as Value;
  }

  /**
   * Does a step of the work. Between steps one who works in turns with others stops, and asks the same again later: what
   * was done under a key is not done twice.
   *
   * @internal
   */
  step<Result>(_key: string, work: () => Result): Result {
    return work();
  }
}

/**
 * A session for several questions: tables that more than one of them needs are computed once. No answer
 * depends on what was asked before in the same session, or on whether there is one.
 *
 * @example
 * ```js
 * import { compose, createSession, Decimal } from 'dpcompose';
 *
 * const mechanism = { type: 'bounded-range', epsilon: new Decimal('0.1') };
 * const problem = { entries: [{ mechanism, count: 10, kind: 'noninteractive', label: null }], adaptivity: 'adaptive' };
 * const session = createSession();
 * const claims = ['1e-5', '1e-6'].map((text) => {
 *   const { answer } = compose(problem, { solveFor: 'epsilon', delta: new Decimal(text) }, { session });
 *   return Math.ceil(answer.epsilon.upper * 1e3) / 1e3;
 * });
 * console.log(claims.join(' ')); // 0.558 0.635
 * ```
 */
export function createSession(): Session {
  return new Session();
}

/** The session of an effort, or one for this question. */
export const sessionOf = ({ session }: { readonly session?: Session }): Session => session ?? new Session();
