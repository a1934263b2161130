import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { Interrupted } from '../../../../src/ledger/fault.ts';
import { seal, type Fields } from '../../../../src/ledger/line.ts';
import type { Store } from '../../../../src/ledger/store.ts';
import { add, headerOf, linesOf, listOf, look, sound } from '../../store-contract.ts';
import { newPath, opened } from './databases.ts';

const spend = (launched: number): Fields => ({ event: 'spend', key: `k${launched}`, totals: { launched } });

/** A store with the ledgers `a`, of four records, and `b`, of one. */
async function storeWithLedgers(): Promise<{ readonly path: string; readonly store: Store }> {
  const path = newPath();
  const store = await opened(path, { make: true });
  for (const name of ['a', 'b']) sound(await store.create(name, headerOf(name)));
  for (let n = 1; n <= 4; n++) sound(await add(store, { a: spend(n) }));
  sound(await add(store, { b: spend(1) }));
  return { path, store };
}

/** Does something to a database that its triggers would not let anybody do, and leaves them as they were. */
function forge(path: string, ...statements: readonly (readonly [sql: string, ...values: readonly unknown[]])[]): void {
  const database = new Database(path);
  const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  const all = triggers as { readonly name: string; readonly sql: string }[];
  expect(all.length).toBeGreaterThan(3);
  for (const { name } of all) database.exec(`DROP TRIGGER ${name}`);
  for (const [sql, ...values] of statements) expect(database.prepare(sql).run(...values).changes).toBeGreaterThan(0);
  for (const { sql } of all) database.exec(sql);
  database.close();
}

const lineOf = (path: string, seq: number): string => {
  const database = new Database(path);
  const line = database.prepare("SELECT line FROM records WHERE ledger = 'a' AND seq = ?").pluck().get(seq);
  database.close();
  return line as string;
};

/** What is said of a ledger where it is added to, looked at, and read from its beginning to its end. */
async function faultsOf(store: Store): Promise<readonly unknown[]> {
  const answers = [await add(store, { b: spend(2), a: spend(5) }), await store.ends('a')];
  return answers.map((each) => ('fault' in each ? each.fault.code : null));
}

describe('what was recorded in SQLite', () => {
  it.each([
    "UPDATE records SET line = replace(line, 'k1', 'k2')",
    "UPDATE records SET ledger = 'c' WHERE ledger = 'b'",
    "DELETE FROM records WHERE ledger = 'a' AND seq = 4",
    'DELETE FROM ledgers',
    "UPDATE ledgers SET name = 'c' WHERE name = 'b'",
    "UPDATE ledgers SET head_seq = 3 WHERE name = 'a'",
    "UPDATE ledgers SET head_hash = 'x' WHERE name = 'a'",
    'INSERT OR REPLACE INTO records (ledger, seq, line) SELECT ledger, seq, line FROM records WHERE seq = 1',
    "INSERT INTO records (ledger, seq, line) SELECT 'a', seq, line FROM records WHERE ledger = 'b' AND seq = 1",
    // A record that follows another than the last, or has another number than it says.
    "INSERT INTO records (ledger, seq, line) SELECT 'b', 2, replace(line, '\"seq\":3', '\"seq\":2') FROM records WHERE seq = 3",
    "INSERT INTO records (ledger, seq, line) SELECT 'b', 2, line FROM records WHERE ledger = 'a' AND seq = 3",
    "INSERT INTO records (ledger, seq, line, hash) VALUES ('b', 2, '{\"seq\":2}', 'x')",
  ])('is kept from being changed by hand: %s', async (statement) => {
    const { path, store } = await storeWithLedgers();
    const before = [await linesOf(store, 'a'), await linesOf(store, 'b')];
    const database = new Database(path);
    expect(() => database.exec(statement)).toThrow(/never|last one|goes on|constraint|generated/);
    database.close();
    expect([await linesOf(store, 'a'), await linesOf(store, 'b')]).toEqual(before);
  });

  const HEAD = 'UPDATE ledgers SET head_seq = ?, head_hash = ? WHERE name = ?';
  const other = seal({ seq: 4, event: 'spend' });

  const before = seal({ seq: 3, event: 'spend' });

  it.each([
    [
      'broken-chain',
      'another record in the place of the one before the last',
      [["UPDATE records SET line = ? WHERE ledger = 'a' AND seq = 3", before.text]],
    ],
    ['wrong-head', 'another hash of the head', [[HEAD, 4, 'f'.repeat(64), 'a']]],
    ['wrong-head', 'another number of the head', [["UPDATE ledgers SET head_seq = 3 WHERE name = 'a'"]]],
    ['wrong-head', 'the last record taken away', [["DELETE FROM records WHERE ledger = 'a' AND seq = 4"]]],
    ['wrong-head', 'the ledger taken from the list', [["DELETE FROM ledgers WHERE name = 'a'"]]],
    [
      'damaged-record',
      'a changed total',
      [['UPDATE records SET line = replace(line, \'"launched":4\', \'"launched":3\')']],
    ],
    [
      'wrong-head',
      'another record in the place of the last',
      [["UPDATE records SET line = ? WHERE ledger = 'a' AND seq = 4", other.text]],
    ],
    [
      'foreign-record',
      'another record in the place of the last, noted as such',
      [
        ["UPDATE records SET line = ? WHERE ledger = 'a' AND seq = 4", other.text],
        [HEAD, 4, other.hash, 'a'],
      ],
    ],
    [
      'missing-records',
      'the record before the last taken away',
      [["DELETE FROM records WHERE ledger = 'a' AND seq = 3"]],
    ],
    ['missing-records', 'the header taken away', [["DELETE FROM records WHERE ledger = 'a' AND seq = 0"]]],
    ['empty-ledger', 'all records taken away', [["DELETE FROM records WHERE ledger = 'a'"]]],
    [
      'damaged-record',
      'a changed header',
      [["UPDATE records SET line = replace(line, '0.1.0', '0.1.1') WHERE seq = 0"]],
    ],
  ] as const)('is seen to be forged (%s): %s', async (code, _, statements) => {
    const { path, store } = await storeWithLedgers();
    const before = await linesOf(store, 'b');
    forge(path, ...(statements as readonly (readonly [string])[]));
    expect(await faultsOf(store)).toEqual([code, code]);
    expect(await add(store, { a: spend(5) })).toMatchObject({ ledger: 'a' });
    if (!String(statements).includes('SET line')) expect(await linesOf(store, 'b')).toEqual(before);
  });

  it('ends in the fault where all of it is read and the head is another', async () => {
    const { path, store } = await storeWithLedgers();
    forge(path, ["DELETE FROM records WHERE ledger = 'a' AND seq = 4"]);
    const read = linesOf(store, 'a');
    await expect(read).rejects.toThrow(Interrupted);
    await expect(read).rejects.toMatchObject({ failed: { fault: { code: 'wrong-head', record: 3 } } });
    expect(await listOf(store)).toContainEqual(['a', 'wrong-head']);
  });

  it('does not pass for another record that is sought', async () => {
    const { path, store } = await storeWithLedgers();
    forge(path, ["UPDATE records SET line = replace(line, '\"k2\"', '\"kX\"') WHERE ledger = 'a' AND seq = 2"]);
    expect(lineOf(path, 2)).toContain('kX');
    const sought = { patience: 5, lookups: [{ kind: 'key', key: 'kX' } as const] };
    const answer = await add(store, { b: null, a: spend(5) }, sought);
    expect(answer).toMatchObject({ fault: { code: 'damaged-record', record: 2 }, ledger: 'a' });
    expect((await look(store, ['a'], [{ kind: 'key', key: 'k2' }]))[0]!.found).toEqual([null]);
  });
});
