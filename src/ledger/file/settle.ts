import { dirname, resolve } from 'node:path';
import { birthsOf } from '../journal/births.ts';
import { failed, type Failed } from '../records/fault.ts';
import { numberOf, type Sealed } from '../records/line.ts';
import { readHeader } from '../records/record.ts';
import { headNamedBy } from '../records/together.ts';
import { bearMissing } from './keep.ts';
import { NEWLINE, writeAll, type Disk } from './disk.ts';
import { readEnds, type FileEnds } from './ends.ts';
import type { Held } from './hold.ts';
import { linesOf } from './lines.ts';
import { references } from './references.ts';
import { cutFault, hasLeft, isAtHome } from './sound.ts';
import { writeFault } from './system-error.ts';

/** The ends of a held file after everything at its end was settled: what counts has its newline, and what does not is gone. */
export interface SettledEnds {
  readonly kind: 'settled';
  readonly ends: FileEnds;
  readonly settled: 'none' | 'finished' | 'removed';
}

/** Another file has to be held as well, to know whether the end of this one counts. */
export interface Needed {
  readonly kind: 'needed';
  readonly path: string;
}

/** The file of the head of a transaction, as a record in another file calls it. */
const headPath = (path: string, head: { readonly ledger: string }): string => resolve(dirname(path), head.ledger);

type Head = NonNullable<ReturnType<typeof headNamedBy>>;

const unsettled = (head: string, because: string): Failed => failed({ code: 'unsettled', head, because });

/** A member of a record by which a ledger goes on somewhere else, or without records that it had; in no text does it stand like this. */
const ADOPTED = Buffer.from('"event":"adopt"');

/**
 * Whether the ledger of the head has its record. It says no only where it is that ledger, in its own place, and always was: another
 * file of its name, a copy, an end that somebody cut short, and a ledger that was adopted without the record say nothing.
 */
function has(file: Held, { header, seq, hash }: Head): boolean | Failed {
  const { fd, path } = file;
  const ends = readEnds(fd);
  if (ends.kind === 'failed') return unsettled(path, ends.fault.code);
  if (ends.rest.kind === 'torn') return unsettled(path, 'unfinished-record');
  if (ends.header.hash !== header) return unsettled(path, 'foreign-record');
  if (cutFault(file, ends) !== null) return unsettled(path, 'cut-off');
  const last = numberOf(ends.last);
  if (last === seq && ends.last.hash === hash) return true;
  const needle = Buffer.from(`,"hash":"${hash}"}`);
  let isAdopted = false;
  for (const { bytes, tooLong } of linesOf(fd)) {
    if (!tooLong && bytes.subarray(-needle.length).equals(needle)) return true;
    isAdopted ||= bytes.includes(ADOPTED);
  }
  if (isAdopted) return unsettled(path, 'adopted');
  return isAtHome(ends.last, file) ? false : unsettled(path, 'moved');
}

/**
 * Whether a whole record without a newline counts. By itself it does. One of several of a transaction counts where that of the
 * head does, which was written after all others: while both files are held, nobody is about to write it any more.
 */
function counts(record: Sealed, { path }: Held, held: readonly Held[]): boolean | Needed | Failed {
  const head = headNamedBy(record);
  if (head === null) return true;
  const there = headPath(path, head);
  const file = held.find((each) => each.path === there);
  return file === undefined ? { kind: 'needed', path: there } : has(file, head);
}

/** Makes what comes into being with the last record, and gives it its newline; what was copied from elsewhere brings nothing into being. */
export function finish(file: Held, { header: sealed, last, length, rest }: FileEnds, disk: Disk): Failed | null {
  const { path, fd } = file;
  const header = readHeader(sealed);
  if ('kind' in header) return header;
  const births = birthsOf({ name: path, header }, last, references);
  if ('kind' in births) return births;
  const fault = isAtHome(last, file) ? bearMissing(births, last.hash) : null;
  if (fault !== null) return fault;
  disk.truncate(fd, length + (rest.kind === 'none' ? 0 : rest.bytes));
  writeAll(disk, fd, NEWLINE);
  disk.sync(fd);
  return null;
}

/** Settles the end of a held file; what it writes is durable. `adopt`: whether the file may be another one than it was written to. */
export function settle(
  file: Held,
  held: readonly Held[],
  { disk, adopt = false }: { readonly disk: Disk; readonly adopt?: boolean | undefined },
): SettledEnds | Needed | Failed {
  const ends = readEnds(file.fd);
  if (ends.kind === 'failed') return ends;
  const cut = adopt ? null : cutFault(file, ends);
  if (cut !== null) return cut;
  if (ends.rest.kind === 'none') return { kind: 'settled', ends, settled: 'none' };
  if (ends.rest.kind === 'torn' && !hasLeft(ends, file)) {
    const record = numberOf(ends.ended) + 1;
    return failed({ code: 'unfinished-record', line: record + 1, record, bytes: ends.rest.bytes });
  }
  if (!adopt && !isAtHome(ends.last, file)) return failed({ code: 'moved' });
  const counted = ends.rest.kind === 'torn' ? false : counts(ends.last, file, held);
  if (typeof counted === 'object') return counted;
  try {
    if (counted) {
      const fault = finish(file, ends, disk);
      if (fault !== null) return fault;
    } else {
      disk.truncate(file.fd, ends.length);
      disk.sync(file.fd);
    }
  } catch (error) {
    return failed(writeFault(error));
  }
  const after = readEnds(file.fd);
  return after.kind === 'failed' ? after : { kind: 'settled', ends: after, settled: counted ? 'finished' : 'removed' };
}
