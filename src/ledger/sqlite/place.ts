import { hash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { failed, type Failed } from '../records/fault.ts';
import { readFault } from '../file/system-error.ts';

const DIGITS = 16;

/** The file of a database, as the file system knows it. */
export interface Place {
  readonly kind: 'place';
  /** The same as long as the path leads to the same file. */
  readonly file: string;
  /**
   * By the number that the file system gave to the file, the moment when it was made, its folder and its name there: a copy has
   * another one, and so has the file itself under another name or in another folder, as what a writer that was killed had begun
   * is taken back by the journal that stands beside it and has its name.
   */
  readonly home: string;
  /** The path without links, and the file that was found there as one number, for what is kept beside it. */
  readonly path: string;
  readonly identity: bigint;
}

/** The mounts of this process; empty where the system does not tell them. */
function mountsHere(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

/** A path as the table of mounts has it written, with blanks and backslashes by their numbers. */
const written = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Whether something is mounted at this very path, without links on the way. Source: proc_pid_mountinfo(5). */
export const isMountPoint = (path: string, mounts = mountsHere()): boolean =>
  mounts.split('\n').some((line) => {
    const [, , , , point] = line.split(' ');
    return point !== undefined && written(point) === path;
  });

/** Why no database is kept in a file, or null. */
export function unfitness(
  { nlink, birthtimeNs }: { readonly nlink: bigint; readonly birthtimeNs: bigint },
  isMounted: boolean,
): string | null {
  if (nlink > 1n) return 'the file has several names (hard links), and its journal would have only one of them';
  if (isMounted) return 'the file is mounted by itself, without the folder that its journal stands in';
  if (birthtimeNs !== 0n) return null;
  return 'the file system does not tell when a file was made, and so nothing would tell a copy from it';
}

/**
 * The file of a database. It must not be opened besides by SQLite: closing it would free the locks that this process has on it.
 */
export function placeOf(path: string): Place | Failed {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return failed({ code: 'no-store' });
    if (found.isDirectory()) return failed({ code: 'is-a-directory' });
    if (!found.isFile()) return failed({ code: 'not-a-file' });
    const real = realpathSync.native(path);
    const unfit = unfitness(found, isMountPoint(real));
    if (unfit !== null) return failed({ code: 'unfit-place', reason: unfit });
    const folder = statSync(dirname(real), { bigint: true });
    const parts = [found.ino, found.birthtimeNs, folder.ino, basename(real)];
    const home = hash('sha256', `sqlite:${parts.join(':')}`).slice(0, DIGITS);
    return { kind: 'place', file: `${found.dev}:${found.ino}`, home, path: real, identity: BigInt(`0x${home}`) };
  } catch (error) {
    return failed(readFault(error));
  }
}
