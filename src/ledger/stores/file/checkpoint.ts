import { fstatSync } from 'node:fs';
import type { Failed } from '../../fault.ts';
import { Folding } from '../../history.ts';
import type { Fold, Folded } from '../../store.ts';
import { numberOf, seal, unseal, type Sealed } from '../../line.ts';
import { Walker } from '../../chain.ts';
import { readFirstLine, lineBatches, lineFrom, startOf } from './lines.ts';
import type { LockedFile } from './lock-files.ts';
import {
  readSidecar,
  writeSidecar,
  isSettled,
  isUnchangedSinceCheck,
  fileFingerprint,
  cutFaultIn,
  SMALL,
} from './fingerprint.ts';

const SCHEMA = 'dpcompose.ledger-checkpoint/1';

/** The sum of the records up to one of them. */
export interface Checkpoint {
  readonly fold: string;
  readonly hash: string;
  /** Where in the file that record ends; in a database, its number. */
  readonly end: number;
  /** The file as it was when all of it was read (`fileFingerprint`). */
  readonly moment: string;
  readonly sum: unknown;
}

const isCheckpoint = (value: Readonly<Record<string, unknown>>): boolean =>
  value.schema === SCHEMA && Number.isSafeInteger(value.end) && Number(value.end) > 0;

/** The checkpoint beside a file; null where none of this kind can be read. */
export function readCheckpoint(path: string, fold: string): Checkpoint | null {
  const bytes = readSidecar(path, 'checkpoint');
  const record = bytes === null ? null : unseal(bytes);
  if (record?.kind !== 'record' || !isCheckpoint(record.fields) || record.fields.fold !== fold) return null;
  return record.fields as unknown as Checkpoint;
}

/** Keeps a checkpoint beside a file. */
export function writeCheckpoint(path: string, { fold, hash, end, moment, sum }: Checkpoint): void {
  writeSidecar(path, 'checkpoint', seal({ schema: SCHEMA, fold, hash, end, moment, sum }).text);
}

function recordEndingAt(fd: number, { end, hash }: Checkpoint): Sealed | null {
  if (end > fstatSync(fd).size) return null;
  const record = unseal(lineFrom(fd, startOf(fd, end - 1), end));
  return record.kind === 'record' && record.hash === hash && numberOf(record) > 0 ? record : null;
}

interface Beginning<T> {
  readonly folding: Folding<T>;
  readonly walker: Walker;
  readonly start: { readonly offset: number; readonly line: number };
}

const atTheFirst = <T>(fold: Fold<T>): Beginning<T> => ({
  folding: new Folding(fold),
  walker: new Walker({ remembers: false }),
  start: { offset: 0, line: 1 },
});

/** After a checkpoint; null where it is not one of this file, or the file may have been changed before it. */
function resumed<T>({ path, fd }: LockedFile, fold: Fold<T>, moment: string): Beginning<T> | null {
  const checkpoint = readCheckpoint(path, fold.name);
  if (checkpoint === null || (checkpoint.moment !== moment && !isUnchangedSinceCheck(path, moment))) return null;
  const last = recordEndingAt(fd, checkpoint);
  const header = readFirstLine(fd);
  if (last === null || header.kind === 'failed') return null;
  const folding = new Folding(fold);
  if (!folding.resume(header, last, checkpoint.sum)) return null;
  const line = numberOf(last) + 1;
  const walker = new Walker({ remembers: false, after: { header, last, line } });
  return { folding, walker, start: { offset: checkpoint.end, line: line + 1 } };
}

/**
 * Sums up the records of an open ledger file. Of a large one the sum is kept beside it, with the hash of the last record; it is
 * gone on from where the file is as it was then, or as it was left by those who had found it to be one chain, so that this hash
 * says what all records before it are.
 */
export function foldFile<T>(path: string, fd: number, fold: Fold<T>): Folded<T> | Failed {
  const cut = cutFaultIn({ path, fd });
  if (cut !== null) return cut;
  const { size } = fstatSync(fd);
  const moment = fileFingerprint(fd);
  const { folding, walker, start } = (size > SMALL ? resumed({ path, fd }, fold, moment) : null) ?? atTheFirst(fold);
  let end = start.offset;
  for (const batch of lineBatches(fd, { start, end: size })) {
    for (const line of batch) {
      for (const parsedLine of walker.take(line)) {
        const fault = folding.take(parsedLine);
        if (fault !== null) return fault;
      }
      end += line.bytes.length + 1;
    }
  }
  for (const parsedLine of walker.end()) {
    const fault = folding.take(parsedLine);
    if (fault !== null) return fault;
  }
  const isStill = fileFingerprint(fd) === moment && (isUnchangedSinceCheck(path, moment) || isSettled(fd));
  const checkpoint = end - start.offset > SMALL && end === size && isStill ? folding.checkpoint() : null;
  if (checkpoint !== null) {
    const { last, sum } = checkpoint;
    writeCheckpoint(path, { fold: fold.name, hash: last.hash, end, moment, sum });
  }
  return folding.folded();
}
