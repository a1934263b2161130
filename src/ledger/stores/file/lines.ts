import { closeSync, readSync, fstatSync } from 'node:fs';
import { failed, Interrupted, type Failed, type Flaw } from '../../fault.ts';
import { LONGEST_LINE, type RawLine, numberOf, unseal, type Sealed, placed } from '../../line.ts';
import { readFault } from './system-error.ts';
import type { Lookup } from '../../store.ts';
import { headerOf, restAfter, type HeaderAndHead, Chain } from '../../chain.ts';

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
  { start = { offset: 0, line: 1 }, end: limit = Infinity }: Part = {},
): Generator<readonly RawLine[]> {
  let number = start.line;
  let { offset } = start;
  // The bytes of a line are valid until the next ones are asked for.
  const buffer = Buffer.allocUnsafe(CHUNK);
  let partial = Buffer.alloc(0);
  let tooLong = false;
  let length = 0;
  for (let position = offset; position < limit;) {
    const chunk = readAt(fd, position, Math.min(CHUNK, limit - position), buffer);
    if (chunk.length === 0) break;
    position += chunk.length;
    let from = 0;
    const batch: RawLine[] = [];
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      const part = chunk.subarray(from, end);
      length += part.length;
      const bytes = partial.length === 0 ? part : Buffer.concat([partial, part]);
      batch.push({ number, offset, bytes: tooLong ? Buffer.alloc(0) : bytes, ended: true, tooLong });
      number++;
      offset += length + 1;
      from = end + 1;
      length = 0;
      partial = Buffer.alloc(0);
      tooLong = false;
    }
    const rest = chunk.subarray(from);
    length += rest.length;
    tooLong ||= length > LONGEST_LINE;
    partial = tooLong ? Buffer.alloc(0) : Buffer.concat([partial, rest]);
    yield batch;
  }
  if (length > 0) yield [{ number, offset, bytes: partial, ended: false, tooLong }];
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

function lineNumberAt(fd: number, offset: number): number {
  let number = 1;
  for (const line of linesOf(fd)) {
    if (line.offset >= offset) return line.number;
    number = line.number + 1;
  }
  return number;
}

const SEARCHED_AT_ONCE = 4 * 1024 * 1024;

/** The text that is in the line of the record of this key, and in no other: in a text a quotation mark stands only after a backslash. */
const needleOf = ({ key }: Lookup): Buffer => Buffer.from(`,"key":${JSON.stringify(key)},`);

/** Where the line begins that a position is in. */
export function startOf(fd: number, position: number): number {
  for (let size = 4096; ; size *= 2) {
    const from = Math.max(0, position - size);
    const at = readAt(fd, from, position - from).lastIndexOf(LINE_FEED);
    if (at >= 0 || from === 0) return from + at + 1;
  }
}

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
export function searchAhead(fd: number, length: number, sought: Lookup, searched = 0): Ahead {
  return { length, at: containing(fd, { from: searched, length }, needleOf(sought)) };
}

/**
 * Looks for a record among the first `length` bytes of an open ledger file, to which only is added; null where there is none.
 * `ahead`: the result of looking for the same before, when it was perhaps shorter.
 */
export function search(fd: number, length: number, sought: Lookup, ahead: Ahead | null = null): Sealed | null {
  const start = ahead?.at ?? searchAhead(fd, length, sought, ahead?.length ?? 0).at;
  if (start === null) return null;
  const record = recordIn(lineFrom(fd, start, length));
  return record !== null && numberOf(record) > 0 ? record : null;
}

interface Around {
  readonly header: Sealed;
  readonly begins: boolean;
  /** The number of the first of them. */
  readonly line: number;
}

/**
 * The first thing that keeps lines, each with its end, from being one chain of records of a ledger: every number is one
 * more than that before, and every `prev` the hash before. That the hashes are those of the content is not looked at.
 */
function chainFlaw(lines: Buffer, { header, begins, line: first }: Around): Flaw | null {
  const chain = new Chain();
  let line = first;
  for (let from = 0; from < lines.length; line++) {
    const end = lines.indexOf(LINE_FEED, from);
    const bytes = lines.subarray(from, end);
    from = end + 1;
    if (begins && line === first) {
      chain.begin(header);
      continue;
    }
    const record = placed(bytes) ?? unseal(bytes);
    if (!begins && line === first) chain.enter(header, record.kind === 'record' ? numberOf(record) : line - 1);
    if (record.kind === 'damaged') return { code: 'damaged-record', ...chain.place(line), ...record };
    const flaw = chain.take(record, line);
    if (flaw !== null) return flaw;
  }
  return null;
}

const FIRST_PIECE = 64 * 1024;

/** The two ends of a ledger file. */
export interface FileEnds extends HeaderAndHead {
  /** Up to where in the file lines have ends. */
  readonly length: number;
  /** The last record that has its newline. */
  readonly ended: Sealed;
}

/** The header of an open ledger file. */
export function readFirstLine(fd: number): Sealed | Failed {
  for (let length = FIRST_PIECE; ; length *= 8) {
    const start = readAt(fd, 0, length);
    const end = start.indexOf(LINE_FEED);
    if (end >= 0) return headerOf(start.subarray(0, end), true);
    if (start.length < length) return headerOf(start, false);
    if (length > LONGEST_LINE) return failed({ code: 'line-too-long', line: 1, record: 0 });
  }
}

interface Tail {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Where the line that ends at `end` begins; 0 where that is not seen. */
const startOfLine = (bytes: Buffer, end: number): number => (end <= 0 ? 0 : bytes.lastIndexOf(LINE_FEED, end - 1) + 1);

/** The end of the file with two lines that have ends, or all of it; null where these are too long. */
function readTail(fd: number, size: number): Tail | null {
  for (let length = FIRST_PIECE; ; length *= 8) {
    const from = Math.max(0, size - length);
    const bytes = readAt(fd, from, size - from);
    if (from === 0) return { offset: 0, bytes };
    const last = startOfLine(bytes, bytes.lastIndexOf(LINE_FEED));
    if (startOfLine(bytes, last - 1) > 0) {
      const start = bytes.indexOf(LINE_FEED) + 1;
      return { offset: from + start, bytes: bytes.subarray(start) };
    }
    if (length > 2 * LONGEST_LINE) return null;
  }
}

function flawIn({ offset, bytes }: Tail, header: Sealed, fd: number): Flaw | null {
  const lines = bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
  const begins = offset === 0;
  return chainFlaw(lines, { header, begins, line: 1 }) === null
    ? null
    : chainFlaw(lines, { header, begins, line: lineNumberAt(fd, offset) });
}

/** The bytes after the last newline of an open file. */
export function readRest(fd: number): { readonly offset: number; readonly bytes: Buffer } {
  const { size } = fstatSync(fd);
  for (let length = FIRST_PIECE; ; length *= 8) {
    const from = Math.max(0, size - length);
    const bytes = readAt(fd, from, size - from);
    const newline = bytes.lastIndexOf(LINE_FEED);
    if (newline >= 0 || from === 0) return { offset: from + newline + 1, bytes: bytes.subarray(newline + 1) };
  }
}

/**
 * Reads the two ends of an open ledger file, whatever its size. The last lines must be one chain: the totals of the last
 * one are those of all only if nothing was joined, doubled or taken out.
 */
export function readEnds(fd: number): FileEnds | Failed {
  const { size } = fstatSync(fd);
  const header = readFirstLine(fd);
  if (header.kind === 'failed') return header;
  const tail = readTail(fd, size);
  const flawAt = (at: number, flaw: { readonly code: 'line-too-long' | 'damaged-end' }): Failed => {
    const line = lineNumberAt(fd, at);
    return failed({ ...flaw, line, record: line - 1 });
  };
  if (tail === null) return flawAt(size, { code: 'line-too-long' });
  const { offset, bytes } = tail;
  const flaw = flawIn(tail, header, fd);
  if (flaw !== null) return failed(flaw);
  const end = bytes.lastIndexOf(LINE_FEED);
  const start = startOfLine(bytes, end);
  const last = offset + start === 0 ? header : unseal(bytes.subarray(start, end));
  if (last.kind === 'damaged') {
    const line = lineNumberAt(fd, offset + start);
    return failed({ code: 'damaged-record', line, record: line - 1, ...last });
  }
  const ending = restAfter(last, bytes.subarray(end + 1));
  if (ending === null) return flawAt(offset + end + 1, { code: 'damaged-end' });
  return { kind: 'ends', header, length: offset + end + 1, ended: last, ...ending };
}
