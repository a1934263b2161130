import { closeSync, fstatSync, statSync } from 'node:fs';
import { failed, type Failed } from '../records/fault.ts';
import { hiddenNames } from './hidden.ts';
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

const LINKED = 'the file has several names (hard links), and what is known of how it was left goes by one of them';

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
    const linked = fault === null && files.every(isNamed) ? files.find(hasOtherNames) : undefined;
    if (fault === null && linked === undefined && files.every(isNamed)) return { kind: 'held', files, release };
    release();
    if (linked !== undefined) return { ...failed({ code: 'unfit-place', reason: LINKED }), ledger: linked.path };
    if (fault !== null) return fault;
  }
}
