import { closeSync, existsSync, linkSync, unlinkSync } from 'node:fs';
import { failed, type Failed, type NotMade } from '../records/fault.ts';
import type { Birth } from '../journal/births.ts';
import { readHeader } from '../records/record.ts';
import { hiddenPathOf } from './hidden.ts';
import { createUnnamed, obstacle, syncDirectory } from './create.ts';
import type { Disk } from './disk.ts';
import { lock } from './lock.ts';
import { openExisting, reading } from './open-file.ts';
import { readFirstLine } from './ends.ts';
import { stampAfter } from './sound.ts';
import { createFault } from './system-error.ts';

/**
 * The file in which a ledger is before the record counts that it comes into being with, of this hash. It is there, whole, before the
 * text of that record is: a ledger that is neither here nor under its own name was born, and has another name now, or is gone.
 */
const hiddenPath = ({ name }: Birth, hash: string): string => hiddenPathOf(name, hash);

/** A ledger that is made, and not yet called by its name; nobody else can add to it. */
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
  const hidden = hiddenPath(birth, hash);
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

/** Makes the files of ledgers that come into being with a record of this hash, all of them under hidden names, or none. */
export async function conceiveAll(
  births: readonly Birth[],
  hash: string,
  disk: Disk,
): Promise<readonly Unborn[] | Failed> {
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
export function bearAll(unborn: readonly Unborn[]): Failed | null {
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
export function leave(unborn: readonly Unborn[]): void {
  for (const { fd } of unborn) closeSync(fd);
}

/** Removes what was made, while nobody else can have added to it. */
export function undoBirths(unborn: readonly Unborn[]): void {
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
    const hidden = hiddenPath(birth, hash);
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
