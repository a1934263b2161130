import { closeSync, fstatSync, statSync } from 'node:fs';
import { DISK, NEWLINE, writeAll, writeLine, type Disk } from './disk.ts';
import { readEnds, type Ends, type Rest } from './ends.ts';
import { failed, type Failed } from './fault.ts';
import { numberOf, seal, type Fields, type Sealed } from './line.ts';
import { LONGEST_RECORD, readAt } from './lines.ts';
import { lock } from './lock.ts';
import { openExisting } from './open-file.ts';
import { readFault, reasonOf, writeFault } from './system-error.ts';

/** How to wait, and for what. */
export interface AppendOptions {
  /** Seconds to wait for others who write. */
  readonly patience: number;
  /** The hash (or its first digits) that the last record must have. */
  readonly expect?: string;
  readonly disk?: Disk;
}

/** A proposal after a look at the two ends: fields of a record to be added, or none; and the result. */
export interface Proposal<T> {
  readonly kind: 'proposal';
  /** Fields beside `seq`, `ledger`, `prev` and `hash`; null: the file stays as it is. */
  readonly fields: Fields | null;
  readonly value: T;
}

export interface Appended<T> {
  readonly kind: 'appended';
  readonly value: T;
  /** The record that was added, and is durable; null where nothing was. */
  readonly record: Sealed | null;
  /** The end that an earlier writer had left unfinished, and that was removed (torn) or finished (whole). */
  readonly recovered: Rest;
}

/** Leaves nothing unfinished at the end of the file; returns its length then. */
function recover(disk: Disk, fd: number, { length, rest }: Ends): number {
  switch (rest.kind) {
    case 'none':
      return length;
    case 'torn':
      disk.truncate(fd, length);
      disk.sync(fd);
      return length;
    case 'whole': {
      disk.truncate(fd, length + rest.bytes);
      writeAll(disk, fd, NEWLINE);
      disk.sync(fd);
      return length + rest.bytes + 1;
    }
  }
}

/** Takes back what was written beyond `length`; false where that is not certain. */
function undo(disk: Disk, fd: number, length: number): boolean {
  try {
    disk.truncate(fd, length);
    disk.sync(fd);
    return true;
  } catch {
    return false;
  }
}

/** Whether the bytes are at their place in the file that still goes by this name. */
function inPlace(path: string, fd: number, offset: number, bytes: Buffer): boolean {
  const [open, named] = [fstatSync(fd, { bigint: true }), statSync(path, { bigint: true, throwIfNoEntry: false })];
  if (open.ino !== named?.ino || open.dev !== named.dev) return false;
  return readAt(fd, offset, bytes.length).equals(bytes);
}

/** A record in the chain after `last`, in the ledger of this header. */
function sealAfter({ header, last }: Ends, fields: Fields): { readonly line: Buffer; readonly record: Sealed } {
  const all = { seq: numberOf(last) + 1, ...fields, ledger: header.hash, prev: last.hash };
  const { text, hash } = seal(all);
  return { line: Buffer.from(text), record: { kind: 'record', fields: all, hash } };
}

/** Adds a record; a writer that is stopped anywhere leaves an end that `restAfter` can tell from a record. */
function write(path: string, fd: number, ends: Ends, fields: Fields, disk: Disk): Sealed | Failed {
  const { line, record } = sealAfter(ends, fields);
  if (line.length > LONGEST_RECORD) return failed({ code: 'too-long', bytes: line.length });
  let length = ends.rest.kind === 'whole' ? ends.length + ends.rest.bytes : ends.length;
  try {
    length = recover(disk, fd, ends);
    writeLine(disk, fd, line);
  } catch (error) {
    const fault = writeFault(error);
    return failed(undo(disk, fd, length) ? fault : { code: 'outcome-unknown', reason: reasonOf(error) });
  }
  try {
    return inPlace(path, fd, length, Buffer.concat([line, NEWLINE])) ? record : failed({ code: 'replaced' });
  } catch (error) {
    return failed({ code: 'outcome-unknown', reason: reasonOf(error) });
  }
}

function proposeAndWrite<T>(
  path: string,
  fd: number,
  propose: (ends: Ends, fd: number) => Proposal<T> | Failed,
  { expect, disk = DISK }: AppendOptions,
): Appended<T> | Failed {
  const ends = readEnds(fd);
  if (ends.kind === 'failed') return ends;
  const found = ends.last.hash;
  if (expect !== undefined && !found.startsWith(expect)) return failed({ code: 'changed', expected: expect, found });
  const proposal = propose(ends, fd);
  if (proposal.kind === 'failed') return proposal;
  const { fields, value } = proposal;
  if (fields === null) return { kind: 'appended', value, record: null, recovered: { kind: 'none' } };
  const record = write(path, fd, ends, fields, disk);
  return record.kind === 'failed' ? record : { kind: 'appended', value, record, recovered: ends.rest };
}

/**
 * Adds the record that `propose` makes of the two ends of a ledger file, while nobody else can add one. What it returns
 * is durable; where it fails, nothing was added, unless the code of the fault says otherwise.
 */
export async function append<T>(
  path: string,
  propose: (ends: Ends, fd: number) => Proposal<T> | Failed,
  options: AppendOptions,
): Promise<Appended<T> | Failed> {
  const fd = openExisting(path, 'append');
  if (typeof fd !== 'number') return fd;
  try {
    return (await lock(fd, options.patience)) ?? proposeAndWrite(path, fd, propose, options);
  } catch (error) {
    return failed(readFault(error));
  } finally {
    closeSync(fd);
  }
}
