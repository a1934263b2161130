import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Files of this program by how they begin, or have at a place, that hold what is nowhere else. */
const KEPT: readonly { readonly what: string; readonly at: number; readonly bytes: Buffer }[] = [
  { what: 'a ledger', at: 0, bytes: Buffer.from('{"schema":"dpcompose.ledger/') },
  { what: 'a run', at: 0, bytes: Buffer.from('{"schema":"dpcompose.lazy-run/') },
  // The number of the application in the header of a database of SQLite.
  { what: 'a store of ledgers', at: 68, bytes: Buffer.from('dpcl') },
];

function bytesAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}

/** What a regular file is that must not be written over; null where it is nothing of that kind, or cannot be read. */
export function keptFile(path: string): string | null {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
    const fd = openSync(path, 'r');
    try {
      return KEPT.find(({ at, bytes }) => bytesAt(fd, at, bytes.length).equals(bytes))?.what ?? null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}
