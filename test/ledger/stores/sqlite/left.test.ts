import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { spendIn } from '../../../../src/ledger/spend-in.ts';
import { adoptIn } from '../../../../src/ledger/succession.ts';
import { foldOf } from '../../../../src/ledger/history.ts';
import { verify } from '../../../../src/ledger/verify.ts';
import type { Store } from '../../../../src/ledger/store.ts';
import { stampRecords, placeOf } from '../../../../src/ledger/stores/sqlite/driver.ts';
import { openSqlite } from '../../../../src/ledger/stores/sqlite/store.ts';
import { ITEMS } from '../../../../src/output/ledger/items.ts';
import { dp } from '../../../mechanisms.ts';
import { OPTIONS } from '../file/files.ts';
import { headerOf, listOf, sound } from '../../store-contract.ts';
import { newPath, opened } from './databases.ts';

const spend = async (store: Store, name: string, epsilon: string): Promise<boolean | string> => {
  const done = await spendIn(store, [name], { entries: [dp(epsilon)] }, OPTIONS);
  return done.kind === 'failed' ? done.fault.code : done.value[0]!.decision.kind === 'accepted';
};

const code = (found: object | null): unknown =>
  found !== null && 'fault' in found ? (found as { fault: { code: string } }).fault.code : 'none';

/** A database of two ledgers, over which one from before the last spends was put, byte for byte. */
async function putBack(): Promise<{ readonly store: Store; readonly path: string; readonly older: Buffer }> {
  const path = newPath();
  const store = await opened(path, { make: true });
  for (const name of ['a', 'b']) {
    sound(await store.create(name, headerOf(name)));
    expect(await spend(store, name, '0.3')).toBe(true);
  }
  const older = readFileSync(path);
  for (const name of ['a', 'b']) expect(await spend(store, name, '0.4')).toBe(true);
  writeFileSync(path, older);
  return { store, path, older };
}

describe('an older database that was put over a store', () => {
  it('is seen also where a writer that is late notes how it left the database', async () => {
    const path = newPath();
    const store = await opened(path, { make: true });
    sound(await store.create('a', headerOf('a')));
    expect(await spend(store, 'a', '0.3')).toBe(true);
    const older = readFileSync(path);
    expect(await spend(store, 'a', '0.4')).toBe(true);
    const place = placeOf(path);
    if (place.kind === 'failed') throw new Error('the database is gone');
    stampRecords(place, { records: 1, last: 1n }, null);
    writeFileSync(path, older);
    expect(await spend(store, 'a', '0.4')).toBe('cut-off');
  });

  it('grants nothing, whoever looks at it', async () => {
    const { store, path } = await putBack();
    for (const each of [store, await opened(path)]) {
      expect(await spend(each, 'a', '0.4')).toBe('cut-off');
      expect(code(await each.ends('a'))).toBe('cut-off');
      expect(code(await foldOf(each, 'a', ITEMS))).toBe('cut-off');
      expect(code(await verify(each, 'a'))).toBe('cut-off');
      expect(await listOf(each)).toEqual([
        ['a', 'cut-off'],
        ['b', 'cut-off'],
      ]);
    }
  });

  it('makes no ledger whose records may be among those that are gone', async () => {
    const { store } = await putBack();
    expect(code(await store.create('c', headerOf('c')))).toBe('cut-off');
    expect(code(await store.obstacle('c'))).toBe('cut-off');
  });

  it('lets a ledger go on for who says that it does, and no other', async () => {
    const { store, path, older } = await putBack();
    sound(await adoptIn(store, 'a', 'the rest is lost', OPTIONS));
    expect(await spend(store, 'a', '0.4')).toBe(true);
    for (let n = 0; n < 4; n++) expect(await spend(store, 'a', '0.01')).toBe(true);
    expect(await spend(await opened(path), 'b', '0.4')).toBe('cut-off');
    expect(code(await store.create('c', headerOf('c')))).toBe('none');
    expect(await spend(store, 'c', '0.4')).toBe(true);
    writeFileSync(path, older);
    for (const name of ['a', 'b']) expect(await spend(store, name, '0.4')).toBe('cut-off');
    sound(await adoptIn(store, 'b', 'the rest is lost', OPTIONS));
    expect(await spend(store, 'a', '0.4')).toBe('cut-off');
    expect(await spend(store, 'b', '0.4')).toBe(true);
  });
});

describe('a longer database that was put over what went on from an older one', () => {
  it('grants nothing in any ledger of which nobody says that it goes on', async () => {
    const path = newPath();
    const store = await opened(path, { make: true });
    for (const name of ['a', 'b']) {
      sound(await store.create(name, headerOf(name)));
      expect(await spend(store, name, '0.1')).toBe(true);
    }
    const older = readFileSync(path);
    for (let n = 0; n < 5; n++) expect(await spend(store, 'a', '0.1')).toBe(true);
    const longer = readFileSync(path);
    writeFileSync(path, older);
    sound(await adoptIn(store, 'a', 'the rest is lost', OPTIONS));
    expect(await spend(store, 'a', '0.7')).toBe(true);
    writeFileSync(path, longer);
    for (const name of ['a', 'b']) expect(await spend(store, name, '0.3')).toBe('cut-off');
    expect(code(await store.create('c', headerOf('c')))).toBe('cut-off');
    sound(await adoptIn(store, 'a', 'the rest is lost', OPTIONS));
    expect(await spend(store, 'a', '0.3')).toBe(true);
    expect(await spend(store, 'b', '0.3')).toBe('cut-off');
    expect(code(await store.create('c', headerOf('c')))).toBe('none');
  });
});

/** Puts another file where a database is, under its name. */
function moveOver(path: string, bytes: Buffer): void {
  writeFileSync(`${path}.other`, bytes);
  renameSync(`${path}.other`, path);
}

describe('another file that was given the name of a store', () => {
  it('makes no ledger where it is older, before somebody has said that one goes on', async () => {
    const { store, path, older } = await putBack();
    moveOver(path, older);
    for (const each of [store, await opened(path)]) {
      expect(code(await each.create('c', headerOf('c')))).toBe('cut-off');
      expect(code(await each.obstacle('c'))).toBe('cut-off');
      expect(await spend(each, 'a', '0.4')).toBe('cut-off');
    }
    sound(await adoptIn(store, 'a', 'the rest is lost', OPTIONS));
    expect(await spend(store, 'a', '0.4')).toBe(true);
    expect(await spend(store, 'b', '0.4')).toBe('cut-off');
    expect(code(await store.create('c', headerOf('c')))).toBe('none');
  });

  it('is a copy, as elsewhere, where it has all records', async () => {
    const path = newPath();
    const store = await opened(path, { make: true });
    sound(await store.create('a', headerOf('a')));
    expect(await spend(store, 'a', '0.3')).toBe(true);
    moveOver(path, readFileSync(path));
    expect(await spend(store, 'a', '0.3')).toBe('moved');
    sound(await adoptIn(store, 'a', 'the backup', OPTIONS));
    expect(await spend(store, 'a', '0.3')).toBe(true);
  });

  it('is not made anew where the ledgers are gone with the database', async () => {
    const path = newPath();
    const store = await opened(path, { make: true });
    sound(await store.create('a', headerOf('a')));
    for (const gone of [
      () => {
        rmSync(path);
      },
      () => {
        writeFileSync(path, '');
      },
    ]) {
      gone();
      expect(code(await openSqlite(path, { make: true }))).toBe('cut-off');
    }
    rmSync(join(dirname(path), '.ledgers.db.stamp'));
    expect(code(await openSqlite(path, { make: true }))).toBe('none');
  });
});

describe('a store that is as it was left', () => {
  it('goes on though nothing is known of how it was left, or its pages were put in order', async () => {
    const path = newPath();
    const store = await opened(path, { make: true });
    sound(await store.create('a', headerOf('a')));
    expect(await spend(store, 'a', '0.1')).toBe(true);
    const database = new Database(path);
    database.exec('VACUUM');
    database.close();
    expect(await spend(store, 'a', '0.1')).toBe(true);
    rmSync(join(dirname(path), '.ledgers.db.stamp'));
    expect(await spend(store, 'a', '0.1')).toBe(true);
  });
});
