import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { failed, type Failed } from '../records/fault.ts';
import type { Connection, Driver } from './driver.ts';
import { countRecords, cutIn, stampRecords, type Cut } from './left.ts';
import { Patience } from './patiently.ts';
import { placeOf, type Place } from './place.ts';
import { makeSchema, schemaFault } from './schema.ts';
import { isBusy, readFault, reasonOf, writeFault } from './sqlite-error.ts';

/** How a database is reached. Every use has a connection of its own, so that uses in one process keep apart as those of several do. */
export interface Access {
  readonly path: string;
  readonly driver: Driver;
}

/** What was done in a transaction that is to be kept. */
export interface Change<T> {
  readonly kind: 'change';
  readonly value: T;
  /** Tells later whether it was kept; null where nothing was changed. */
  readonly isKept: ((connection: Connection) => boolean) | null;
}

/** The file of a store, and what is missing from it. */
export type Found = Place & { readonly cut: Cut | null };

/** Makes a change; others who write wait until it is made. */
export type Make<T> = (connection: Connection, found: Found) => Change<T> | Failed | Promise<Change<T> | Failed>;

/** SQLite itself never waits: it would keep the process from everything else meanwhile. */
const open = ({ driver: Driver, path }: Access, fileMustExist: boolean): Connection =>
  new Driver(path, { fileMustExist, timeout: 0 });

function rollBack(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec('ROLLBACK');
  } catch {
    // Whoever opens the database next takes back what is left.
  }
}

/** Reads while nobody can write, and only for that long. */
function snapshot<T>(connection: Connection, read: (connection: Connection) => T | Failed): T | Failed {
  connection.exec('BEGIN');
  try {
    return read(connection);
  } finally {
    rollBack(connection);
  }
}

/** Reads a database, whatever it is, as it is at one moment. It need not be writable. */
async function readingAny<T>(
  access: Access,
  patience: number,
  read: (connection: Connection, place: Place) => T | Failed,
): Promise<T | Failed> {
  const place = placeOf(access.path);
  if (place.kind === 'failed') return place;
  try {
    // Not opened for reading only: where a writer was killed, the next who comes takes back what it had begun.
    const connection = open(access, true);
    try {
      return await new Patience(patience).try(() => {
        connection.pragma('query_only = ON');
        return snapshot(connection, (each) => read(each, place));
      });
    } finally {
      connection.close();
    }
  } catch (error) {
    return failed(readFault(error));
  }
}

/** Reads a store as it is at one moment. */
export const reading = <T>(
  access: Access,
  patience: number,
  read: (connection: Connection, found: Found) => T | Failed,
): Promise<T | Failed> =>
  readingAny(
    access,
    patience,
    (connection, place) => schemaFault(connection) ?? read(connection, { ...place, cut: cutIn(connection, place) }),
  );

/**
 * Prepares a connection for writing. With the journal in a file of its own that is removed at the end of each transaction, the
 * database is one file as soon as nobody writes. EXTRA: a commit returns when that removal, too, would survive the loss of
 * power; with less, a transaction that was acknowledged could be taken back by its own journal.
 */
function beginWriting(connection: Connection, patience: Patience): Promise<Failed | null> {
  return patience.try(() => {
    connection.pragma('synchronous = EXTRA');
    if (connection.pragma('journal_mode', { simple: true }) !== 'delete') connection.pragma('journal_mode = DELETE');
    connection.exec('BEGIN IMMEDIATE');
    return null;
  });
}

/** Whether a change was kept after all, and is durable; null where that cannot be known. */
async function wasKept({ isKept }: Change<unknown>, access: Access, patience: number): Promise<boolean | null> {
  try {
    const connection = open(access, true);
    try {
      if ((await beginWriting(connection, new Patience(patience))) !== null) return null;
      if (isKept?.(connection) !== true) return false;
      // Whether the first commit is durable is not known: this one, which changes nothing, is after it.
      connection.pragma(`user_version = ${String(connection.pragma('user_version', { simple: true }))}`);
      connection.exec('COMMIT');
      return true;
    } finally {
      rollBack(connection);
      connection.close();
    }
  } catch {
    return null;
  }
}

/** Ends a transaction; the fault where it was taken back, or an error where what became of it is not known. */
async function commit(connection: Connection, patience: Patience): Promise<Failed | Error | null> {
  try {
    // Readers keep the last step from being made, and everything up to there stays done meanwhile.
    return await patience.try(() => {
      connection.exec('COMMIT');
      return null;
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

interface Writing<T> {
  /** Makes the tables, or looks at them. */
  readonly prepare: (connection: Connection) => Failed | null;
  readonly make: Make<T>;
}

async function change<T>(
  connection: Connection,
  { access, seconds, place }: { readonly access: Access; readonly seconds: number; readonly place: Place | null },
  { prepare, make }: Writing<T>,
): Promise<T | Failed> {
  const patience = new Patience(seconds);
  const busy = await beginWriting(connection, patience);
  if (busy !== null) return busy;
  const here = placeOf(access.path);
  if (here.kind === 'failed') return here;
  if (place !== null && here.file !== place.file) return failed({ code: 'replaced' });
  const unready = prepare(connection);
  if (unready !== null) return unready;
  const cut = cutIn(connection, here);
  const made = await make(connection, { ...here, cut });
  if (made.kind === 'failed') return made;
  if (made.isKept === null) return made.value;
  const records = countRecords(connection);
  const wrong = await commit(connection, patience);
  if (wrong !== null) rollBack(connection);
  if (wrong instanceof Error) {
    connection.close();
    const kept = await wasKept(made, access, seconds);
    if (kept === null) return failed({ code: 'outcome-unknown', reason: reasonOf(wrong) });
    if (!kept) return failed(writeFault(wrong, access.path));
  } else if (wrong !== null) {
    return wrong;
  }
  const after = placeOf(access.path);
  if (after.kind !== 'place' || after.file !== here.file) return failed({ code: 'replaced' });
  stampRecords(here, records, cut);
  return made.value;
}

async function writingIn<T>(
  access: Access,
  patience: number,
  {
    place,
    ...how
  }: Writing<T> & {
    /** The file that is there already; null where it may be made. */
    readonly place: Place | null;
  },
): Promise<T | Failed> {
  let connection: Connection | null = null;
  try {
    connection = open(access, place !== null);
    return await change(connection, { access, seconds: patience, place }, how);
  } catch (error) {
    return failed(isBusy(error) ? { code: 'busy', seconds: patience } : writeFault(error, access.path));
  } finally {
    if (connection !== null) {
      rollBack(connection);
      connection.close();
    }
  }
}

/** Changes a database while nobody else can: all that `make` does to it, durably, or nothing. */
export async function writing<T>(access: Access, patience: number, make: Make<T>): Promise<T | Failed> {
  const place = placeOf(access.path);
  if (place.kind === 'failed') return place;
  return writingIn(access, patience, { place, prepare: schemaFault, make });
}

/** Makes the tables of a store, in a file that is made for it or is empty; nothing where they are there. */
export async function makeStore(access: Access, patience: number): Promise<Failed | null> {
  const found = placeOf(access.path);
  if (found.kind === 'failed' && found.fault.code !== 'no-store') return found;
  const place = found.kind === 'place' ? found : null;
  // Before anything is written to a file that may be somebody else's.
  const there = place && (await readingAny(access, patience, (connection) => ({ fault: schemaFault(connection) })));
  if (there !== null) {
    const fault = 'kind' in there ? there : there.fault;
    if (fault?.fault.code !== 'no-store') return fault;
  }
  if (!existsSync(dirname(access.path))) return failed({ code: 'no-such-directory' });
  const made = await writingIn(access, patience, {
    place,
    prepare: makeSchema,
    make: () => ({ kind: 'change', value: null, isKept: (each) => schemaFault(each) === null }),
  });
  return made;
}
