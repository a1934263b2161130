import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { obstacle, syncDirectory } from '../../ledger/file/create.ts';
import { DISK, writeAll } from '../../ledger/file/disk.ts';
import { lockFault } from '../../ledger/file/file-system.ts';
import { homeOfNewFile, isBirthKnown } from '../../ledger/file/home.ts';
import { lock } from '../../ledger/file/lock.ts';
import { openExisting } from '../../ledger/file/open-file.ts';
import { withoutLinks } from '../../ledger/file/references.ts';
import { createFault, readFault, reasonOf, writeFault } from '../../ledger/file/system-error.ts';
import type { Failed } from '../../ledger/records/fault.ts';
import type { RunState } from '../../lazy/run/run-state.ts';
import { readRun, runText, supersededLine, type ReadRun } from '../../lazy/run/run-text.ts';
import { UsageError } from '../kit/usage-error.ts';
import { movedRun, runFailure, unreadableRun } from './run-faults.ts';

/** Only the owner may read it: what experts have lost so far is not private. */
const MODE = 0o600;

const draftOf = (path: string, what: string): string => join(dirname(path), `.${basename(path)}.${what}`);

/** Fills an open file with the text of a run, durably. */
function fill(fd: number, state: RunState): void {
  ftruncateSync(fd, 0);
  writeAll(DISK, fd, Buffer.from(runText(state, homeOfNewFile(fd))));
  fsyncSync(fd);
}

/** How a run is opened. */
export interface RunManner {
  /** As it is called in messages. */
  readonly file: string;
  /** Seconds to wait for another process. */
  readonly patience: number;
  readonly assumeLocks: boolean;
}

const checkLocks = (path: string, { file, assumeLocks }: RunManner): void => {
  const fault = lockFault(path, { assumeLocks });
  if (fault !== null) throw runFailure(fault.fault, file);
};

/** Makes the file of a new run, durably; throws where there is a file already. */
export function makeRun(path: string, state: RunState, manner: RunManner): void {
  const { file } = manner;
  const inTheWay = obstacle(path);
  if (inTheWay !== null) throw runFailure(inTheWay, file);
  checkLocks(path, manner);
  const draft = draftOf(path, `${randomUUID()}.new`);
  let fd;
  try {
    fd = openSync(draft, 'ax', MODE);
    // Each state is in a new file, and older ones are told by when theirs were made.
    if (!isBirthKnown(fd)) throw runFailure({ code: 'no-birth-times' }, file);
    fill(fd, state);
    linkSync(draft, path);
    syncDirectory(path);
  } catch (error) {
    throw error instanceof UsageError ? error : runFailure(createFault(error), file);
  } finally {
    if (fd !== undefined) {
      closeSync(fd);
      unlinkSync(draft);
    }
  }
}

/** Removes the file of a run that was never begun. */
export function removeRun(name: string): void {
  const path = withoutLinks(name);
  unlinkSync(path);
  syncDirectory(path);
}

/** Whether an open file goes by this name. */
function isNamed(path: string, fd: number): boolean {
  const [open, named] = [fstatSync(fd, { bigint: true }), statSync(path, { bigint: true, throwIfNoEntry: false })];
  return open.ino === named?.ino && open.dev === named.dev;
}

async function openLocked(path: string, { file, patience }: RunManner): Promise<number> {
  const end = performance.now() + 1000 * patience;
  const succeeded = (failed: Failed | null): void => {
    if (failed !== null) throw runFailure(failed.fault, file);
  };
  for (;;) {
    const fd = openExisting(path, 'append');
    if (typeof fd !== 'number') throw runFailure(fd.fault, file);
    try {
      succeeded(await lock(fd, Math.max(0, end - performance.now()) / 1000, patience));
      if (isNamed(path, fd)) return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    // It was replaced by whoever had it.
    closeSync(fd);
  }
}

function readOpen(fd: number, file: string): ReadRun {
  let text;
  try {
    text = readFileSync(fd, 'utf8');
  } catch (error) {
    throw runFailure(readFault(error), file);
  }
  const found = readRun(text);
  if (typeof found === 'string') throw unreadableRun(found, file);
  return found;
}

const nextOf = (path: string, { header }: RunState): string => draftOf(path, `${header.id}.next`);

/**
 * Writes the text of a later state beside the file, and puts it in its place when it is durable and locked. Before that the former file
 * says so: under whatever other name it goes, by a link or a backup made of links, it is no run to go on with any more.
 */
async function replacement(path: string, former: { fd: number; length: number }, next: RunState, file: string) {
  let fd;
  try {
    const draft = nextOf(path, next);
    fd = openSync(draft, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, MODE);
    fill(fd, next);
    // Nobody else has this file: who waits for the lock waits on the one that it replaces.
    const fault = await lock(fd, 0);
    if (fault !== null) throw runFailure(fault.fault, file);
    if (!isNamed(path, former.fd)) throw runFailure({ code: 'replaced' }, file);
    ftruncateSync(former.fd, former.length);
    writeAll(DISK, former.fd, Buffer.from(supersededLine(homeOfNewFile(fd))));
    fsyncSync(former.fd);
    renameSync(draft, path);
    return { fd, length: fstatSync(fd).size };
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    throw error instanceof UsageError ? error : runFailure(writeFault(error), file);
  }
}

function syncName(path: string, file: string): void {
  try {
    syncDirectory(path);
  } catch (error) {
    throw runFailure({ code: 'outcome-unknown', reason: reasonOf(error) }, file);
  }
}

/** Puts the later state in its place that the one who wrote it was stopped before; null where there is none. */
async function completed(path: string, { state, next }: ReadRun, file: string) {
  const draft = nextOf(path, state);
  const fd = openExisting(draft, 'append');
  if (typeof fd !== 'number') return null;
  try {
    const found = readRun(readFileSync(fd, 'utf8'));
    const isNext = typeof found !== 'string' && found.home === next && homeOfNewFile(fd) === next;
    if (!isNext || (await lock(fd, 0)) !== null) {
      closeSync(fd);
      return null;
    }
    renameSync(draft, path);
    syncName(path, file);
    return { fd, found };
  } catch (error) {
    closeSync(fd);
    throw error instanceof UsageError ? error : runFailure(writeFault(error), file);
  }
}

/** A run that nobody else goes on with until this is disposed of. */
export interface OpenRun extends Disposable {
  readonly state: RunState;
  /** Keeps a later state in place of the former one: durable when this returns, and whole or not at all. */
  keep(state: RunState): Promise<void>;
}

/** Opens the run in a file. `adopt`: also where the file is a copy, or the run went on in another one. */
export async function openRun(name: string, manner: RunManner & { readonly adopt: boolean }): Promise<OpenRun> {
  const { file, adopt } = manner;
  const path = withoutLinks(name);
  let fd = await openLocked(path, manner);
  const goesOnIn = (next: number): void => {
    closeSync(fd);
    fd = next;
  };
  try {
    checkLocks(path, manner);
    const there = readOpen(fd, file);
    const later = there.next === null ? null : await completed(path, there, file);
    if (later !== null) goesOnIn(later.fd);
    const { state, home, next, length } = later?.found ?? there;
    if ((home !== homeOfNewFile(fd) || next !== null) && !adopt) throw movedRun(file);
    let size = length;
    return {
      state,
      async keep(following) {
        const kept = await replacement(path, { fd, length: size }, following, file);
        goesOnIn(kept.fd);
        size = kept.length;
        syncName(path, file);
      },
      [Symbol.dispose]() {
        closeSync(fd);
      },
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The later state of a run whose writer was stopped before it put it in place; null where there is none. */
function readNext(path: string, { state, next }: ReadRun): RunState | null {
  const fd = openExisting(nextOf(path, state), 'read');
  if (typeof fd !== 'number') return null;
  try {
    const found = readRun(readFileSync(fd, 'utf8'));
    return typeof found !== 'string' && found.home === next && homeOfNewFile(fd) === next ? found.state : null;
  } finally {
    closeSync(fd);
  }
}

/** Only the last state of a run, without waiting for who goes on with it. */
export function readRunFile(name: string, file: string): RunState {
  const path = withoutLinks(name);
  for (;;) {
    const fd = openExisting(path, 'read');
    if (typeof fd !== 'number') throw runFailure(fd.fault, file);
    try {
      const found = readOpen(fd, file);
      if (found.next === null) return found.state;
      const later = readNext(path, found);
      if (later !== null) return later;
      // Whoever goes on with it may have put the later state in place meanwhile.
      if (isNamed(path, fd)) throw movedRun(file);
    } finally {
      closeSync(fd);
    }
  }
}
