import { hash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { failed, type Failed } from '../records/fault.ts';
import { readFault } from '../file/system-error.ts';
import { readStamp, recordNumber, writeStamp } from '../file/stamp.ts';
import type { Cut } from '../sql/database.ts';
import type { Connection } from './driver.ts';

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
  /** The path without links, for what is kept beside it. */
  readonly path: string;
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
    return { kind: 'place', file: `${found.dev}:${found.ino}`, home, path: real };
  } catch (error) {
    return failed(readFault(error));
  }
}

/** What a database ends in. SQLite numbers records in the order in which they come, and none is ever removed. */
export interface LastRecord {
  /** How many records there are. */
  readonly records: number;
  /** The last of them, see `recordNumber`; null where there is none. */
  readonly last: bigint | null;
}

/** What a database ends in, inside a transaction. */
export function lastRecordIn(connection: Connection): LastRecord {
  const [row] = connection
    .prepare('SELECT rowid AS records, hash FROM records ORDER BY rowid DESC LIMIT 1')
    .all() as readonly { readonly records: number; readonly hash: string }[];
  return row === undefined ? { records: 0, last: null } : { records: row.records, last: recordNumber(row.hash) };
}

/** Whether a database has a record, by its number in the order of all or, where others have other numbers now, wherever it is. */
function hasRecord(connection: Connection, at: number, last: bigint): boolean {
  const digits = last.toString(16).padStart(16, '0');
  const isThere = (where: string, ...values: readonly unknown[]): boolean =>
    connection
      .prepare(`SELECT 1 FROM records WHERE substr(hash, 1, 16) = ? ${where} LIMIT 1`)
      .get(digits, ...values) !== undefined;
  return isThere('AND rowid = ?', at) || isThere('');
}

/**
 * Whether records are missing from a database, by the stamp beside it, whichever file is there now: it has fewer, or not the last one;
 * null if none are, or there is no stamp. To be asked inside a transaction that has read already, so that nobody commits meanwhile.
 */
export function cutIn(connection: Connection, { path }: Place): Cut | null {
  const left = readStamp(path);
  if (!left.has('records')) return null;
  const [{ records }, before, last] = [lastRecordIn(connection), Number(left.get('records')), left.get('last')];
  const isOther = records >= before && last !== undefined && !hasRecord(connection, before, last);
  if (records < before || isOther) return { records, before, isNew: true };
  const cut = left.get('cut');
  return cut === undefined ? null : { records: Number(cut), before: Number(left.get('before')), isNew: false };
}

/** What is missing from a database that is yet to be made here, by the stamp of one that stood here; null where none did that had records. */
export function cutBeforeMade(path: string): Cut | null {
  const before = Number(readStamp(path).get('records') ?? 0);
  return before === 0 ? null : { records: 0, before, isNew: true };
}

/**
 * Notes beside a database what it was left with, and the records that are known to be missing. A writer that is late, after others who
 * came later have noted more, leaves theirs.
 */
export function stampRecords({ path }: Place, written: LastRecord, cut: Cut | null): void {
  const noted = readStamp(path);
  const isOlder = cut === null && Number(noted.get('records') ?? 0) > written.records;
  const [records, last] = isOlder ? [noted.get('records'), noted.get('last')] : [written.records, written.last];
  const facts = {
    records,
    ...(last != null && { last }),
    ...(cut && { cut: cut.records, before: cut.before }),
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  writeStamp(path, lines.join('\n'));
}
