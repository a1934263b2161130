import { closeSync, readSync } from 'node:fs';
import { failed, Interrupted, type Failed } from '../records/fault.ts';
import { LONGEST_LINE, type RawLine, numberOf, unseal, type Sealed } from '../records/line.ts';
import { readFault } from './system-error.ts';
import type { Sought } from '../journal/store.ts';

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

const SEARCHED_AT_ONCE = 4 * 1024 * 1024;

/** The text that is in the line of the record of this key, and in no other: in a text a quotation mark stands only after a backslash. */
const needleOf = ({ key }: Sought): Buffer => Buffer.from(`,"key":${JSON.stringify(key)},`);

/** Where the line begins that a position is in. */
export function startOf(fd: number, position: number): number {
  for (let size = 4096; ; size *= 2) {
    const from = Math.max(0, position - size);
    const at = readAt(fd, from, position - from).lastIndexOf(LINE_FEED);
    if (at >= 0 || from === 0) return from + at + 1;
  }
}

/** The line that begins at `start`. */
export function lineFrom(fd: number, start: number, length: number): Buffer {
  for (let size = 4096; ; size *= 2) {
    const bytes = readAt(fd, start, Math.min(size, length - start));
    const end = bytes.indexOf(LINE_FEED);
    if (end >= 0) return bytes.subarray(0, end);
    if (bytes.length < size) return bytes;
  }
}

const recordIn = (line: Buffer): Sealed | null => {
  const record = unseal(line, false);
  return record.kind === 'record' ? record : null;
};

/** A part of a file. */
interface Range {
  readonly from: number;
  readonly length: number;
}

/** Where the line begins in which a text stands, among the first `length` bytes of an open file; null where there is none. */
function containing(fd: number, { from: start, length }: Range, needle: Buffer): number | null {
  for (let from = start; from < length; from += SEARCHED_AT_ONCE) {
    const size = Math.min(SEARCHED_AT_ONCE + needle.length, length - from);
    const at = readAt(fd, from, size).indexOf(needle);
    if (at >= 0) return startOf(fd, from + at);
  }
  return null;
}

/** The result of a search that was made before a file was held. */
export interface Ahead {
  /** How many bytes were searched. */
  readonly length: number;
  /** Where the line begins that was found; null where none was. */
  readonly at: number | null;
}

/** Looks among the first `length` bytes of an open ledger file, which end with a line, for where a record is that is sought. */
export function searchAhead(fd: number, length: number, sought: Sought, searched = 0): Ahead {
  return { length, at: containing(fd, { from: searched, length }, needleOf(sought)) };
}

/**
 * Looks for a record among the first `length` bytes of an open ledger file, to which only is added; null where there is none.
 * `ahead`: the result of looking for the same before, when it was perhaps shorter.
 */
export function search(fd: number, length: number, sought: Sought, ahead: Ahead | null = null): Sealed | null {
  const start = ahead?.at ?? searchAhead(fd, length, sought, ahead?.length ?? 0).at;
  if (start === null) return null;
  const record = recordIn(lineFrom(fd, start, length));
  return record !== null && numberOf(record) > 0 ? record : null;
}
