import {
  unlinkSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openSqlite, type SqliteOptions } from '../../../../src/ledger/stores/sqlite/store.ts';
import { add, headerOf, linesOf, sound } from '../../store-contract.ts';
import { loadDriver } from '../../../../src/ledger/stores/sqlite/driver.ts';
import { newPath, opened } from './databases.ts';

/** The fault of opening; null where there is none. */
async function faultOf(path: string, options?: SqliteOptions): Promise<unknown> {
  const store = await openSqlite(path, options);
  return 'fault' in store ? store.fault : null;
}

/** A path at which a database has run these statements. */
function databaseOf(...statements: readonly string[]): string {
  const path = newPath();
  const database = new Database(path);
  for (const each of statements) database.exec(each);
  database.close();
  return path;
}

/** A store in which this was done to the database by hand. */
async function storeWith(...statements: readonly string[]): Promise<string> {
  const path = newPath();
  const store = await opened(path, { make: true });
  sound(await store.create('a', headerOf('a')));
  const database = new Database(path);
  for (const each of statements) database.exec(each);
  database.close();
  return path;
}

describe('a store in SQLite', () => {
  it('is made only where that is asked for', async () => {
    const path = newPath();
    expect(await faultOf(path)).toEqual({ code: 'no-store' });
    expect(existsSync(path)).toBe(false);
    expect(await faultOf(path, { make: true })).toBeNull();
    expect(await faultOf(path)).toBeNull();
  });

  it('is one file when nobody writes to it, beside which its stamp stands', async () => {
    const path = newPath();
    const store = await opened(path, { make: true });
    sound(await store.create('a', headerOf('a')));
    sound(await add(store, { a: { event: 'note' } }));
    expect(readdirSync(dirname(path))).toEqual(['.ledgers.db.stamp', 'ledgers.db']);
  });

  it('stays as it is where it is made again', async () => {
    const path = newPath();
    const store = await opened(path, { make: true });
    sound(await store.create('a', headerOf('a')));
    const again = await opened(path, { make: true });
    expect(await linesOf(again, 'a')).toEqual(await linesOf(store, 'a'));
  });

  it('is made once by all who make it at once', async () => {
    const path = newPath();
    const stores = await Promise.all(Array.from({ length: 6 }, () => opened(path, { make: true })));
    for (const [i, store] of stores.entries()) sound(await store.create(`${i}`, headerOf(`${i}`)));
    expect(await linesOf(stores[0]!, '5')).toHaveLength(1);
  });

  it('can be made in an empty file', async () => {
    const path = newPath();
    closeSync(openSync(path, 'w'));
    expect(await faultOf(path)).toEqual({ code: 'no-store' });
    expect(await faultOf(path, { make: true })).toBeNull();
  });

  it('is not made where there is no folder, or something that is no file', async () => {
    const path = newPath();
    expect(await faultOf(join(path, 'x.db'), { make: true })).toEqual({ code: 'no-such-directory' });
    mkdirSync(path);
    expect(await faultOf(path, { make: true })).toEqual({ code: 'is-a-directory' });
    expect(await faultOf('/dev/null', { make: true })).toEqual({ code: 'not-a-file' });
  });

  it.each([
    ['a text', () => fileOf('A text is no database, and stays as it is.\n'.repeat(100))],
    ['a database of something else', () => databaseOf('CREATE TABLE books (title TEXT)')],
    [
      'one of something else with a write-ahead log',
      () => databaseOf('PRAGMA journal_mode = WAL', 'CREATE TABLE books (title TEXT)'),
    ],
    ['one that another program has marked', () => databaseOf('PRAGMA application_id = 77')],
  ])('is not what %s is, which stays as it was', async (_, make) => {
    const path = make();
    const before = readFileSync(path);
    for (const options of [{}, { make: true }])
      expect(await faultOf(path, options)).toMatchObject({ code: 'not-a-store' });
    expect(readFileSync(path)).toEqual(before);
  });

  it('is not opened by another of its names, by which nobody would find its journal', async () => {
    const path = await storeWith();
    linkSync(path, `${path}-other`);
    expect(await faultOf(path)).toMatchObject({ code: 'unfit-place' });
  });

  it('has no name that the driver would read as another one', async () => {
    const path = newPath();
    for (const odd of [`${path} `, `${path}\n`, `${path}\u00a0`, join(dirname(path), ' ledgers.db')]) {
      const fault = { code: 'bad-address', problem: 'outer-space', option: null };
      expect(await faultOf(odd, { make: true })).toEqual(fault);
      expect(await faultOf(odd)).toEqual(fault);
    }
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('of another version is left alone', async () => {
    const path = await storeWith('PRAGMA user_version = 2');
    for (const options of [{}, { make: true }]) {
      expect(await faultOf(path, options)).toEqual({ code: 'other-schema', found: '2', needed: '1' });
    }
  });

  it.each([
    ['DROP TABLE ledgers', 'ledgers was removed'],
    ['DROP INDEX records_by_key', 'records_by_key was removed'],
    ['DROP TRIGGER records_stay', 'records_stay was removed'],
  ])('is damaged by %s', async (statement, reason) => {
    const path = await storeWith(statement);
    for (const options of [{}, { make: true }])
      expect(await faultOf(path, options)).toEqual({ code: 'damaged-store', reason });
  });

  it('may have more in it, such as somebody’s views', async () => {
    expect(await faultOf(await storeWith('CREATE VIEW heads AS SELECT name, head_hash FROM ledgers'))).toBeNull();
  });

  it('that was damaged while it was open fails, and throws nothing', async () => {
    const path = newPath();
    const store = await opened(path, { make: true });
    sound(await store.create('a', headerOf('a')));
    const whole = readFileSync(path);
    for (const [start, length] of [
      [0, 100],
      [100, 4000],
      [4096, 4096],
      [4096, whole.length - 4096],
      [0, whole.length],
    ] as const) {
      writeFileSync(path, Buffer.from(whole).fill(0xa5, start, start + length));
      const answers = [
        await store.ends('a'),
        await add(store, { a: { event: 'note' } }),
        await store.create('b', headerOf('b')),
      ];
      const faults = answers.map((each) => ('fault' in each ? each.fault.code : null));
      expect(faults).not.toContain(null);
    }
    writeFileSync(path, whole.subarray(0, 5000));
    expect(await add(store, { a: { event: 'note' } })).toMatchObject({ kind: 'failed' });
    writeFileSync(path, '');
    expect(await store.ends('a')).toMatchObject({ fault: { code: 'cut-off' } });
  });

  it('that was there and is gone says so, whoever asks, and not that none was made', async () => {
    const path = newPath();
    const store = await opened(path, { make: true });
    await store.create('a', headerOf('a'));
    unlinkSync(path);
    const gone = { fault: { code: 'cut-off', size: 0, before: 1 } };
    expect(await store.ends('a')).toMatchObject(gone);
    expect(await add(store, { a: { event: 'note' } })).toMatchObject(gone);
    expect(await openSqlite(path)).toMatchObject(gone);
    expect(await openSqlite(path, { make: true })).toMatchObject(gone);
    expect(await openSqlite(newPath())).toMatchObject({ fault: { code: 'no-store' } });
  });

  it('needs a package, which is named where it is missing or does not run here', async () => {
    const path = newPath();
    const missing = () => Promise.reject(new Error("Cannot find package 'better-sqlite3'\nimported from here"));
    expect(await faultOf(path, { make: true, load: missing })).toEqual({
      ...{ code: 'no-driver', package: expect.stringMatching(/^better-sqlite3(@12)?$/) as string },
      reason: "Cannot find package 'better-sqlite3'",
    });
    const unbuilt = () =>
      Promise.resolve({
        default: function () {
          throw new Error('Could not locate the bindings file.');
        } as never,
      });
    expect(await faultOf(path, { make: true, load: unbuilt })).toMatchObject({ code: 'no-driver' });
    expect(existsSync(path)).toBe(false);
  });

  it('is not opened by a driver that would end the process here, which is not even loaded', async () => {
    const loaded: string[] = [];
    const load = () => {
      loaded.push('loaded');
      return Promise.resolve({ default: Database as never });
    };
    const refused = await loadDriver(load, { version: '13.2.0', napi: 9 });
    expect(refused).toMatchObject({ fault: { code: 'no-driver', package: 'better-sqlite3@12' } });
    expect(refused).toMatchObject({ fault: { reason: expect.stringContaining('13.2.0') as string } });
    expect(loaded).toEqual([]);
    for (const [version, napi] of [
      ['12.11.1', 9],
      ['13.2.0', 10],
      [null, 9],
    ] as const)
      expect(await loadDriver(load, { version, napi })).toBe(Database);
  });

  it('is not opened where there is an objection', async () => {
    const path = newPath();
    const fault = { code: 'no-locks', reason: 'far away' } as const;
    expect(await faultOf(path, { make: true, objection: () => ({ kind: 'failed', fault }) })).toEqual(fault);
    expect(existsSync(path)).toBe(false);
  });
});

function fileOf(text: string): string {
  const path = newPath();
  writeFileSync(path, text);
  return path;
}
