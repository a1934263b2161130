import { readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { adoptIn } from '../../../../src/ledger/succession.ts';
import { seal, unseal, type Fields } from '../../../../src/ledger/line.ts';
import type { Store } from '../../../../src/ledger/store.ts';
import { OPTIONS } from '../file/files.ts';
import { sound } from '../../store-contract.ts';
import { type LoadDriver, unchangedSince } from '../../../../src/ledger/stores/sqlite/driver.ts';
import { batchesOf, manyLines, spend, summed } from '../many-lines.ts';
import { newPath, opened } from './databases.ts';

let path = '';
let store: Store;

beforeEach(async () => {
  path = newPath();
  store = await opened(path, { make: true });
  sound(await store.restore!('a', batchesOf(await manyLines(await opened(newPath(), { make: true })))));
  sound(await adoptIn(store, 'a', null, OPTIONS));
  // As if the last change were long ago.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2100-01-01') });
});
afterEach(() => {
  vi.useRealTimers();
});

const checkpoint = (): string =>
  join(
    dirname(path),
    readdirSync(dirname(path)).find((name) => name.endsWith('.checkpoint'))!,
  );

/** Puts another label into what is kept beside the database, as nobody does. */
function mark(): void {
  const kept = unseal(readFileSync(checkpoint()));
  if (kept.kind !== 'record') throw new Error('what is kept is not sealed');
  const fields = JSON.parse(JSON.stringify(kept.fields).replace('first', 'kept')) as Fields;
  writeFileSync(checkpoint(), seal(fields).text);
}

it('the sum of a large ledger is kept beside the database, and gone on from', async () => {
  expect(await summed(store)).toEqual({ first: 1 });
  mark();
  expect(await summed(store)).toEqual({ kept: 1 });
  await spend(store, 'second');
  expect(await summed(store)).toEqual({ kept: 1, second: 1 });
  await spend(store, 'second');
  expect(await summed(await opened(path))).toEqual({ kept: 1, second: 2 });
  unlinkSync(checkpoint());
  expect(await summed(store)).toEqual({ first: 1, second: 2 });
});

it('what only this program has changed is known to be, and what another one has is not', async () => {
  await spend(store, 'first');
  const since = unchangedSince({ path });
  expect(since).not.toBe(null);
  await spend(store, 'second');
  await spend(await opened(path), 'third');
  expect(unchangedSince({ path })).toBe(since);
  expect(await summed(store)).toEqual({ first: 2, second: 1, third: 1 });
  const kept = readFileSync(checkpoint(), 'utf8');
  expect(kept).toContain(`"moment":"since ${since}"`);
  const database = new Database(path);
  database.exec('CREATE TABLE other (a); DROP TABLE other');
  database.close();
  expect(unchangedSince({ path })).toBe(null);
  await spend(store, 'fourth');
  expect(unchangedSince({ path })).not.toBe(since);
  expect(await summed(store)).toEqual({ first: 2, second: 1, third: 1, fourth: 1 });
});

it('a database that another program changes while it is written is not taken for one that none has', async () => {
  await spend(store, 'first');
  const changes = new Database(path);
  const take: LoadDriver = async () => {
    const { default: Driver } = await import('better-sqlite3');
    class Raced extends Driver {
      override exec(sql: string): this {
        super.exec(sql);
        if (sql === 'COMMIT') changes.exec('CREATE TABLE IF NOT EXISTS other (a)');
        return this;
      }
    }
    return { default: Raced as unknown as typeof Driver };
  };
  await spend(await opened(path, { load: take }), 'second');
  changes.close();
  expect(unchangedSince({ path })).toBe(null);
});

it('a past that was forged since is found', async () => {
  await summed(store);
  const database = new Database(path);
  const stays = database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'records_stay'").pluck().get() as string;
  const line = database.prepare('SELECT line FROM records WHERE seq = 700').pluck().get() as string;
  const record = unseal(Buffer.from(line));
  if (record.kind !== 'record') throw new Error('a line is no record');
  const found: unknown[] = [];
  for (const forged of [line.replace('"n"', '"m"'), seal({ ...record.fields, label: 'm' }).text, line]) {
    database.exec('DROP TRIGGER records_stay');
    database.prepare('UPDATE records SET line = ? WHERE seq = 700').run(forged);
    database.exec(stays);
    found.push(await summed(store));
  }
  database.close();
  expect(found).toEqual(['damaged-record', 'broken-chain', { first: 1 }]);
});

it('a sum of other records than those that are there is not gone on from', async () => {
  await summed(store);
  const kept = readFileSync(checkpoint());
  for (const content of ['', kept.subarray(0, 50), kept.toString().replace('first', 'other')]) {
    writeFileSync(checkpoint(), content);
    expect(await summed(store)).toEqual({ first: 1 });
  }
});
