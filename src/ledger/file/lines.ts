import { readSync } from 'node:fs';

/** The longest line that is written, in bytes, and the longest that is read. */
export const LONGEST_RECORD = 4 * 1024 * 1024;
export const LONGEST_LINE = 2 * LONGEST_RECORD;

/** One line of a file. */
export interface RawLine {
  /** Its number, from 1. */
  readonly number: number;
  /** Where it begins, in bytes. */
  readonly offset: number;
  /** Its bytes without the newline; valid until the next line is asked for. */
  readonly bytes: Buffer;
  /** Whether a newline ends it; only the last line may have none. */
  readonly ended: boolean;
  /** Its bytes were too many to be read, and are not given. */
  readonly tooLong: boolean;
}

const NEWLINE = 10;
const CHUNK = 1024 * 1024;

/** Reads up to `length` bytes at `position`; fewer only where the file ends. */
export function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const got = readSync(fd, bytes, filled, length - filled, position + filled);
    if (got === 0) break;
    filled += got;
  }
  return bytes.subarray(0, filled);
}

/** All lines of an open file, in order; a newline at the very end begins no further line. */
export function* linesOf(fd: number): Generator<RawLine> {
  let number = 1;
  let offset = 0;
  let held = Buffer.alloc(0);
  let tooLong = false;
  let length = 0;
  for (let position = 0; ;) {
    const chunk = readAt(fd, position, CHUNK);
    if (chunk.length === 0) break;
    position += chunk.length;
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const part = chunk.subarray(from, end);
      length += part.length;
      const bytes = held.length === 0 ? part : Buffer.concat([held, part]);
      yield { number, offset, bytes: tooLong ? Buffer.alloc(0) : bytes, ended: true, tooLong };
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
  }
  if (length > 0) yield { number, offset, bytes: held, ended: false, tooLong };
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
