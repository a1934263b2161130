import { closeSync, readSync } from 'node:fs';
import { failed, Interrupted, type Failed } from '../records/fault.ts';
import { LONGEST_LINE, type RawLine } from '../records/line.ts';
import { readFault } from './system-error.ts';

export const LINE_FEED = 10;
const CHUNK = 128 * 1024;

/** Reads up to `length` bytes at `position`, into `bytes` if they are given; fewer only where the file ends. */
export function readAt(
  fd: number,
  position: number,
  length: number,
  bytes: Buffer = Buffer.allocUnsafe(length),
): Buffer {
  let filled = 0;
  while (filled < length) {
    const got = readSync(fd, bytes, filled, length - filled, position + filled);
    if (got === 0) break;
    filled += got;
  }
  return bytes.subarray(0, filled);
}

/** A part of a file, from the beginning of a line. */
export interface Part {
  /** Where it begins, and the number of the line there. */
  readonly start?: { readonly offset: number; readonly line: number };
  /** Where it ends; by default where the file does. */
  readonly end?: number;
}

/** All lines of an open file, in order, as many at a time as are read at once; a newline at the very end begins no further line. */
export function* lineBatches(
  fd: number,
  { start = { offset: 0, line: 1 }, end: most = Infinity }: Part = {},
): Generator<readonly RawLine[]> {
  let number = start.line;
  let { offset } = start;
  // The bytes of a line are valid until the next ones are asked for.
  const buffer = Buffer.allocUnsafe(CHUNK);
  let held = Buffer.alloc(0);
  let tooLong = false;
  let length = 0;
  for (let position = offset; position < most;) {
    const chunk = readAt(fd, position, Math.min(CHUNK, most - position), buffer);
    if (chunk.length === 0) break;
    position += chunk.length;
    let from = 0;
    const batch: RawLine[] = [];
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const part = chunk.subarray(from, end);
      length += part.length;
      const bytes = held.length === 0 ? part : Buffer.concat([held, part]);
      batch.push({ number, offset, bytes: tooLong ? Buffer.alloc(0) : bytes, ended: true, tooLong });
      number++;
      offset += length + 1;
      from = end + 1;
      length = 0;
      held = Buffer.alloc(0);
      tooLong = false;
    }
    const rest = chunk.subarray(from);
    length += rest.length;
    tooLong ||= length > LONGEST_LINE;
    held = tooLong ? Buffer.alloc(0) : Buffer.concat([held, rest]);
    yield batch;
  }
  if (length > 0) yield [{ number, offset, bytes: held, ended: false, tooLong }];
}

/** All lines of an open file, in order. */
export function* linesOf(fd: number): Generator<RawLine> {
  for (const batch of lineBatches(fd)) yield* batch;
}

/** All lines of an open file, which is closed at their end, and what `missing` says is missing there. */
// eslint-disable-next-line @typescript-eslint/require-await -- files are read at once; other stores wait for theirs
export async function* batchesOf(fd: number, missing: () => Failed | null): AsyncGenerator<readonly RawLine[]> {
  try {
    yield* lineBatches(fd);
    const fault = missing();
    if (fault !== null) throw new Interrupted(fault);
  } catch (error) {
    throw error instanceof Interrupted ? error : new Interrupted(failed(readFault(error)));
  } finally {
    closeSync(fd);
  }
}

/** The number of the line that begins at `offset`. */
export function lineNumberAt(fd: number, offset: number): number {
  let number = 1;
  for (const line of linesOf(fd)) {
    if (line.offset >= offset) return line.number;
    number = line.number + 1;
  }
  return number;
}
