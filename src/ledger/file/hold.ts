import { closeSync, fstatSync, statSync } from 'node:fs';
import { failed, type Failed } from '../records/fault.ts';
import { lock } from './lock.ts';
import { openExisting } from './open-file.ts';

/** An open ledger file that nobody else can add to. */
export interface Held {
  readonly path: string;
  readonly fd: number;
}

/** Ledger files that are held together. */
export interface HeldFiles {
  readonly kind: 'held';
  /** In the order in which they were asked for. */
  readonly files: readonly Held[];
  /** Lets go of them all. */
  release(): void;
}

interface Opened extends Held {
  readonly dev: bigint;
  readonly ino: bigint;
}

const compare = (a: Opened, b: Opened): number => {
  const [one, other] = a.dev === b.dev ? [a.ino, b.ino] : [a.dev, b.dev];
  return one < other ? -1 : one > other ? 1 : 0;
};

/** Whether the file that was opened still goes by its name. */
function isNamed({ path, dev, ino }: Opened): boolean {
  const named = statSync(path, { bigint: true, throwIfNoEntry: false });
  return named?.ino === ino && named.dev === dev;
}

/** Opens files; a file of which this was the name a moment ago may be held. */
function openAll(paths: readonly string[]): readonly Opened[] | Failed {
  const files: Opened[] = [];
  for (const path of paths) {
    const fd = openExisting(path, 'append');
    if (typeof fd !== 'number') {
      for (const each of files) closeSync(each.fd);
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
      return { ...failed({ code: 'same-ledger', other: before.path }), ledger: file.path };
    }
  }
  for (const { path, fd } of inOrder) {
    const fault = await lock(fd, Math.max(0, end - performance.now()) / 1000, patience);
    if (fault !== null) return { ...fault, ledger: path };
  }
  return null;
}

/** Opens and locks files, in an order that does not depend on how they were named: two who want the same never wait for each other. */
export async function hold(paths: readonly string[], patience: number): Promise<HeldFiles | Failed> {
  const end = performance.now() + 1000 * patience;
  for (;;) {
    const files = openAll(paths);
    if ('kind' in files) return files;
    const release = (): void => {
      for (const { fd } of files) closeSync(fd);
    };
    const fault = await lockAll(files, end, patience);
    if (fault === null && files.every(isNamed)) return { kind: 'held', files, release };
    release();
    if (fault !== null) return fault;
  }
}
