import { fstatSync, statSync } from 'node:fs';
import { failed, type Failed } from '../../fault.ts';
import { newLedgersOf, type NewLedger, type Prepared } from '../../prepare.ts';
import { readHeader } from '../../record.ts';
import { NEWLINE, writeAll, type Disk } from './create.ts';
import { createDrafts, leaveDrafts, publishDrafts, releaseDrafts, removeDrafts, type Draft } from './drafts.ts';
import { references } from './file-system.ts';
import { readAt, type FileEnds } from './lines.ts';
import type { LockedFile } from './lock-files.ts';
import { reasonOf, writeFault } from './system-error.ts';

/** A held file whose end is settled, and the record to be added to it. */
export interface Addition {
  readonly file: LockedFile;
  readonly ends: FileEnds;
  readonly prepared: Prepared;
}

/** Takes back what was written beyond the end; false where that is not certain. */
function undo(disk: Disk, { file: { fd }, ends: { length } }: Addition): boolean {
  try {
    disk.truncate(fd, length);
    disk.sync(fd);
    return true;
  } catch {
    return false;
  }
}

function writeText(disk: Disk, { file: { fd }, prepared: { line } }: Addition): void {
  writeAll(disk, fd, line);
  disk.sync(fd);
}

function writeNewline(disk: Disk, { file: { fd } }: Addition): void {
  writeAll(disk, fd, NEWLINE);
  disk.sync(fd);
}

/** Whether the record is at its place in the file that still goes by this name. */
function isInPlace({ file: { path, fd }, ends: { length }, prepared: { line } }: Addition): boolean {
  const [open, entry] = [fstatSync(fd, { bigint: true }), statSync(path, { bigint: true, throwIfNoEntry: false })];
  if (open.ino !== entry?.ino || open.dev !== entry.dev) return false;
  return readAt(fd, length, line.length).equals(line);
}

function newLedgersIn({
  file: { path },
  ends: { header: sealed },
  prepared: { record },
}: Addition): readonly NewLedger[] | Failed {
  const header = readHeader(sealed);
  return 'kind' in header ? header : newLedgersOf({ name: path, header }, record, references);
}

/**
 * Keeps records of one transaction in files that are held and settled, all of them or none; null when it has.
 *
 * Each record is written in two steps, each made durable: its text, then its newline. The text of the first one, the head, is
 * written after those of the others: from then on all count, and before that none does (see `settle`). What comes into being
 * with a record is made before its text, under a hidden name, and gets its own name before the newline of the head, so that a
 * record with a newline has nothing left to be done for it. Where something fails, the head is taken back first; nobody has
 * added to what was to come into being by then.
 */
export async function append(additions: readonly Addition[], disk: Disk): Promise<Failed | null> {
  const [head, ...others] = additions;
  if (head === undefined) return null;
  const newLedgers = additions.map(newLedgersIn);
  const wrong = newLedgers.find((result): result is Failed => 'kind' in result);
  if (wrong !== undefined) return wrong;
  const drafts: Draft[] = [];
  for (const [i, addition] of additions.entries()) {
    const newDrafts = await createDrafts(newLedgers[i] as readonly NewLedger[], addition.prepared.record.hash, disk);
    if ('kind' in newDrafts) {
      removeDrafts(drafts);
      return newDrafts;
    }
    drafts.push(...newDrafts);
  }
  const takeBack = (fault: Failed, error?: unknown): Failed => {
    const isUndone = undo(disk, head);
    for (const addition of others) undo(disk, addition);
    if (isUndone) removeDrafts(drafts);
    else leaveDrafts(drafts);
    return isUndone
      ? fault
      : failed({ code: 'outcome-unknown', reason: error === undefined ? fault.fault.code : reasonOf(error) });
  };
  let at = head;
  try {
    for (const addition of [...others, head]) {
      at = addition;
      writeText(disk, addition);
    }
    const fault = publishDrafts(drafts);
    if (fault !== null) return takeBack(fault);
    at = head;
    writeNewline(disk, head);
  } catch (error) {
    return takeBack(failed(writeFault(error), at.file.path), error);
  }
  releaseDrafts(drafts);
  return finishOthers(additions, others, disk);
}

/** Gives the others their newlines too, and looks whether all is where it should be. */
function finishOthers(all: readonly Addition[], others: readonly Addition[], disk: Disk): Failed | null {
  for (const addition of others) {
    try {
      writeNewline(disk, addition);
    } catch {
      // It counts, as the head does: the next writer finishes it.
    }
  }
  for (const addition of all) {
    try {
      if (!isInPlace(addition)) return failed({ code: 'replaced' }, addition.file.path);
    } catch (error) {
      return failed({ code: 'outcome-unknown', reason: reasonOf(error) }, addition.file.path);
    }
  }
  return null;
}
