import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { failed, type Failed, type Fault } from '../../fault.ts';
import { builtIn, driverOf } from './built-in.ts';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname, basename } from 'node:path';
import { readFault as fileReadFault, writeFault as fileWriteFault } from '../file/system-error.ts';
import { hash } from 'node:crypto';
import { readMountinfo } from '../file/file-system.ts';
import { isUnchangedSinceCheck, fileFingerprint, readStamp, recordNumber, writeStamp } from '../file/fingerprint.ts';
import { cutFault, type Cut } from '../sql/database.ts';

/** From this version on the package needs this Node-API, and ends the process where it is called with an older one. */
const NEWER = { version: 13, napi: 10 };

function installedVersion(): string | null {
  try {
    // A bundle has a function of its own that finds packages.
    const find = typeof require === 'function' ? require : createRequire(import.meta.url);
    return (find('better-sqlite3/package.json') as { readonly version: string }).version;
  } catch {
    return null;
  }
}

/** An open database. Errors of SQLite are thrown, with a `code` such as `SQLITE_BUSY`. */
export type Connection = Database.Database;

/** Opens a database. */
export type Driver = typeof Database;

/** How the package is found. */
export type LoadDriver = () => Promise<{ readonly default: Driver }>;

const byImport: LoadDriver = () => {
  const own = builtIn();
  return own === null ? import('better-sqlite3') : Promise.resolve({ default: driverOf(own) });
};

/** The driver: that of node where it has one, else the package, if it is installed and runs here. */
export async function loadDriver(
  load: LoadDriver = byImport,
  { version = installedVersion(), napi = Number(process.versions.napi) } = {},
): Promise<Driver | Failed> {
  const isOld = napi < NEWER.napi;
  const noDriver = (reason: string): Failed =>
    failed({ code: 'no-driver', package: isOld ? `better-sqlite3@${NEWER.version - 1}` : 'better-sqlite3', reason });
  if (isOld && version !== null && Number.parseInt(version) >= NEWER.version) {
    return noDriver(`version ${version} is installed, which needs Node-API ${NEWER.napi}: this node has ${napi}`);
  }
  try {
    const { default: Driver } = await load();
    // Its native part is looked for only now.
    new Driver(':memory:').close();
    return Driver;
  } catch (error) {
    return noDriver(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

/** The code of an error of SQLite, such as `SQLITE_IOERR_FSYNC`; empty for other errors. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return '';
  return error.code.startsWith('SQLITE_') ? error.code : '';
}

const isOf = (error: unknown, family: string): boolean =>
  codeOf(error) === family || codeOf(error).startsWith(`${family}_`);

/** Whether somebody else has the lock, so that the same may go well a moment later. */
export const isBusy = (error: unknown): boolean => isOf(error, 'SQLITE_BUSY') || isOf(error, 'SQLITE_LOCKED');

/** The words of SQLite, with its code. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? [error.message, codeOf(error)].filter((text) => text !== '').join(', ') : String(error);

/** The fault of a file that is no database, or a broken one, whatever was to be done with it. */
function formFault(error: unknown): Fault | null {
  if (isOf(error, 'SQLITE_NOTADB')) return { code: 'not-a-store', reason: reasonOf(error) };
  const isDamaged = ['SQLITE_CORRUPT', 'SQLITE_ERROR', 'SQLITE_SCHEMA'].some((family) => isOf(error, family));
  return isDamaged ? { code: 'damaged-store', reason: reasonOf(error) } : null;
}

/** Why a database could not be read. */
export function readFault(error: unknown): Fault {
  if (codeOf(error) === '') return fileReadFault(error);
  // A reader takes back what a writer that was killed had begun, and here it may not.
  if (isOf(error, 'SQLITE_READONLY')) {
    return {
      code: 'unreadable',
      reason: 'an interrupted transaction must be rolled back first, by a user who may write',
    };
  }
  return formFault(error) ?? { code: 'unreadable', reason: reasonOf(error) };
}

/** Why SQLite was not let write, by the file and its folder, in which it keeps its journal; null where they do not say. */
export function deniedFault(path: string): Fault | null {
  try {
    for (const target of [dirname(path), path]) accessSync(target, constants.W_OK);
    return null;
  } catch (error) {
    return fileWriteFault(error);
  }
}

/** Why a database could not be written. */
export function writeFault(error: unknown, path: string): Fault {
  if (codeOf(error) === '') return fileWriteFault(error);
  if (codeOf(error) === 'SQLITE_READONLY_DBMOVED') return { code: 'replaced' };
  // A trigger that somebody has made; all else would be a defect of this program.
  if (codeOf(error) === 'SQLITE_CONSTRAINT_TRIGGER') return { code: 'write-failed', reason: reasonOf(error) };
  if (isOf(error, 'SQLITE_CONSTRAINT')) throw error;
  if (isOf(error, 'SQLITE_FULL')) return { code: 'no-space' };
  if (isOf(error, 'SQLITE_READONLY')) return deniedFault(path) ?? { code: 'read-only' };
  const denied = isOf(error, 'SQLITE_CANTOPEN') ? deniedFault(path) : null;
  return denied ?? formFault(error) ?? { code: 'write-failed', reason: reasonOf(error) };
}

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
  readonly placeId: string;
  /** The path without links, for what is kept beside it. */
  readonly path: string;
}

/** A path as the table of mounts has it written, with blanks and backslashes by their numbers. */
const decodedPath = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Whether something is mounted at this very path, without links on the way. Source: proc_pid_mountinfo(5). */
export const isMountPoint = (path: string, mounts = readMountinfo() ?? ''): boolean =>
  mounts.split('\n').some((line) => {
    const [, , , , point] = line.split(' ');
    return point !== undefined && decodedPath(point) === path;
  });

/** Why no database is kept in a file, or null. */
export function unfitness(
  { nlink, birthtimeNs }: { readonly nlink: bigint; readonly birthtimeNs: bigint },
  isMounted: boolean,
): string | null {
  if (nlink > 1n) return 'the file has several names (hard links), and its journal would have only one of them';
  if (isMounted) return 'the file is mounted by itself, without the folder of its journal';
  if (birthtimeNs !== 0n) return null;
  return 'the file system has no creation times, so a copy could not be told from the original';
}

/** There is no store in a file; or none any more, by the stamp of one that stood here and had records. */
function noStore(path: string): Failed {
  const before = Number(readStamp(path).get('records') ?? 0);
  return before === 0 ? failed({ code: 'no-store' }) : cutFault({ records: 0, before, isNew: true });
}

/**
 * The file of a database. It must not be opened besides by SQLite: closing it would free the locks that this process has on it.
 */
export function placeOf(path: string): Place | Failed {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return noStore(path);
    if (stats.isDirectory()) return failed({ code: 'is-a-directory' });
    if (!stats.isFile()) return failed({ code: 'not-a-file' });
    const real = realpathSync.native(path);
    const unfit = unfitness(stats, isMountPoint(real));
    if (unfit !== null) return failed({ code: 'unfit-place', reason: unfit });
    const folder = statSync(dirname(real), { bigint: true });
    const parts = [stats.ino, stats.birthtimeNs, folder.ino, basename(real)];
    const placeId = hash('sha256', `sqlite:${parts.join(':')}`).slice(0, DIGITS);
    return { kind: 'place', file: `${stats.dev}:${stats.ino}`, placeId, path: real };
  } catch (error) {
    return failed(fileReadFault(error));
  }
}

/** What a database ends in. SQLite numbers records in the order in which they come, and none is ever removed. */
interface LastRecord {
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
  const stamp = readStamp(path);
  if (!stamp.has('records')) return null;
  const [{ records }, before, last] = [lastRecordIn(connection), Number(stamp.get('records')), stamp.get('last')];
  const isOther = records >= before && last !== undefined && !hasRecord(connection, before, last);
  if (records < before || isOther) return { records, before, isNew: true };
  const cut = stamp.get('cut');
  return cut === undefined ? null : { records: Number(cut), before: Number(stamp.get('before')), isNew: false };
}

/**
 * Since when nothing but this program has changed the file of a database, as a number that was drawn then; null where something else
 * may have.
 */
export function unchangedSince({ path }: Pick<Place, 'path'>): bigint | null {
  const since = readStamp(path).get('since');
  return since !== undefined && isUnchangedSinceCheck(path, fileFingerprint(path)) ? since : null;
}

/** A database as a transaction leaves it, see {@link unchangedSince}. */
interface Untouched {
  readonly since: bigint;
  readonly moment: string;
}

/**
 * Notes beside a database what it was left with, and the records that are known to be missing; `untouched`: where nobody else has
 * changed the file by then. A writer that is late, after others who came later have noted more, leaves theirs.
 */
export function stampRecords(
  { path }: Place,
  { records, last }: LastRecord,
  cut: Cut | null,
  untouched: Untouched | null = null,
): void {
  if (cut === null && Number(readStamp(path).get('records') ?? 0) > records) return;
  const facts = {
    records,
    ...(last != null && { last }),
    ...(cut && { cut: cut.records, before: cut.before }),
    ...(untouched && { since: untouched.since }),
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  writeStamp(path, [...lines, ...(untouched === null ? [] : [untouched.moment])].join('\n'));
}

/** In the header of the file, to tell such a database from all others: "dpcl". */
const APPLICATION = 0x6470636c;

/** The version of the tables, in the header of the file too. */
const VERSION = 1;

/**
 * The tables, and what keeps other programs from changing what was recorded. Everything by which a record is looked for is
 * computed from its line by SQLite itself, so that it can say nothing else. `key` is the JSON text of a key, in which every
 * text is told from every other. Each record has to follow the one before it, and none is ever changed or removed.
 */
const OBJECTS: Readonly<Record<string, string>> = {
  ledgers: `CREATE TABLE ledgers (
  name TEXT NOT NULL PRIMARY KEY,
  head_seq INTEGER NOT NULL,
  head_hash TEXT NOT NULL
) STRICT`,
  records: `CREATE TABLE records (
  ledger TEXT NOT NULL,
  seq INTEGER NOT NULL CHECK (seq = json_extract(line, '$.seq')),
  line TEXT NOT NULL,
  hash TEXT NOT NULL GENERATED ALWAYS AS (json_extract(line, '$.hash')) STORED,
  key TEXT GENERATED ALWAYS AS (line -> '$.key') STORED,
  PRIMARY KEY (ledger, seq)
) STRICT`,
  records_by_key: 'CREATE UNIQUE INDEX records_by_key ON records (ledger, key) WHERE key IS NOT NULL',
  records_follow: `CREATE TRIGGER records_follow BEFORE INSERT ON records
WHEN EXISTS (SELECT 1 FROM records WHERE ledger = NEW.ledger AND seq >= NEW.seq)
  OR NEW.seq > 0 AND NOT EXISTS (
    SELECT 1 FROM records
    WHERE ledger = NEW.ledger AND seq = NEW.seq - 1 AND hash = json_extract(NEW.line, '$.prev')
  )
BEGIN SELECT RAISE(ABORT, 'a record follows the last one'); END`,
  records_stay: `CREATE TRIGGER records_stay BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never changed'); END`,
  records_remain: `CREATE TRIGGER records_remain BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'a record is never removed'); END`,
  ledgers_go_on: `CREATE TRIGGER ledgers_go_on BEFORE UPDATE ON ledgers
WHEN NEW.name IS NOT OLD.name OR NEW.head_seq IS NOT OLD.head_seq + 1
BEGIN SELECT RAISE(ABORT, 'a ledger only goes on'); END`,
  ledgers_remain: `CREATE TRIGGER ledgers_remain BEFORE DELETE ON ledgers
BEGIN SELECT RAISE(ABORT, 'a ledger is never removed'); END`,
};

const namesIn = (connection: Connection): ReadonlySet<string> =>
  new Set(
    connection
      .prepare<[], { readonly name: string }>('SELECT name FROM sqlite_schema WHERE sql IS NOT NULL')
      .all()
      .map(({ name }) => name),
  );

/** Which database it is: one of another program, an empty one, or one of ours. */
function kindOf(connection: Connection): 'other' | 'empty' | 'ours' {
  const application = connection.pragma('application_id', { simple: true });
  if (application === APPLICATION) return 'ours';
  return application === 0 && namesIn(connection).size === 0 ? 'empty' : 'other';
}

/** Why ledgers cannot be read from, or kept in, this database as it is; null where they can. */
export function schemaFault(connection: Connection): Failed | null {
  const kind = kindOf(connection);
  if (kind === 'empty') return noStore(realpathSync.native(connection.name));
  if (kind === 'other') return failed({ code: 'not-a-store', reason: 'it is a database of another program' });
  const version = connection.pragma('user_version', { simple: true });
  if (version !== VERSION) return failed({ code: 'other-schema', found: String(version), needed: String(VERSION) });
  const there = namesIn(connection);
  const missing = Object.keys(OBJECTS).find((name) => !there.has(name));
  return missing === undefined ? null : failed({ code: 'damaged-store', reason: `${missing} was removed` });
}

/** Makes the tables in a database in which nothing is, inside a transaction; what is wrong with one in which something is. */
export function makeSchema(connection: Connection): Failed | null {
  if (kindOf(connection) !== 'empty') return schemaFault(connection);
  for (const sql of Object.values(OBJECTS)) connection.exec(sql);
  connection.pragma(`application_id = ${APPLICATION}`);
  connection.pragma(`user_version = ${VERSION}`);
  return null;
}
