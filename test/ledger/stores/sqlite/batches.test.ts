import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { seal } from '../../../../src/ledger/line.ts';
import { add, endsOf, headerOf, listOf, recordsOf, sound } from '../../store-contract.ts';
import { newPath, opened } from './databases.ts';

/** A store with a ledger of so many records, each with so many characters more than it needs. */
async function storeOf(records: number, more = 0) {
  const path = newPath();
  const store = await opened(path, { make: true });
  sound(await store.create('a', headerOf('a')));
  const { header } = await endsOf(store, 'a');
  const database = new Database(path);
  const insert = database.prepare("INSERT INTO records (ledger, seq, line) VALUES ('a', ?, ?)");
  const update = database.prepare("UPDATE ledgers SET head_seq = ?, head_hash = ? WHERE name = 'a'");
  let prev = header.hash;
  database.transaction(() => {
    for (let seq = 1; seq <= records; seq++) {
      const label = 'x'.repeat(more);
      const fields = { seq, event: 'spend', label, totals: { launched: seq }, home: header.fields.home };
      const { text, hash } = seal({ ...fields, ledger: header.hash, prev });
      insert.run(seq, text);
      update.run(seq, hash);
      prev = hash;
    }
  })();
  database.close();
  return { path, store };
}

describe('a long ledger in SQLite', () => {
  it('is read in batches, between which others can write', async () => {
    const { path, store } = await storeOf(2500);
    const other = await opened(path);
    const sizes: number[] = [];
    let [last, offset] = [0, 0];
    for await (const batch of sound(await store.records('a'))) {
      sizes.push(batch.length);
      for (const line of batch) {
        expect(line).toMatchObject({ number: last + 1, offset });
        last = line.number;
        offset += line.bytes.length + 1;
      }
      if (sizes.length <= 2) {
        const launched = 2500 + sizes.length;
        sound(await add(other, { a: { event: 'spend', totals: { launched } } }, { patience: 0.5 }));
      }
    }
    expect(sizes).toEqual([1000, 1000, 503]);
    expect(await recordsOf(store, 'a')).toHaveLength(2503);
  });

  it('can be left in the middle', async () => {
    const { store } = await storeOf(1500);
    for await (const batch of sound(await store.records('a'))) {
      expect(batch).toHaveLength(1000);
      break;
    }
    sound(await add(store, { a: { event: 'spend', totals: { launched: 1501 } } }));
  });

  it('is read in smaller batches where its lines are long', async () => {
    const { store } = await storeOf(12, 1_000_000);
    const sizes: number[] = [];
    for await (const batch of sound(await store.records('a'))) sizes.push(batch.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(13);
    expect(sizes.length).toBeGreaterThan(1);
  });

  it('finds what has a key by its index, whatever its length', async () => {
    const { path } = await storeOf(2500);
    const plan = (sql: string): string => {
      const database = new Database(path);
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('a', 3) as { readonly detail: string }[];
      database.close();
      return steps.map(({ detail }) => detail).join('; ');
    };
    const records = 'SELECT seq, line FROM records WHERE ledger = ?';
    expect(plan(`${records} AND key = ? ORDER BY seq LIMIT 1`)).toMatch(/^SEARCH .*records_by_key/);
  });
});

describe('a list of many ledgers in SQLite', () => {
  it('has all of them, once each', async () => {
    const { path, store } = await storeOf(0);
    const database = new Database(path);
    const names = Array.from({ length: 450 }, (_, i) => `n${String(i).padStart(3, '0')}`);
    database.transaction(() => {
      for (const name of names) {
        database
          .prepare('INSERT INTO ledgers SELECT ?, head_seq, head_hash FROM ledgers WHERE name = ?')
          .run(name, 'a');
        database
          .prepare('INSERT INTO records (ledger, seq, line) SELECT ?, seq, line FROM records WHERE ledger = ?')
          .run(name, 'a');
      }
    })();
    database.close();
    expect((await listOf(store)).map(([name]) => name)).toEqual(['a', ...names]);
  });
});
