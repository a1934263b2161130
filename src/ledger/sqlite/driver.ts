import { failed, type Failed } from '../records/fault.ts';

/** The package with SQLite in it; who keeps no ledgers in SQLite need not have it. */
const PACKAGE = 'better-sqlite3';

/** A prepared statement. */
export interface Statement {
  run(...values: readonly unknown[]): { readonly changes: number };
  get(...values: readonly unknown[]): unknown;
  iterate(...values: readonly unknown[]): IterableIterator<unknown>;
}

/** An open database. Errors of SQLite are thrown, with a `code` such as `SQLITE_BUSY`. */
export interface Connection {
  readonly inTransaction: boolean;
  prepare(sql: string): Statement;
  exec(sql: string): unknown;
  pragma(sql: string, options?: { readonly simple: boolean }): unknown;
  close(): unknown;
}

/** Opens a database; `timeout`: milliseconds for which SQLite itself waits, and nothing else is done. */
export type Driver = new (
  path: string,
  options: { readonly fileMustExist: boolean; readonly timeout: number },
) => Connection;

/** How the package is found. */
export type LoadDriver = () => Promise<{ readonly default: Driver }>;

const byImport: LoadDriver = () => import('better-sqlite3');

/** The driver, if its package is installed and runs here. */
export async function loadDriver(load: LoadDriver = byImport): Promise<Driver | Failed> {
  try {
    const { default: Driver } = await load();
    // Its native part is looked for only now.
    new Driver(':memory:', { fileMustExist: false, timeout: 0 }).close();
    return Driver;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return failed({ code: 'no-driver', package: PACKAGE, reason });
  }
}
