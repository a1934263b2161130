import { fstatSync } from 'node:fs';
import { failed, type Failed, type Flaw, type NotALedger } from './fault.ts';
import { isOpen, numberOf, unseal, type Sealed } from './line.ts';
import { lineNumberAt, LONGEST_LINE, readAt } from './lines.ts';
import { chainFlaw } from './tail.ts';

/** The name and version of the format. */
export const LEDGER_SCHEMA = 'dpcompose.ledger/1';

const SCHEMA_START = '{"schema":"dpcompose.ledger/';
const NEWLINE = 10;
const CHUNK = 64 * 1024;

/** The bytes after the last newline. */
export type Rest =
  | { readonly kind: 'none' }
  /** The beginning of a record whose writing was cut short, or is under way; or of one whose end was removed. */
  | { readonly kind: 'torn'; readonly bytes: number }
  /** All of a record but its newline, in so many bytes: it counts. */
  | { readonly kind: 'whole'; readonly bytes: number };

/** The two ends of a ledger file: all that is read to decide what may be added. */
export interface Ends {
  readonly kind: 'ends';
  readonly header: Sealed;
  /** The last record that counts; the header, where there is no other. */
  readonly last: Sealed;
  /** Up to where in the file lines have ends. */
  readonly length: number;
  readonly rest: Rest;
}

/** Whether `text` and `start` agree as far as both go. */
const agrees = (text: string, start: string): boolean =>
  text.length < start.length ? start.startsWith(text) : text.startsWith(start);

/**
 * The rest that the bytes after the newline of `last` are; null where no unfinished write leaves them behind.
 *
 * A record is written in two steps, each made durable: its text, then its newline. So what has no newline was never
 * acknowledged. It is the beginning of the next record, or all of it, perhaps with zeros for bytes that the system had
 * not yet put in their place.
 */
export function restAfter(last: Sealed, bytes: Buffer): { readonly rest: Rest; readonly last: Sealed } | null {
  if (bytes.length === 0) return { rest: { kind: 'none' }, last };
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  const written = bytes.subarray(0, end);
  const next = numberOf(last) + 1;
  const record = unseal(written);
  if (record.kind === 'record' && record.fields.seq === next && record.fields.prev === last.hash) {
    return { rest: { kind: 'whole', bytes: end }, last: record };
  }
  const text = written.toString('utf8');
  const torn = agrees(text, `{"seq":${next},`) && isOpen(text);
  return torn ? { rest: { kind: 'torn', bytes: bytes.length }, last } : null;
}

/** The header that a first line is, or why it is none; `ended`: by a newline. */
export function headerOf(line: Buffer, ended: boolean): Sealed | Failed<Flaw | NotALedger> {
  const place = { line: 1, record: 0 };
  if (line.length === 0 && !ended) return failed({ code: 'empty-ledger', ...place });
  const header = unseal(line);
  const text = line.toString('utf8').replace(/^\ufeff/, '');
  const marked = agrees(text, SCHEMA_START);
  const schema = /^\{"schema":"([^"]{0,60})"/.exec(text)?.[1];
  const sealed = header.kind === 'record' || header.what === 'wrong-hash';
  if (!marked && !sealed) return failed({ code: 'not-a-ledger' });
  if (schema !== LEDGER_SCHEMA && (header.kind === 'record' || (marked && !sealed && schema !== undefined))) {
    return failed(marked ? { code: 'unsupported-version', found: schema ?? '' } : { code: 'not-a-ledger' });
  }
  if (!ended) return failed({ code: 'unfinished-header', ...place });
  return header.kind === 'record' ? header : failed({ code: 'damaged-record', ...place, ...header });
}

function readHeader(fd: number): Sealed | Failed {
  for (let length = CHUNK; ; length *= 8) {
    const start = readAt(fd, 0, length);
    const end = start.indexOf(NEWLINE);
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
const startOfLine = (bytes: Buffer, end: number): number => (end <= 0 ? 0 : bytes.lastIndexOf(NEWLINE, end - 1) + 1);

/** The end of the file with two lines that have ends, or all of it; null where these are too long. */
function readTail(fd: number, size: number): Tail | null {
  for (let length = CHUNK; ; length *= 8) {
    const from = Math.max(0, size - length);
    const bytes = readAt(fd, from, size - from);
    if (from === 0) return { offset: 0, bytes };
    const last = startOfLine(bytes, bytes.lastIndexOf(NEWLINE));
    if (startOfLine(bytes, last - 1) > 0) {
      const start = bytes.indexOf(NEWLINE) + 1;
      return { offset: from + start, bytes: bytes.subarray(start) };
    }
    if (length > 2 * LONGEST_LINE) return null;
  }
}

/** The first flaw that keeps the lines of the tail from being one chain. */
function flawIn({ offset, bytes }: Tail, header: Sealed, fd: number): Flaw | null {
  const lines = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
  const begins = offset === 0;
  return chainFlaw(lines, { header, begins, line: 1 }) === null
    ? null
    : chainFlaw(lines, { header, begins, line: lineNumberAt(fd, offset) });
}

/**
 * Reads the two ends of an open ledger file, whatever its size. The last lines must be one chain: the totals of the last
 * one are those of all only if nothing was joined, doubled or taken out.
 */
export function readEnds(fd: number): Ends | Failed {
  const { size } = fstatSync(fd);
  const header = readHeader(fd);
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
  const end = bytes.lastIndexOf(NEWLINE);
  const start = startOfLine(bytes, end);
  const last = offset + start === 0 ? header : unseal(bytes.subarray(start, end));
  if (last.kind === 'damaged') {
    const line = lineNumberAt(fd, offset + start);
    return failed({ code: 'damaged-record', line, record: line - 1, ...last });
  }
  const found = restAfter(last, bytes.subarray(end + 1));
  if (found === null) return flawAt(offset + end + 1, { code: 'damaged-end' });
  return { kind: 'ends', header, length: offset + end + 1, ...found };
}
