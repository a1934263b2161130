import { failed, type Failed, type Place } from './fault.ts';
import { reading } from './open-file.ts';
import type { Rest } from './ends.ts';
import { readHeader, readRecord, type Header, type Recorded } from './record.ts';
import { walk } from './walk.ts';

/** A record with what identifies it. */
export interface Kept {
  readonly place: Place;
  readonly hash: string;
  readonly recorded: Recorded;
}

/** A ledger file that was read from its beginning to its end, and has no flaw. */
export interface Scanned {
  readonly kind: 'scanned';
  readonly header: Header;
  /** How many records there are beside the header. */
  readonly count: number;
  /** The hash of the last record. */
  readonly hash: string;
  readonly rest: Rest;
}

/** Takes what is read, and stops the reading where it says what is wrong. */
export interface Reader {
  readonly header?: (header: Header) => Failed | null;
  readonly record: (kept: Kept) => Failed | null;
}

/** Reads an open ledger file from its beginning to its end, up to the first thing that is wrong with it. */
export function scan(fd: number, reader: Reader): Scanned | Failed {
  let header: Header | null = null;
  let [count, hash] = [0, ''];
  let rest: Rest = { kind: 'none' };
  for (const found of walk(fd)) {
    if (found.kind === 'other') return failed(found.fault);
    if (found.kind === 'flaw') return failed(found.flaw);
    if (found.kind === 'rest') {
      ({ rest } = found);
      continue;
    }
    const { record, place } = found;
    ({ hash } = record);
    if (place.record === 0) {
      const read = readHeader(record);
      if ('kind' in read) return read;
      header = read;
      const wrong = reader.header?.(read) ?? null;
      if (wrong !== null) return wrong;
    } else {
      const recorded = readRecord(record, place);
      const wrong = 'kind' in recorded ? recorded : reader.record({ place, hash, recorded });
      if (wrong !== null) return wrong;
      count++;
    }
  }
  if (header === null) throw new Error('A ledger without flaws has a header.');
  return { kind: 'scanned', header, count, hash, rest };
}

/** All that a ledger file holds. */
export interface History extends Omit<Scanned, 'kind' | 'count'> {
  readonly kind: 'history';
  readonly records: readonly Kept[];
}

/** Reads all of a ledger file, up to the first thing that is wrong with it. */
export const readHistory = (path: string): History | Failed =>
  reading(path, (fd) => {
    const records: Kept[] = [];
    const scanned = scan(fd, {
      record: (kept) => {
        records.push(kept);
        return null;
      },
    });
    if (scanned.kind === 'failed') return scanned;
    const { header, hash, rest } = scanned;
    return { kind: 'history', header, records, hash, rest };
  });
