import { closeSync, fstatSync, statSync, readdirSync, unlinkSync } from 'node:fs';
import { failed, type Failed } from '../../fault.ts';
import { openExisting } from './system-error.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** Names that a file has for a moment while it is made: with a record of another ledger, or of lines from another place. */
export const DRAFT = '.unborn';
export const INCOMING = '.incoming';

/** The hidden name of the file of a ledger before the record of this hash counts, with which it comes into being. */
export const draftPathOf = (path: string, hash: string): string =>
  join(dirname(path), `.${basename(path)}.${hash.slice(0, 16)}${DRAFT}`);

/** The hidden name of a file into which the lines of a ledger are copied. */
export const incomingPathOf = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${randomUUID()}${INCOMING}`);

/** All hidden names beside a file, which may have another name by now, as writers that were killed have left them. */
const hiddenNames = (path: string): readonly string[] =>
  readdirSync(dirname(path))
    .filter((name) => name.startsWith('.') && (name.endsWith(DRAFT) || name.endsWith(INCOMING)))
    .map((name) => join(dirname(path), name));

/** The byte that is locked: one that no ledger is long enough to have, so that locks keep nobody from reading. */
const LOCKED_BYTE = 2 ** 50;

/** Milliseconds between two attempts: growing, and not the same for all who wait. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 40;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Waits until this open file is locked for its owner alone; null when it is. `faultSeconds`: the seconds that a fault names.
 *
 * The lock is the system's own, on the file itself: it ends when the file is closed, which the system sees to however
 * a process ends. There is no lock file that could be left behind, and nobody has to guess whether its owner is alive.
 */
export async function lock(fd: number, patience: number, faultSeconds = patience): Promise<Failed | null> {
  let tryLock;
  try {
    ({ tryLock } = await import('fs-native-extensions'));
  } catch (error) {
    return failed({ code: 'no-locks', reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : '' });
  }
  const end = performance.now() + 1000 * patience;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, 2 * pause)) {
    try {
      if (tryLock(fd, LOCKED_BYTE, 1)) return null;
    } catch (error) {
      return failed({ code: 'no-locks', reason: String(codeOf(error) ?? error) });
    }
    const remainingTime = end - performance.now();
    if (remainingTime <= 0) return failed({ code: 'busy', seconds: faultSeconds });
    await sleep(Math.min(remainingTime, pause * (0.5 + Math.random())));
  }
}

/**
 * Removes hidden files beside a path that writers who were killed have left: those that nobody holds, as who makes one does, and that
 * are needed no more. What cannot be removed stays, as it harms nobody.
 */
export async function removeAbandoned(
  path: string,
  kind: typeof DRAFT | typeof INCOMING,
  isNeeded: (fd: number) => boolean,
): Promise<void> {
  for (const name of hiddenNames(path).filter((hiddenName) => hiddenName.endsWith(kind))) {
    const fd = openExisting(name, 'append');
    if (typeof fd !== 'number') continue;
    try {
      if (!isNeeded(fd) && (await lock(fd, 0)) === null) unlinkSync(name);
    } catch {
      continue;
    } finally {
      closeSync(fd);
    }
  }
}

/** An open ledger file that nobody else can add to. */
export interface LockedFile {
  readonly path: string;
  readonly fd: number;
}

/** Ledger files that are held together. */
export interface LockedFiles {
  readonly kind: 'locked';
  /** In the order in which they were asked for. */
  readonly files: readonly LockedFile[];
  release(): void;
}

interface Opened extends LockedFile {
  readonly dev: bigint;
  readonly ino: bigint;
}

const compare = (a: Opened, b: Opened): number => {
  const [one, other] = a.dev === b.dev ? [a.ino, b.ino] : [a.dev, b.dev];
  return one < other ? -1 : one > other ? 1 : 0;
};

function isNamed({ path, dev, ino }: Opened): boolean {
  const pathStats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return pathStats?.ino === ino && pathStats.dev === dev;
}

const LINKED = 'the file has several names (hard links), and its stamp is kept under one of them';

/** Whether a file has names besides its own and the hidden one by which it came into being. */
function hasOtherNames({ path, fd, dev, ino }: Opened): boolean {
  const { nlink } = fstatSync(fd, { bigint: true });
  if (nlink <= 1n) return false;
  const hidden = hiddenNames(path).filter((name) => isNamed({ path: name, fd, dev, ino }));
  return nlink > 1n + BigInt(hidden.length);
}

/** Opens files; a file of which this was the name a moment ago may be held. */
function openAll(paths: readonly string[]): readonly Opened[] | Failed {
  const files: Opened[] = [];
  for (const path of paths) {
    const fd = openExisting(path, 'append');
    if (typeof fd !== 'number') {
      for (const file of files) closeSync(file.fd);
      return { ...fd, ledger: path };
    }
    const { dev, ino } = fstatSync(fd, { bigint: true });
    files.push({ path, fd, dev, ino });
  }
  return files;
}

async function lockAll(files: readonly Opened[], end: number, patience: number): Promise<Failed | null> {
  const inOrder = files.toSorted(compare);
  for (const [i, file] of inOrder.entries()) {
    const before = inOrder[i - 1];
    if (before !== undefined && compare(before, file) === 0) {
      return failed({ code: 'same-ledger', other: before.path }, file.path);
    }
  }
  for (const { path, fd } of inOrder) {
    const fault = await lock(fd, Math.max(0, end - performance.now()) / 1000, patience);
    if (fault !== null) return { ...fault, ledger: path };
  }
  return null;
}

/** Opens and locks files, in an order that does not depend on how they were named: two who want the same never wait for each other. */
export async function lockFiles(paths: readonly string[], patience: number): Promise<LockedFiles | Failed> {
  const end = performance.now() + 1000 * patience;
  for (;;) {
    const files = openAll(paths);
    if ('kind' in files) return files;
    const release = (): void => {
      for (const { fd } of files) closeSync(fd);
    };
    const fault = await lockAll(files, end, patience);
    const linked = fault === null && files.every(isNamed) ? files.find(hasOtherNames) : undefined;
    if (fault === null && linked === undefined && files.every(isNamed)) return { kind: 'locked', files, release };
    release();
    if (linked !== undefined) return failed({ code: 'unfit-place', reason: LINKED }, linked.path);
    if (fault !== null) return fault;
  }
}
