import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { builtIn, driverOf, type BuiltIn } from '../../../../src/ledger/stores/sqlite/built-in.ts';
import { isBusy } from '../../../../src/ledger/stores/sqlite/driver.ts';
import { describeStore } from '../../store-contract.ts';
import { copyOf, newPath, opened } from './databases.ts';

const own = builtIn();

/** A `node:sqlite` in which everything fails with a result of SQLite. */
function failingWith(errcode: number): BuiltIn {
  const fail = (): never => {
    throw Object.assign(new Error('of SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });
  };
  class DatabaseSync {
    readonly isOpen = true;
    readonly isTransaction = false;
    exec = fail;
    prepare = fail;
    close = fail;
  }
  return { DatabaseSync };
}

/** What is thrown by a connection, whatever it is asked. */
function thrownBy(errcode: number): unknown[] {
  const connection = new (driverOf(failingWith(errcode)))('a.db');
  const asks = [() => connection.exec('COMMIT'), () => connection.prepare('SELECT 1'), () => connection.close()];
  return asks.map((ask) => {
    try {
      return ask();
    } catch (error) {
      return error;
    }
  });
}

describe('the SQLite of node', () => {
  // sqlite.org/rescode.html; 266: a read that fails, 517: a snapshot that is too old; 9: none that is told apart.
  it.each([
    [5, 'SQLITE_BUSY'],
    [517, 'SQLITE_BUSY'],
    [13, 'SQLITE_FULL'],
    [266, 'SQLITE_IOERR'],
    [1032, 'SQLITE_READONLY_DBMOVED'],
    [1555, 'SQLITE_CONSTRAINT'],
    [1811, 'SQLITE_CONSTRAINT_TRIGGER'],
    [9, 'SQLITE_9'],
  ])('has the names of errors that better-sqlite3 has: %s', (errcode, code) => {
    for (const error of thrownBy(errcode)) {
      expect(error).toMatchObject({ code });
      expect(isBusy(error)).toBe(code === 'SQLITE_BUSY');
    }
  });

  it('is looked for without a warning, and leaves warnings of others alone', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    builtIn();
    expect(warn).not.toHaveBeenCalled();
    process.emitWarning('of another');
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });

  it.skipIf(own === null)('makes no file where there has to be one, whatever its name', () => {
    const Driver = driverOf(own!);
    for (const name of ['plain', 'a b%20c#d?e=f&g']) {
      const path = `${newPath()}-${name}`;
      expect(() => new Driver(path, { fileMustExist: true })).toThrow();
      expect(existsSync(path)).toBe(false);
      const made = new Driver(path);
      made.exec('CREATE TABLE here (a)');
      made.close();
      const again = new Driver(path, { fileMustExist: true });
      expect(again.prepare('SELECT name FROM sqlite_schema').all()).toMatchObject([{ name: 'here' }]);
      expect(existsSync(path)).toBe(true);
      again.close();
    }
  });
});

if (own !== null) {
  const load = () => Promise.resolve({ default: driverOf(own) });
  describeStore('a database of the SQLite of node', {
    make: async () => {
      const path = newPath();
      return {
        store: await opened(path, { make: true, load }),
        again: () => opened(path, { load }),
        copied: () => opened(copyOf(path), { load }),
      };
    },
    codes: { missing: 'no-such-ledger', taken: 'ledger-exists' },
  });
}
