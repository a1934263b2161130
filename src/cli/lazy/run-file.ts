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
import { shorten } from '../../document/core/quote.ts';
import {
  readRun,
  runText,
  supersededLine,
  type ReadRun,
  type RunState,
  type Unreadable,
} from '../../learning/run/run-state.ts';
import { obstacle, syncDirectory, DISK, writeAll } from '../../ledger/stores/file/create.ts';
import { lockFault, withoutLinks } from '../../ledger/stores/file/file-system.ts';
import { placeIdOfNewFile, isBirthKnown } from '../../ledger/stores/file/fingerprint.ts';
import { lock } from '../../ledger/stores/file/lock-files.ts';
import { openExisting, createFault, readFault, reasonOf, writeFault } from '../../ledger/stores/file/system-error.ts';
import type { Failed, Fault, FaultCode } from '../../ledger/fault.ts';
import type { Message } from '../../output/kit/message.ts';
import { faultExit, faultMessage } from '../../output/ledger/faults.ts';
import { UsageError } from '../kit/usage-error.ts';

/** What is not said of a run as it is said of a ledger. */
const OF_RUN: Partial<Readonly<Record<FaultCode, Message>>> = {
  'no-such-file': { message: 'run not found', hint: 'Check the path, or begin a run with --init.' },
  'file-exists': {
    message: 'the file exists already, and a run is never overwritten',
    hint: 'Choose another name; without --init the run that is there goes on.',
  },
  'not-a-file': { message: 'not a regular file', hint: 'A run is kept in a file.' },
  'no-space': { message: 'the disk is full: no round was taken', hint: 'Make room, then give the losses again.' },
  'read-only': {
    message: 'the file system is read-only: no round was taken',
    hint: 'Keep the run where it can be written.',
  },
  'not-permitted': {
    message: 'writing is not permitted: no round was taken',
    hint: 'Check the permissions and the owner of the file and of its folder.',
  },
  replaced: {
    message: 'the file was moved or replaced while the run went on: no round was taken',
    hint: 'Go on with the file under its name of now.',
  },
  'unshared-locks': {
    message:
      'this is on a file system whose locks other machines need not see, so that two could go on with the same run',
    hint: 'Keep the run on a local disk, or on NFS with its locks. Where only one machine ever writes, say so with --assume-locks.',
  },
};

const unknownOutcome = (reason: string): Message => ({
  message: `writing failed (${reason}): whether the rounds of this input count is not known`,
  hint: 'See with --status which round is next, and with --again what the last ones were answered with.',
});

const busy = (seconds: number): Message => ({
  message: `another process goes on with this run, and did not end within ${String(seconds)} s`,
  hint: 'Wait for it, or wait longer with --wait.',
});

function toldOf(fault: Fault): Message {
  if (fault.code === 'busy') return busy(fault.seconds);
  if (fault.code === 'outcome-unknown') return unknownOutcome(shorten(fault.reason));
  return OF_RUN[fault.code] ?? faultMessage(fault);
}

/** The error that ends a command because of the file of a run. */
function runFailure(fault: Fault, file: string): UsageError {
  const message = toldOf(fault);
  return new UsageError([{ code: fault.code, path: file, ...message }], {
    source: file,
    exit: faultExit(fault.code),
  });
}

const UNREADABLE: Readonly<Record<Unreadable, Message>> = {
  'not-a-run': { message: 'this is not the file of a run', hint: 'Name a file that "lazy run --init" has made.' },
  'damaged-run': {
    message: 'the file was changed or is damaged: it is not what this program has written',
    hint: 'Do not put back an older copy: its rounds would be answered again. Begin a new run, which costs its privacy anew.',
  },
  'run-with-y': {
    message:
      'this run is of L2P with y, which is not run any more: going on with it needs the accounting that it began with',
    hint: 'Begin a new run; what this one has answered is paid.',
  },
};

/** The error for a file that is no run, or one that was changed. */
const unreadableRun = (code: Unreadable, file: string): UsageError =>
  new UsageError([{ code, path: file, ...UNREADABLE[code] }], { source: file });

/** The error for a run in another file than the one in which it went on. */
const movedRun = (file: string): UsageError =>
  new UsageError(
    [
      {
        code: 'moved-run',
        path: file,
        message: 'this is a copy: the run went on in another file, and both could answer the same round',
        hint: 'Go on with the original. If that is gone and nothing was answered after this copy was made, say so with --adopt.',
      },
    ],
    { source: file },
  );

/** Only the owner may read it: what experts have lost so far is not private. */
const MODE = 0o600;

const draftOf = (path: string, what: string): string => join(dirname(path), `.${basename(path)}.${what}`);

/** Fills an open file with the text of a run, durably. */
function fill(fd: number, state: RunState): void {
  ftruncateSync(fd, 0);
  writeAll(DISK, fd, Buffer.from(runText(state, placeIdOfNewFile(fd))));
  fsyncSync(fd);
}

/** How a run is opened. */
export interface RunOptions {
  /** As it is called in messages. */
  readonly file: string;
  readonly path: string;
  /** Seconds to wait for another process. */
  readonly patience: number;
  readonly assumeLocks: boolean;
}

const checkLocks = ({ file, path, assumeLocks }: RunOptions): void => {
  const fault = lockFault(path, { assumeLocks });
  if (fault !== null) throw runFailure(fault.fault, file);
};

/** Makes the file of a new run, durably; throws where there is a file already. */
export function makeRun(state: RunState, manner: RunOptions): void {
  const { file, path } = manner;
  const inTheWay = obstacle(path);
  if (inTheWay !== null) throw runFailure(inTheWay, file);
  checkLocks(manner);
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
  const [open, entry] = [fstatSync(fd, { bigint: true }), statSync(path, { bigint: true, throwIfNoEntry: false })];
  return open.ino === entry?.ino && open.dev === entry.dev;
}

async function openLocked({ file, path, patience }: RunOptions): Promise<number> {
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
  const run = readRun(text);
  if (typeof run === 'string') throw unreadableRun(run, file);
  return run;
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
    writeAll(DISK, former.fd, Buffer.from(supersededLine(placeIdOfNewFile(fd))));
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
    const run = readRun(readFileSync(fd, 'utf8'));
    const isNext = typeof run !== 'string' && run.home === next && placeIdOfNewFile(fd) === next;
    if (!isNext || (await lock(fd, 0)) !== null) {
      closeSync(fd);
      return null;
    }
    renameSync(draft, path);
    syncName(path, file);
    return { fd, found: run };
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
export async function openRun({ adopt, ...options }: RunOptions & { readonly adopt: boolean }): Promise<OpenRun> {
  const manner = { ...options, path: withoutLinks(options.path) };
  const { file, path } = manner;
  let fd = await openLocked(manner);
  const goesOnIn = (next: number): void => {
    closeSync(fd);
    fd = next;
  };
  try {
    checkLocks(manner);
    const there = readOpen(fd, file);
    const later = there.next === null ? null : await completed(path, there, file);
    if (later !== null) goesOnIn(later.fd);
    const { state, home, next, length } = later?.found ?? there;
    if ((home !== placeIdOfNewFile(fd) || next !== null) && !adopt) throw movedRun(file);
    let size = length;
    return {
      state,
      async keep(following) {
        const successor = await replacement(path, { fd, length: size }, following, file);
        goesOnIn(successor.fd);
        size = successor.length;
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
    const run = readRun(readFileSync(fd, 'utf8'));
    return typeof run !== 'string' && run.home === next && placeIdOfNewFile(fd) === next ? run.state : null;
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
      const run = readOpen(fd, file);
      if (run.next === null) return run.state;
      const later = readNext(path, run);
      if (later !== null) return later;
      // Whoever goes on with it may have put the later state in place meanwhile.
      if (isNamed(path, fd)) throw movedRun(file);
    } finally {
      closeSync(fd);
    }
  }
}
