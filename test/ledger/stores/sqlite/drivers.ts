import Database from 'better-sqlite3';
import type { Connection, Driver, LoadDriver } from '../../../../src/ledger/stores/sqlite/driver.ts';

/** A driver whose connections are first given to `prepare`. */
export function driverWith(prepare: (connection: Connection, path: string) => void): LoadDriver {
  const driver = function (path: string, options: object) {
    const connection = new Database(path, options);
    prepare(connection, path);
    return connection;
  };
  return () => Promise.resolve({ default: driver as unknown as Driver });
}

/** A disk on which a database has so many pages and no more. */
export const diskOf = (pages: () => number): LoadDriver =>
  driverWith((connection) => {
    connection.pragma(`max_page_count = ${pages()}`);
  });

/** A driver whose commits go as `commit` says, which is given what would commit. */
export const committing = (commit: (really: () => unknown) => unknown): LoadDriver =>
  driverWith((connection) => {
    const exec = connection.exec.bind(connection);
    connection.exec = (sql) => (sql === 'COMMIT' ? (commit(() => exec(sql)), connection) : exec(sql));
  });

/** An error as SQLite has it. */
export const sqliteError = (code: string): Error => new Database.SqliteError('disk I/O error', code);
