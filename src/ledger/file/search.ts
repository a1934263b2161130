import { numberOf, unseal, type Sealed } from '../records/line.ts';
import type { Sought } from '../journal/store.ts';
import { LINE_FEED, readAt } from './lines.ts';

const CHUNK = 4 * 1024 * 1024;

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
  for (let from = start; from < length; from += CHUNK) {
    const size = Math.min(CHUNK + needle.length, length - from);
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
