import { fstatSync, statSync, closeSync, existsSync, linkSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { birthsOf, type Birth, type Prepared } from '../journal/prepare.ts';
import { failed, type Failed, type NotMade } from '../records/fault.ts';
import { readHeader } from '../records/record.ts';
import { NEWLINE, writeAll, type Disk, createUnnamed, obstacle, syncDirectory } from './create.ts';
import { type FileEnds, readFirstLine, readAt } from './lines.ts';
import { type Held, hiddenPathOf, lock, removeDead, UNBORN } from './hold.ts';
import { references } from './file-system.ts';
import { reasonOf, writeFault, createFault, openExisting, reading } from './system-error.ts';
import { stampAfter } from './stamp.ts';

/**
 * A ledger that is made, and not yet called by its name; nobody else can add to it. It is there, whole, before the text of the record is
 * with which it comes into being: one that is neither here nor under its own name was born, and has another name now, or is gone.
 */
export interface Unborn {
  readonly birth: Birth;
  readonly hidden: string;
  readonly fd: number;
}

const notMade = ({ name }: Birth, because: NotMade['because']): Failed =>
  failed({ code: 'not-made', path: name, because });

async function conceive(birth: Birth, hash: string, disk: Disk): Promise<Unborn | Failed> {
  const inTheWay = obstacle(birth.name);
  if (inTheWay !== null) return notMade(birth, inTheWay);
  const hidden = hiddenPathOf(birth.name, hash);
  const made = createUnnamed(hidden, birth.header, { disk });
  if (made.kind === 'failed') return notMade(birth, made.fault);
  const fd = openExisting(hidden, 'append');
  if (typeof fd !== 'number') return fd;
  const fault = await lock(fd, 0);
  if (fault === null) return { birth, hidden, fd };
  closeSync(fd);
  unlinkSync(hidden);
  return fault;
}

/**
 * Removes what earlier writers to the ledger that births come from have left beside them. That is held, and settled: every record that
 * it has is one with which nothing is left to be done, so that no file is needed that waits for one.
 */
async function removeLeftBy(parent: string | undefined, births: readonly Birth[]): Promise<void> {
  const folders = new Map(births.map(({ name }) => [dirname(name), name]));
  for (const name of folders.values()) {
    await removeDead(name, UNBORN, (fd) => {
      const header = readFirstLine(fd);
      const read = header.kind === 'failed' ? header : readHeader(header);
      return 'kind' in read || read.origin?.id !== parent;
    });
  }
}

/** Makes the files of ledgers that come into being with a record of this hash, all of them under hidden names, or none. */
async function conceiveAll(births: readonly Birth[], hash: string, disk: Disk): Promise<readonly Unborn[] | Failed> {
  try {
    await removeLeftBy(births[0]?.header.origin?.id, births);
  } catch {
    // A folder that is not there, or that nobody may read: of that it is said when something is made in it.
  }
  const all: Unborn[] = [];
  for (const birth of births) {
    const made = await conceive(birth, hash, disk);
    if ('kind' in made) {
      undoBirths(all);
      return made;
    }
    all.push(made);
  }
  return all;
}

/** Gives a ledger its name, if nothing has it. */
function nameHidden(hidden: string, { name }: Birth): void {
  linkSync(hidden, name);
  syncDirectory(name);
}

/** Gives ledgers their names, while the record that they belong to counts; what was done stays done where one cannot have its name. */
function bearAll(unborn: readonly Unborn[]): Failed | null {
  for (const { birth, hidden } of unborn) {
    try {
      nameHidden(hidden, birth);
    } catch (error) {
      return notMade(birth, createFault(error));
    }
  }
  return null;
}

/** Lets others add to ledgers that have their names, now that the record counts. */
export function release(born: readonly Unborn[]): void {
  for (const { birth, hidden, fd } of born) {
    try {
      unlinkSync(hidden);
    } catch {
      // It is a second name of the same file, which nobody asks for.
    }
    stampAfter({ path: birth.name, fd });
    closeSync(fd);
  }
}

/** Leaves everything to the next writer, where it is not known whether the record counts. */
function leave(unborn: readonly Unborn[]): void {
  for (const { fd } of unborn) closeSync(fd);
}

/** Removes what was made, while nobody else can have added to it. */
function undoBirths(unborn: readonly Unborn[]): void {
  for (const { birth, hidden, fd } of unborn) {
    if (isBorn(birth) === true) unlinkSync(birth.name);
    unlinkSync(hidden);
    closeSync(fd);
  }
}

/** Whether the file of this name is the ledger that a birth asks for; null where there is none. */
function isBorn({ name, header }: Birth): boolean | null {
  if (!existsSync(name)) return null;
  const found = reading(name, readFirstLine);
  const read = found.kind === 'failed' ? found : readHeader(found);
  if ('kind' in read) return false;
  return read.id === header.id && read.origin?.hash === header.origin?.hash && read.origin?.id === header.origin?.id;
}

/** Gives ledgers their names that were made before the record of this hash counted, as far as a writer that was stopped did not. */
export function bearMissing(births: readonly Birth[], hash: string): Failed | null {
  for (const birth of births) {
    const hidden = hiddenPathOf(birth.name, hash);
    if (!existsSync(hidden)) continue;
    try {
      if (isBorn(birth) !== true) nameHidden(hidden, birth);
      unlinkSync(hidden);
    } catch (error) {
      return failed({ code: 'not-made', path: birth.name, because: createFault(error), isPaidFor: true });
    }
  }
  return null;
}

/** A held file whose end is settled, and the record to be added to it. */
export interface Addition {
  readonly file: Held;
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
  const [open, named] = [fstatSync(fd, { bigint: true }), statSync(path, { bigint: true, throwIfNoEntry: false })];
  if (open.ino !== named?.ino || open.dev !== named.dev) return false;
  return readAt(fd, length, line.length).equals(line);
}

function birthsIn({
  file: { path },
  ends: { header: sealed },
  prepared: { record },
}: Addition): readonly Birth[] | Failed {
  const header = readHeader(sealed);
  return 'kind' in header ? header : birthsOf({ name: path, header }, record, references);
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
export async function keep(additions: readonly Addition[], disk: Disk): Promise<Failed | null> {
  const [head, ...others] = additions;
  if (head === undefined) return null;
  const births = additions.map(birthsIn);
  const wrong = births.find((each): each is Failed => 'kind' in each);
  if (wrong !== undefined) return wrong;
  const unborn: Unborn[] = [];
  for (const [i, each] of additions.entries()) {
    const made = await conceiveAll(births[i] as readonly Birth[], each.prepared.record.hash, disk);
    if ('kind' in made) {
      undoBirths(unborn);
      return made;
    }
    unborn.push(...made);
  }
  const takeBack = (fault: Failed, error?: unknown): Failed => {
    const isUndone = undo(disk, head);
    for (const each of others) undo(disk, each);
    if (isUndone) undoBirths(unborn);
    else leave(unborn);
    return isUndone
      ? fault
      : failed({ code: 'outcome-unknown', reason: error === undefined ? fault.fault.code : reasonOf(error) });
  };
  let at = head;
  try {
    for (const each of [...others, head]) {
      at = each;
      writeText(disk, each);
    }
    const fault = bearAll(unborn);
    if (fault !== null) return takeBack(fault);
    at = head;
    writeNewline(disk, head);
  } catch (error) {
    return takeBack({ ...failed(writeFault(error)), ledger: at.file.path }, error);
  }
  release(unborn);
  return finishOthers(additions, others, disk);
}

/** Gives the others their newlines too, and looks whether all is where it should be. */
function finishOthers(all: readonly Addition[], others: readonly Addition[], disk: Disk): Failed | null {
  for (const each of others) {
    try {
      writeNewline(disk, each);
    } catch {
      // It counts, as the head does: whoever writes to it next finishes it.
    }
  }
  for (const each of all) {
    try {
      if (!isInPlace(each)) return { ...failed({ code: 'replaced' }), ledger: each.file.path };
    } catch (error) {
      return { ...failed({ code: 'outcome-unknown', reason: reasonOf(error) }), ledger: each.file.path };
    }
  }
  return null;
}
