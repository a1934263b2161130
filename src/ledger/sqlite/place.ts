import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { failed, type Failed } from '../records/fault.ts';
import { readFault } from '../file/system-error.ts';

const DIGITS = 16;

/** The file of a database, as the file system knows it. */
export interface Place {
  readonly kind: 'place';
  /** The same as long as the path leads to the same file. */
  readonly file: string;
  /**
   * By the number that the file system gave to the file, and the moment when it was made: a file that is renamed keeps it, a copy
   * has another one.
   */
  readonly home: string;
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
    // What a writer that was killed had begun is taken back by its name: by another name nobody would know of it.
    if (found.nlink > 1n) return failed({ code: 'not-a-store', reason: 'the file has several names (hard links)' });
    const home = hash('sha256', `sqlite:${found.ino}:${found.birthtimeNs}`).slice(0, DIGITS);
    return { kind: 'place', file: `${found.dev}:${found.ino}`, home };
  } catch (error) {
    return failed(readFault(error));
  }
}
