import { closeSync, existsSync, linkSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { failed, type Failed, type NotMade } from '../../fault.ts';
import type { NewLedger } from '../../prepare.ts';
import { readHeader } from '../../record.ts';
import { createUnnamed, obstacle, syncDirectory, type Disk } from './create.ts';
import { readFirstLine } from './lines.ts';
import { DRAFT, draftPathOf, lock, removeAbandoned } from './lock-files.ts';
import { stampAfter } from './fingerprint.ts';
import { createFault, openExisting, reading } from './system-error.ts';

/**
 * A ledger that is made, and not yet called by its name; nobody else can add to it. It is there, whole, before the text of the record is
 * with which it comes into being: one that is neither here nor under its own name was published, and has another name now, or is gone.
 */
export interface Draft {
  readonly ledger: NewLedger;
  readonly hidden: string;
  readonly fd: number;
}

const notMade = ({ name }: NewLedger, because: NotMade['because']): Failed =>
  failed({ code: 'not-made', path: name, because });

async function createDraft(ledger: NewLedger, hash: string, disk: Disk): Promise<Draft | Failed> {
  const inTheWay = obstacle(ledger.name);
  if (inTheWay !== null) return notMade(ledger, inTheWay);
  const hidden = draftPathOf(ledger.name, hash);
  const result = createUnnamed(hidden, ledger.header, { disk });
  if (result.kind === 'failed') return notMade(ledger, result.fault);
  const fd = openExisting(hidden, 'append');
  if (typeof fd !== 'number') return fd;
  const fault = await lock(fd, 0);
  if (fault === null) return { ledger, hidden, fd };
  closeSync(fd);
  unlinkSync(hidden);
  return fault;
}

/**
 * Removes what earlier writers to the ledger that new ledgers come from have left beside them. That is held, and settled: every record that
 * it has is one with which nothing is left to be done, so that no file is needed that waits for one.
 */
async function removeAbandonedDrafts(parent: string | undefined, newLedgers: readonly NewLedger[]): Promise<void> {
  const folders = new Map(newLedgers.map(({ name }) => [dirname(name), name]));
  for (const name of folders.values()) {
    await removeAbandoned(name, DRAFT, (fd) => {
      const header = readFirstLine(fd);
      const content = header.kind === 'failed' ? header : readHeader(header);
      return 'kind' in content || content.origin?.id !== parent;
    });
  }
}

/** Makes the files of ledgers that come into being with a record of this hash, all of them under hidden names, or none. */
export async function createDrafts(
  newLedgers: readonly NewLedger[],
  hash: string,
  disk: Disk,
): Promise<readonly Draft[] | Failed> {
  try {
    await removeAbandonedDrafts(newLedgers[0]?.header.origin?.id, newLedgers);
  } catch {
    // A folder that is not there, or that nobody may read: of that it is said when something is made in it.
  }
  const all: Draft[] = [];
  for (const ledger of newLedgers) {
    const draft = await createDraft(ledger, hash, disk);
    if ('kind' in draft) {
      removeDrafts(all);
      return draft;
    }
    all.push(draft);
  }
  return all;
}

function publish(hidden: string, { name }: NewLedger): void {
  linkSync(hidden, name);
  syncDirectory(name);
}

/** Gives ledgers their names, while the record that they belong to counts; what was done stays done where one cannot have its name. */
export function publishDrafts(drafts: readonly Draft[]): Failed | null {
  for (const { ledger, hidden } of drafts) {
    try {
      publish(hidden, ledger);
    } catch (error) {
      return notMade(ledger, createFault(error));
    }
  }
  return null;
}

/** Lets others add to ledgers that have their names, now that the record counts. */
export function releaseDrafts(drafts: readonly Draft[]): void {
  for (const { ledger, hidden, fd } of drafts) {
    try {
      unlinkSync(hidden);
    } catch {
      // It is a second name of the same file, which nobody asks for.
    }
    stampAfter({ path: ledger.name, fd });
    closeSync(fd);
  }
}

/** Leaves everything to the next writer, where it is not known whether the record counts. */
export function leaveDrafts(drafts: readonly Draft[]): void {
  for (const { fd } of drafts) closeSync(fd);
}

/** Removes what was made, while nobody else can have added to it. */
export function removeDrafts(drafts: readonly Draft[]): void {
  for (const { ledger, hidden, fd } of drafts) {
    if (isPublished(ledger) === true) unlinkSync(ledger.name);
    unlinkSync(hidden);
    closeSync(fd);
  }
}

/** Whether the file of this name is this new ledger; null where there is none. */
function isPublished({ name, header }: NewLedger): boolean | null {
  if (!existsSync(name)) return null;
  const firstLine = reading(name, readFirstLine);
  const content = firstLine.kind === 'failed' ? firstLine : readHeader(firstLine);
  if ('kind' in content) return false;
  return (
    content.id === header.id && content.origin?.hash === header.origin?.hash && content.origin?.id === header.origin?.id
  );
}

/** Gives ledgers their names that were made before the record of this hash counted, as far as a writer that was stopped did not. */
export function publishMissing(newLedgers: readonly NewLedger[], hash: string): Failed | null {
  for (const ledger of newLedgers) {
    const hidden = draftPathOf(ledger.name, hash);
    if (!existsSync(hidden)) continue;
    try {
      if (isPublished(ledger) !== true) publish(hidden, ledger);
      unlinkSync(hidden);
    } catch (error) {
      return failed({ code: 'not-made', path: ledger.name, because: createFault(error), isPaidFor: true });
    }
  }
  return null;
}
