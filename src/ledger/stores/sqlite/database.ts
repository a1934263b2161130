import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileFingerprint } from '../file/fingerprint.ts';
import { newNonce } from '../../prepare.ts';
import { failed, type Failed } from '../../fault.ts';
import {
  notKept,
  Patience,
  type Cut,
  type Database,
  type Dialect,
  type RecordRow,
  type View,
} from '../sql/database.ts';
import {
  type Connection,
  type Driver,
  deniedFault,
  isBusy,
  readFault,
  reasonOf,
  writeFault,
  cutIn,
  lastRecordIn,
  stampRecords,
  unchangedSince,
  placeOf,
  type Place,
  makeSchema,
  schemaFault,
} from './driver.ts';

/** How a database is reached. Every use has a connection of its own, so that uses in one process keep apart as those of several do. */
export interface Access {
  readonly path: string;
  readonly driver: Driver;
  /** Seconds to wait for others where a call does not say it itself: where it only reads, or makes a ledger. */
  readonly patience: number;
  /** Why nothing is written, such as for the file system that the file is on; looked at before every write. */
  readonly objection: () => Failed | null;
}

const DIALECT: Dialect = {
  schema: 'main',
  order: 't.rowid',
  claim: `INSERT INTO main.ledgers (name, head_seq, head_hash) VALUES ($1, -1, '') ON CONFLICT (name) DO NOTHING RETURNING name`,
  keyOf: (key) => JSON.stringify(key),
};

const numbered = (values: readonly unknown[]): object => Object.fromEntries(values.map((value, i) => [i + 1, value]));

const viewOf = (connection: Connection, cut: Cut | null): View => ({
  dialect: DIALECT,
  cut,
  ask: <Row>(text: string, values: readonly unknown[]) =>
    Promise.resolve(connection.prepare<object, Row>(text).all(numbered(values))),
});

function insert(connection: Connection, rows: readonly RecordRow[]): Failed | null {
  const insertion = connection.prepare('INSERT INTO main.records (ledger, seq, line) VALUES (?, ?, ?)');
  const move = connection.prepare('UPDATE main.ledgers SET head_seq = ?, head_hash = ? WHERE name = ?');
  for (const { ledger, seq, record, line } of rows) {
    const { changes } = insertion.run(ledger, seq, line.toString());
    if (changes !== 1 || move.run(seq, record.hash, ledger).changes !== 1) return notKept(ledger);
  }
  return null;
}

const hasRecord = (connection: Connection, { ledger, seq, record }: RecordRow): boolean =>
  connection
    .prepare('SELECT 1 FROM main.records WHERE ledger = ? AND seq = ? AND hash = ?')
    .get(ledger, seq, record.hash) !== undefined;

/** Milliseconds between two attempts: growing, and not the same for all who wait. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 25;

/**
 * Does something, again and again while others have the lock that it needs. Between two attempts the process is free for other
 * things: SQLite itself would sleep in its place.
 */
async function patiently<T>(patience: Patience, attempt: () => T | Promise<T>): Promise<T | Failed> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, 2 * pause)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    if (patience.left === 0) return failed({ code: 'busy', seconds: patience.seconds });
    await sleep(Math.min(1000 * patience.left, pause * (0.5 + Math.random())));
  }
}

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

/** Reads something in a database, whatever it is, while nobody can write, and only for that long. */
type Look<T> = (connection: Connection, place: Place) => T | Failed | Promise<T | Failed>;

async function readingAny<T>(access: Access, look: Look<T>): Promise<T | Failed> {
  const place = placeOf(access.path);
  if (place.kind === 'failed') return place;
  try {
    // Not opened for reading only: where a writer was killed, the next who comes takes back what it had begun.
    const connection = open(access, true);
    try {
      return await patiently(new Patience(access.patience), async () => {
        connection.pragma('query_only = ON');
        connection.exec('BEGIN');
        try {
          return await look(connection, place);
        } finally {
          rollBack(connection);
        }
      });
    } finally {
      connection.close();
    }
  } catch (error) {
    return failed(readFault(error));
  }
}

/** Reads a store as it is at one moment. It need not be writable. */
export const reading = <T>(access: Access, look: Look<T>): Promise<T | Failed> =>
  readingAny(access, (connection, place) => schemaFault(connection) ?? look(connection, place));

/**
 * Prepares a connection for writing. With the journal in a file of its own that is removed at the end of each transaction, the
 * database is one file as soon as nobody writes. EXTRA: a commit returns when that removal, too, would survive the loss of
 * power; with less, a transaction that was acknowledged could be taken back by its own journal.
 */
function beginWriting(connection: Connection, patience: Patience): Promise<Failed | null> {
  return patiently(patience, () => {
    connection.pragma('synchronous = EXTRA');
    if (connection.pragma('journal_mode', { simple: true }) !== 'delete') connection.pragma('journal_mode = DELETE');
    connection.exec('BEGIN IMMEDIATE');
    return null;
  });
}

interface Made<T> {
  readonly kind: 'made';
  readonly value: T;
  /** Tells later whether it was kept; null where nothing was changed. */
  readonly isKept: ((connection: Connection) => boolean) | null;
}

/** Whether a change was kept after all, and is durable; null where that cannot be known. */
async function wasKept({ isKept }: Made<unknown>, access: Access, seconds: number): Promise<boolean | null> {
  try {
    const connection = open(access, true);
    try {
      if ((await beginWriting(connection, new Patience(seconds))) !== null) return null;
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
    return await patiently(patience, () => {
      connection.exec('COMMIT');
      return null;
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

interface Writing<T> {
  /** Seconds to wait for others. */
  readonly seconds: number;
  /** The file that is there already; null where it may be made. */
  readonly place: Place | null;
  /** Makes the tables, or looks at them. */
  readonly prepare: (connection: Connection) => Failed | null;
  readonly make: (
    connection: Connection,
    place: Place,
    cut: Cut | null,
  ) => Made<T> | Failed | Promise<Made<T> | Failed>;
}

/** A number that is another one when another connection has changed the database. */
const versionOf = (connection: Connection): unknown => connection.pragma('data_version', { simple: true });

/** The moment of the file of a database after a commit, unless another connection may have changed it since; null then. */
function momentAfter(connection: Connection, { path }: Place, version: unknown): string | null {
  try {
    const moment = fileFingerprint(path);
    return versionOf(connection) === version ? moment : null;
  } catch {
    // Somebody writes, or the connection is closed. What was committed is.
    return null;
  }
}

async function change<T>(
  connection: Connection,
  access: Access,
  { seconds, place, prepare, make }: Writing<T>,
): Promise<T | Failed> {
  const patience = new Patience(seconds);
  const busy = await beginWriting(connection, patience);
  if (busy !== null) return busy;
  const location = placeOf(access.path);
  if (location.kind === 'failed') return location;
  if (place !== null && location.file !== place.file) return failed({ code: 'replaced' });
  const unready = prepare(connection);
  if (unready !== null) return unready;
  const cut = cutIn(connection, location);
  const result = await make(connection, location, cut);
  if (result.kind === 'failed') return result;
  if (result.isKept === null) return result.value;
  const records = lastRecordIn(connection);
  const since = unchangedSince(location) ?? BigInt(`0x${newNonce().slice(0, 15)}`);
  const version = versionOf(connection);
  const wrong = await commit(connection, patience);
  if (wrong !== null) rollBack(connection);
  if (wrong instanceof Error) {
    connection.close();
    const isDurable = await wasKept(result, access, seconds);
    if (isDurable === null) return failed({ code: 'outcome-unknown', reason: reasonOf(wrong) });
    if (!isDurable) return failed(writeFault(wrong, access.path));
  } else if (wrong !== null) {
    return wrong;
  }
  const after = placeOf(access.path);
  if (after.kind !== 'place' || after.file !== location.file) return failed({ code: 'replaced' });
  const moment = momentAfter(connection, location, version);
  stampRecords(location, records, cut, moment === null ? null : { since, moment });
  return result.value;
}

/** Changes a database while nobody else can: all that `make` does to it, durably, or nothing. */
async function writing<T>(access: Access, how: Writing<T>): Promise<T | Failed> {
  let connection: Connection | null = null;
  try {
    connection = open(access, how.place !== null);
    return await change(connection, access, how);
  } catch (error) {
    return failed(isBusy(error) ? { code: 'busy', seconds: how.seconds } : writeFault(error, access.path));
  } finally {
    if (connection !== null) {
      rollBack(connection);
      connection.close();
    }
  }
}

/** Makes the tables of a store, in a file that is made for it or is empty; nothing where they are there. */
export async function makeStore(access: Access): Promise<Failed | null> {
  const denied = access.objection();
  if (denied !== null) return denied;
  const location = placeOf(access.path);
  if (location.kind === 'failed' && location.fault.code !== 'no-store') return location;
  const place = location.kind === 'place' ? location : null;
  // Before anything is written to a file that may be somebody else's.
  const there = place && (await readingAny(access, (connection) => ({ fault: schemaFault(connection) })));
  if (there !== null) {
    const fault = 'kind' in there ? there : there.fault;
    if (fault?.fault.code !== 'no-store') return fault;
  }
  if (!existsSync(dirname(access.path))) return failed({ code: 'no-such-directory' });
  return await writing<null>(access, {
    ...{ seconds: access.patience, place, prepare: makeSchema },
    make: () => ({ kind: 'made', value: null, isKept: (connection) => schemaFault(connection) === null }),
  });
}

/** A database that is a store already. */
export const sqliteDatabase = (access: Access): Omit<Database, 'address' | 'close'> => ({
  placeId: () => {
    const place = placeOf(access.path);
    return Promise.resolve(place.kind === 'failed' ? place : place.placeId);
  },
  read: (question) => reading(access, (connection, place) => question(viewOf(connection, cutIn(connection, place)))),
  change: async ({ seconds = access.patience }, make) => {
    const place = access.objection() ?? placeOf(access.path);
    if (place.kind === 'failed') return place;
    return await writing(access, {
      ...{ seconds, place, prepare: schemaFault },
      make: async (connection, { placeId }, cut) => {
        const changed = await make({
          ...viewOf(connection, cut),
          ...{ placeId, now: new Date().toISOString() },
          insert: (rows) => Promise.resolve(insert(connection, rows)),
        });
        if (changed.kind === 'failed') return changed;
        const { value, witness } = changed;
        return { kind: 'made', value, isKept: witness && ((again) => hasRecord(again, witness)) };
      },
    });
  },
  obstacle: () => {
    const denied = deniedFault(access.path);
    return access.objection() ?? (denied && failed(denied));
  },
});
