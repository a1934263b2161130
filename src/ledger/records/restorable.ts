import { failed, Interrupted, type Fault } from './fault.ts';
import type { Sealed } from './line.ts';
import type { RawLine } from './raw-line.ts';
import { Walker, type Found } from './walk.ts';

/** The last record of lines that have gone by; undefined before the first. */
export interface LastLine {
  record?: Sealed;
}

const stop = (fault: Fault): never => {
  throw new Interrupted(failed(fault));
};

/** The record that is found; everything else stops the reading. */
function recordIn(found: Found): Sealed | null {
  switch (found.kind) {
    case 'record':
      return found.record;
    case 'flaw':
      return stop(found.flaw);
    case 'other':
      return stop(found.fault);
    case 'rest':
      return null;
  }
}

/**
 * Lines as they come, each of which was looked at: its hash is that of its content, it follows the one before, and the last one
 * was not written in this place, where there would be two ledgers then that both may be spent from. `last` is filled on the way.
 * Throws `Interrupted` at the first flaw; what was made of the lines so far must go.
 *
 * @param home - the place in which they are to be kept, see `Store.home`
 */
export async function* restorable(
  batches: AsyncIterable<readonly Buffer[]>,
  home: string,
  last: LastLine = {},
): AsyncGenerator<readonly Buffer[]> {
  const walker = new Walker({ strict: true });
  let number = 0;
  let offset = 0;
  const look = (found: Found): void => {
    const record = recordIn(found);
    if (record !== null) last.record = record;
  };
  for await (const batch of batches) {
    for (const bytes of batch) {
      number++;
      const line: RawLine = { number, offset, bytes, ended: true, tooLong: false };
      offset += bytes.length + 1;
      walker.take(line).forEach(look);
    }
    yield batch;
  }
  walker.end().forEach(look);
  if (last.record?.fields.home === home) stop({ code: 'same-place' });
}
