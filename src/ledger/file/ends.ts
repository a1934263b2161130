import { fstatSync } from 'node:fs';
import { headerOf, restAfter, type Ends } from '../records/ends.ts';
import { failed, type Failed, type Flaw } from '../records/fault.ts';
import { unseal, type Sealed, numberOf, placed, LONGEST_LINE } from '../records/line.ts';
import { lineNumberAt, LINE_FEED, readAt } from './lines.ts';
import { Chain } from '../records/chain.ts';

/** Lines at the end of a ledger file. */
interface Around {
  readonly header: Sealed;
  /** Whether the first of them is the header. */
  readonly begins: boolean;
  /** The number of the first of them. */
  readonly line: number;
}

/**
 * The first thing that keeps lines, each with its end, from being one chain of records of a ledger: every number is one
 * more than that before, and every `prev` the hash before. That the hashes are those of the content is not looked at.
 */
export function chainFlaw(lines: Buffer, { header, begins, line: first }: Around): Flaw | null {
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

const CHUNK = 64 * 1024;

/** The two ends of a ledger file. */
export interface FileEnds extends Ends {
  /** Up to where in the file lines have ends. */
  readonly length: number;
  /** The last record that has its newline. */
  readonly ended: Sealed;
}

/** The header of an open ledger file. */
export function readFirstLine(fd: number): Sealed | Failed {
  for (let length = CHUNK; ; length *= 8) {
    const start = readAt(fd, 0, length);
    const end = start.indexOf(LINE_FEED);
    if (end >= 0) return headerOf(start.subarray(0, end), true);
    if (start.length < length) return headerOf(start, false);
    if (length > LONGEST_LINE) return failed({ code: 'line-too-long', line: 1, record: 0 });
  }
}

/** The end of a file, from the beginning of a line. */
interface Tail {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** Where the line that ends at `end` begins; 0 where that is not seen. */
const startOfLine = (bytes: Buffer, end: number): number => (end <= 0 ? 0 : bytes.lastIndexOf(LINE_FEED, end - 1) + 1);

/** The end of the file with two lines that have ends, or all of it; null where these are too long. */
function readTail(fd: number, size: number): Tail | null {
  for (let length = CHUNK; ; length *= 8) {
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

/** The first flaw that keeps the lines of the tail from being one chain. */
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
  for (let length = CHUNK; ; length *= 8) {
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
  const found = restAfter(last, bytes.subarray(end + 1));
  if (found === null) return flawAt(offset + end + 1, { code: 'damaged-end' });
  return { kind: 'ends', header, length: offset + end + 1, ended: last, ...found };
}
