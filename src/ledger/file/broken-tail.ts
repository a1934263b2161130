import { fstatSync } from 'node:fs';
import { numberOf, unseal, type Damage } from '../records/line.ts';
import { linesOf, readAt } from './lines.ts';

/** The end of a ledger file that is no record. */
export interface BrokenTail {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** What is no record, nor one that was changed: pieces, blank lines, anything that was written behind it. */
const NO_RECORD: ReadonlySet<Damage['what']> = new Set(['blank', 'not-text', 'not-json', 'unsealed']);

/**
 * What stands after the last record of an open ledger file that follows the one before it, with newlines in it or not; null where
 * nothing does, or a line in it is a record, or was one before it was changed.
 */
export function brokenTail(fd: number): BrokenTail | null {
  let [seq, prev]: [number, string | null] = [0, null];
  let offset: number | null = null;
  for (const line of linesOf(fd)) {
    const record = line.tooLong ? null : unseal(line.bytes);
    const isRecord = record?.kind === 'record';
    if (offset === null && isRecord && (prev === null || (numberOf(record) === seq && record.fields.prev === prev))) {
      seq++;
      prev = record.hash;
      continue;
    }
    // What has no newline was never told to be kept, whatever it is.
    const isCounted = line.ended && record !== null && (isRecord || !NO_RECORD.has(record.what));
    if (isCounted) return null;
    offset ??= line.offset;
  }
  if (offset === null || prev === null) return null;
  return { offset, bytes: readAt(fd, offset, fstatSync(fd).size - offset) };
}
