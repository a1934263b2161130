import { setTimeout as sleep } from 'node:timers/promises';

/** A pause is nothing for so long, or comes after so long in all, in milliseconds. */
const IDLE = 2;
const LONGEST = 100;

type Piece = Uint8Array | string;

/**
 * Pieces as they arrive, and null for each pause: what came so far should be dealt with then. A long stream has few pauses, and a
 * line that somebody waits behind has one at once. A piece is used before the next is asked for.
 */
export async function* piecesAndPauses(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece | null, void> {
  const source = pieces[Symbol.asyncIterator]();
  let since = performance.now();
  let next = source.next();
  for (;;) {
    const found = await next;
    if (found.done === true) break;
    yield found.value;
    next = source.next();
    // An error is thrown where it is waited for.
    next.catch(() => undefined);
    const isPause =
      performance.now() - since > LONGEST || (await Promise.race([next.then(() => false), sleep(IDLE, true)]));
    if (!isPause) continue;
    yield null;
    since = performance.now();
  }
  yield null;
}
