import { Session, type Kept } from '../bounds/core/session.ts';

/** So many milliseconds are worked before whatever else waits has its turn: a fraction of the time for which a page shows a frame. */
const SLICE = 10;

/** Lets everything else that waits have its turn. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 0);
  });

/** Thrown where others have their turn. */
class Pause extends Error {
  override readonly name = 'Pause';
}

/** A session for one question, whose work stops where its time is over; asked again, it goes on from there. */
class TurnSession extends Session {
  readonly #session: Session;
  readonly #signal: AbortSignal | undefined;
  readonly #done = new Map<string, unknown>();
  #end = Infinity;

  constructor(session: Session, signal: AbortSignal | undefined) {
    super();
    this.#session = session;
    this.#signal = signal;
  }

  override get<Value>(kind: Kept<Value>, key: string, make: () => Value): Value {
    return this.#session.get(kind, key, make);
  }

  override step<Result>(key: string, work: () => Result): Result {
    // Under a key only its own result is put.
    if (this.#done.has(key)) return this.#done.get(key) as Result;
    this.#signal?.throwIfAborted();
    if (performance.now() >= this.#end) throw new Pause();
    const result = work();
    this.#signal?.throwIfAborted();
    this.#done.set(key, result);
    // Each turn does a step at least, however long it takes to come to it.
    if (this.#end === Infinity) this.#end = performance.now() + SLICE;
    return result;
  }

  /** The result of work; null where its time is over before it is done. */
  inOneTurn<Result>(work: () => Result): { readonly result: Result } | null {
    this.#end = Infinity;
    try {
      return { result: work() };
    } catch (error) {
      if (error instanceof Pause) return null;
      throw error;
    }
  }
}

/**
 * Does work, all that is slow in which are steps of the session that it is given, in turns with whatever else waits, first
 * after that; throws the reason of a signal that is aborted.
 */
export async function inTurns<Result>(
  work: (session: Session) => Result,
  session: Session,
  signal?: AbortSignal,
): Promise<Result> {
  const own = new TurnSession(session, signal);
  for (;;) {
    signal?.throwIfAborted();
    await turn();
    signal?.throwIfAborted();
    const done = own.inOneTurn(() => work(own));
    if (done !== null) return done.result;
  }
}
