import { pathToFileURL } from 'node:url';
import type Database from 'better-sqlite3';

interface Statement {
  /** Values of names that a statement does not have are passed over then. */
  setAllowUnknownNamedParameters(isAllowed: boolean): void;
  all(...values: readonly unknown[]): unknown[];
  get(...values: readonly unknown[]): unknown;
  run(...values: readonly unknown[]): { readonly changes: number };
}

interface Handle {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** What is used of `node:sqlite`. */
export interface BuiltIn {
  readonly DatabaseSync: new (path: string | URL, options: { readonly timeout: number }) => Handle;
}

/** The results of SQLite that are told apart. Source: sqlite.org/rescode.html. */
const CODES: Readonly<Record<number, string>> = {
  ...{ 1: 'ERROR', 5: 'BUSY', 6: 'LOCKED', 8: 'READONLY', 10: 'IOERR', 11: 'CORRUPT', 13: 'FULL', 14: 'CANTOPEN' },
  ...{ 17: 'SCHEMA', 19: 'CONSTRAINT', 26: 'NOTADB', 1032: 'READONLY_DBMOVED', 1811: 'CONSTRAINT_TRIGGER' },
};

/** Does something; errors of SQLite have its names of them as code, as those of better-sqlite3. */
function named<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') {
      const { errcode } = error;
      throw Object.assign(error, { code: `SQLITE_${CODES[errcode] ?? CODES[errcode & 255] ?? String(errcode)}` });
    }
    throw error;
  }
}

function prepared(handle: Handle, sql: string): Pick<Statement, 'all' | 'get' | 'run'> {
  const statement = named(() => handle.prepare(sql));
  statement.setAllowUnknownNamedParameters(true);
  return {
    all: (...values) => named(() => statement.all(...values)),
    get: (...values) => named(() => statement.get(...values)),
    run: (...values) => named(() => statement.run(...values)),
  };
}

/** The driver of `node:sqlite`, as far as stores use that of better-sqlite3. */
export function driverOf({ DatabaseSync }: BuiltIn): typeof Database {
  const open = function (path: string, { fileMustExist = false, timeout = 0 } = {}) {
    const address = pathToFileURL(path);
    address.search = 'mode=rw';
    const handle = named(() => new DatabaseSync(fileMustExist ? address : path, { timeout }));
    return {
      name: path,
      get inTransaction() {
        return handle.isOpen && handle.isTransaction;
      },
      exec(sql: string) {
        named(() => {
          handle.exec(sql);
        });
      },
      prepare: (sql: string) => prepared(handle, sql),
      pragma(text: string, { simple = false } = {}) {
        const rows = prepared(handle, `PRAGMA ${text}`).all() as readonly Readonly<Record<string, unknown>>[];
        return simple ? Object.values(rows[0] ?? {})[0] : rows;
      },
      close() {
        named(() => {
          if (handle.isOpen) handle.close();
        });
      },
    };
  };
  return open as unknown as typeof Database;
}

/** The SQLite of node from 22.16 on; null where it has none. That it is experimental there is no news for users. */
export function builtIn(): BuiltIn | null {
  const { emitWarning } = process as { emitWarning: (warning: string) => void };
  try {
    process.emitWarning = () => undefined;
    const found = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown as BuiltIn | undefined;
    if (found === undefined) return null;
    const probe = new found.DatabaseSync(':memory:', { timeout: 0 });
    probe.close();
    return 'isTransaction' in probe ? found : null;
  } catch {
    return null;
  } finally {
    process.emitWarning = emitWarning;
  }
}
