import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { recordFields } from '../../../../src/ledger/record.ts';
import type { Store } from '../../../../src/ledger/store.ts';
import { add, headerOf, linesOf, sound, TERMS } from '../../store-contract.ts';
import { newPath, opened } from './databases.ts';

const spend = (launched: number) => ({ event: 'spend', totals: { launched } });

const LOST = { code: 'damaged-store', reason: expect.stringContaining('the new record is missing') as unknown };

/** A store with ledgers of these names, in which somebody has made a trigger. */
async function storeWith(names: readonly string[], trigger: string): Promise<Store> {
  const path = newPath();
  const store = await opened(path, { make: true });
  for (const name of names) sound(await store.create(name, headerOf(name)));
  const database = new Database(path);
  database.exec(`CREATE TRIGGER theirs ${trigger}`);
  database.close();
  return store;
}

const lengthsOf = async (store: Store, ...names: readonly string[]): Promise<readonly number[]> => {
  const lengths: number[] = [];
  for (const name of names) lengths.push((await linesOf(store, name)).length);
  return lengths;
};

async function* batchOf(lines: readonly string[]): AsyncGenerator<readonly Buffer[]> {
  yield await Promise.resolve(lines.map((line) => Buffer.from(line)));
}

const IGNORE = 'BEGIN SELECT RAISE(IGNORE); END';

describe('what SQLite takes and does not keep', () => {
  it.each([
    `BEFORE INSERT ON records ${IGNORE}`,
    `BEFORE UPDATE ON ledgers ${IGNORE}`,
    `AFTER UPDATE ON ledgers WHEN NEW.head_seq = 1
      BEGIN UPDATE ledgers SET head_seq = 2, head_hash = 'x' WHERE name = NEW.name; END`,
  ])('is not granted where somebody has a trigger: %s', async (trigger) => {
    const store = await storeWith(['a', 'b'], trigger);
    expect(await add(store, { a: spend(1) })).toEqual({ kind: 'failed', fault: LOST, ledger: 'a' });
    expect(await add(store, { a: null, b: spend(1) })).toEqual({ kind: 'failed', fault: LOST, ledger: 'b' });
    expect(await lengthsOf(store, 'a', 'b')).toEqual([1, 1]);
  });

  it.each([`BEFORE INSERT ON records ${IGNORE}`, `BEFORE INSERT ON ledgers ${IGNORE}`])(
    'makes no ledger where somebody has a trigger: %s',
    async (trigger) => {
      const store = await storeWith(['a'], trigger);
      expect(await store.create('c', headerOf('c'))).toEqual({ kind: 'failed', fault: LOST, ledger: 'c' });
      expect(await store.create('a', headerOf('a'))).toMatchObject({ fault: { code: 'ledger-exists' } });
      const source = await storeWith(['a'], 'AFTER INSERT ON ledgers BEGIN SELECT 1; END');
      const copied = await store.restore!('d', batchOf(await linesOf(source, 'a')));
      expect(copied).toEqual({ kind: 'failed', fault: LOST, ledger: 'd' });
      for (const name of ['c', 'd'])
        expect(await store.ends(name)).toMatchObject({ fault: { code: 'no-such-ledger' } });
    },
  );

  it('of a ledger that is paid for is not paid for', async () => {
    const store = await storeWith(['a'], `BEFORE INSERT ON records WHEN NEW.ledger = 'child' ${IGNORE}`);
    const nested = { ids: ['child'], names: ['child'], terms: TERMS };
    const totals = { launched: 1, spent: { epsilon: '1' }, halted: null };
    const fields = recordFields({ event: 'nest', nested, label: null, at: null, actor: null, key: null, totals });
    expect(await add(store, { a: fields })).toEqual({ kind: 'failed', fault: LOST, ledger: 'child' });
    expect(await lengthsOf(store, 'a')).toEqual([1]);
    expect(await store.ends('child')).toMatchObject({ fault: { code: 'no-such-ledger' } });
  });

  it('of one ledger is not kept of the others', async () => {
    const store = await storeWith(['a', 'b', 'c'], `BEFORE INSERT ON records WHEN NEW.ledger = 'b' ${IGNORE}`);
    const all = { a: spend(1), b: spend(1), c: spend(1) };
    expect(await add(store, all)).toEqual({ kind: 'failed', fault: LOST, ledger: 'b' });
    expect(await lengthsOf(store, 'a', 'b', 'c')).toEqual([1, 1, 1]);
    sound(await add(store, { a: spend(1), c: spend(1) }));
    expect(await lengthsOf(store, 'a', 'b', 'c')).toEqual([2, 1, 2]);
  });

  it('and refuses of one of several ledgers, is kept of none', async () => {
    const abort = `BEFORE INSERT ON records WHEN NEW.ledger = 'b' BEGIN SELECT RAISE(ABORT, 'as somebody likes'); END`;
    const store = await storeWith(['a', 'b', 'c'], abort);
    const fault = { code: 'write-failed', reason: 'as somebody likes, SQLITE_CONSTRAINT_TRIGGER' };
    const all = { a: spend(1), b: spend(1), c: spend(1) };
    expect(await add(store, all)).toEqual({ kind: 'failed', fault });
    expect(await lengthsOf(store, 'a', 'b', 'c')).toEqual([1, 1, 1]);
    sound(await add(store, { a: spend(1), c: spend(1) }));
  });
});
