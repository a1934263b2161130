/** Lines that follow each other. */
export interface Block {
  /** The number of the first one, from 1. */
  readonly first: number;
  /** The lines, without the end of the last one; null for one line that is too long. */
  readonly bytes: Uint8Array | null;
}

/** The longest line that is read, in bytes. */
export const LONGEST_LINE = 64 * 1024 * 1024;

/** The most lines of a block: few enough that slow lines are shared out evenly. */
const MOST_LINES = 32;

const LINE_FEED = 10;

/** Text in blocks of whole lines, each as soon as its last line has ended; no more than one line is kept. */
export async function* blocksOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Block> {
  let first = 1;
  /** The parts so far of a line that has not ended, and its length; of one that is too long nothing is kept. */
  let begun: Uint8Array[] = [];
  let size = 0;
  const block = (rest: Uint8Array): Block => {
    const bytes = size + rest.length > LONGEST_LINE ? null : Buffer.concat([...begun, rest]);
    [begun, size] = [[], 0];
    return { first, bytes };
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Uint8Array);
    let start = 0;
    for (let lines = 1, end = bytes.indexOf(LINE_FEED); end >= 0; lines++) {
      const next = bytes.indexOf(LINE_FEED, end + 1);
      // A line that began in an earlier chunk may be long: it stands alone.
      if (lines === MOST_LINES || next < 0 || size > 0) {
        yield block(bytes.subarray(start, end));
        first += lines;
        start = end + 1;
        lines = 0;
      }
      end = next;
    }
    size += bytes.length - start;
    if (size > LONGEST_LINE) begun = [];
    else begun.push(bytes.subarray(start));
  }
  if (size > 0) yield block(new Uint8Array());
}
