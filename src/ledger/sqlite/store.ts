import { basename, resolve } from 'node:path';
import type { Store } from '../journal/store.ts';
import { failed, type Failed } from '../records/fault.ts';
import { sqlStore } from '../sql/store.ts';
import { makeStore, reading, sqliteDatabase, type Access } from './database.ts';
import { loadDriver, type LoadDriver } from './driver.ts';
import { foldLedger } from './fold.ts';

/** How a database is opened. */
export interface SqliteOptions {
  /** Whether to make the store where there is none. */
  readonly make?: boolean;
  /** Seconds to wait for others where a call does not say it itself: where it only reads, or makes a ledger. */
  readonly patience?: number;
  /** Why nothing is written to this file, such as for the file system that it is on; looked at before every write. */
  readonly objection?: (path: string) => Failed | null;
  /** Loads the package `better-sqlite3`. */
  readonly load?: LoadDriver;
}

const PATIENCE = 10;

/**
 * A store whose ledgers are in one database of SQLite, a file. What does not write needs no right to.
 *
 * @param path - The file, which has to be a store already unless it is to be made.
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<Store | Failed> {
  const { make = false, patience = PATIENCE, objection, load } = options;
  if (basename(path) !== basename(path).trim()) {
    return failed({ code: 'bad-address', problem: 'outer-space', option: null });
  }
  const driver = await loadDriver(load);
  if (typeof driver !== 'function') return driver;
  const file = resolve(path);
  const access: Access = { path: file, driver, patience, objection: () => objection?.(file) ?? null };
  const fault = make ? await makeStore(access) : await reading(access, () => null);
  if (fault !== null) return fault;
  const database = {
    ...sqliteDatabase(access),
    address: `sqlite:${path}`,
    close: () => Promise.resolve(),
  };
  return { ...sqlStore(database), fold: (name, fold) => foldLedger(access, database, name, fold) };
}
