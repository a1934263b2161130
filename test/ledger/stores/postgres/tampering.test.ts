import { afterEach, expect, it } from 'vitest';
import { spendIn } from '../../../../src/ledger/spend-in.ts';
import { verify } from '../../../../src/ledger/verify.ts';
import type { Store } from '../../../../src/ledger/store.ts';
import { Decimal } from '../../../../src/numeric/decimal.ts';
import { describeWithServer, newName, sharedServer } from '../../../reference/postgres.ts';
import { add, headerOf, linesOf, listOf, sound } from '../../store-contract.ts';
import { closeStores, newAddress, storeAt, storeWith } from './stores.ts';

afterEach(closeStores);

const SPEND = { a: { event: 'spend', key: 'k', totals: { launched: 1 } } };

/** A store with three records, which somebody changes who can take the guards away and put them back. */
async function changedBy(change: (records: string, ledgers: string) => string): Promise<Store> {
  const [server, address] = [await sharedServer(), await newAddress()];
  const schema = /schema=(\w+)/.exec(address)![1]!;
  const store = storeAt(address);
  sound(await store.create('a', headerOf('a')));
  for (const key of ['x', 'y', 'z']) sound(await add(store, { a: { ...SPEND.a, key } }));
  const [records, ledgers] = [`${schema}.records`, `${schema}.ledgers`];
  const constraints = ['sealed', 'placed', 'key_told'].map((name) => `DROP CONSTRAINT records_${name}`);
  await server.sql(`ALTER TABLE ${records} ${constraints.join(', ')}; ALTER TABLE ${records} DISABLE TRIGGER USER;
    ALTER TABLE ${ledgers} DISABLE TRIGGER USER; ${change(records, ledgers)}`);
  return store;
}

async function readAll(store: Store): Promise<void> {
  for await (const batch of sound(await store.records('a'))) expect(batch).not.toEqual([]);
}

describeWithServer('a PostgreSQL store grants nothing, and says why,', () => {
  it.each([
    ['the last record was removed', (r: string) => `DELETE FROM ${r} WHERE seq = 3`, 'wrong-head'],
    [
      'the last record was removed, and one was added by hand',
      (r: string) =>
        `DELETE FROM ${r} WHERE seq = 3;
        INSERT INTO ${r} SELECT ledger, 4, 'p', hash, NULL, launched, closed, line FROM ${r} WHERE seq = 2`,
      'wrong-head',
    ],
    ['the record before the last was removed', (r: string) => `DELETE FROM ${r} WHERE seq = 2`, 'missing-records'],
    ['the head was put back', (_: string, l: string) => `UPDATE ${l} SET head_seq = 2`, 'wrong-head'],
    ['the head has another hash', (_: string, l: string) => `UPDATE ${l} SET head_hash = 'x'`, 'wrong-head'],
    [
      'the last record was changed',
      (r: string) => `UPDATE ${r} SET line = replace(line, '"z"', '"w"') WHERE seq = 3`,
      'damaged-record',
    ],
    [
      'the header was changed',
      (r: string) => `UPDATE ${r} SET line = replace(line, '"id":"a"', '"id":"b"') WHERE seq = 0`,
      'damaged-record',
    ],
    ['the header was removed', (r: string) => `DELETE FROM ${r} WHERE seq = 0`, 'missing-records'],
    ['the last record is of another number', (r: string) => `UPDATE ${r} SET seq = 7 WHERE seq = 3`, 'wrong-head'],
  ])('where %s', async (_, change, code) => {
    const store = await changedBy(change);
    expect(await add(store, SPEND)).toMatchObject({ kind: 'failed', fault: { code }, ledger: 'a' });
    expect(await store.ends('a')).toMatchObject({ fault: { code }, ledger: 'a' });
    expect(await listOf(store)).toEqual([['a', code]]);
    // What is wrong inside of lines is seen by who reads them.
    if (code === 'wrong-head') {
      const failed = { fault: { code, line: expect.any(Number) as unknown } };
      await expect(readAll(store)).rejects.toMatchObject({ failed });
    }
  });

  it('as verify does of a last record that is not there', async () => {
    const { store, schema, sql } = await storeWith('a');
    const mechanism = { type: 'dp', epsilon: new Decimal('0.1'), delta: new Decimal(0) } as const;
    const entries = [{ mechanism, count: 1, kind: 'noninteractive', label: null } as const];
    for (let n = 1; n <= 2; n++) sound(await spendIn(store, ['a'], { entries }, { patience: 60 }));
    expect(sound(await verify(store, 'a'))).toMatchObject({ records: 2, flaws: [] });
    await sql(`ALTER TABLE ${schema}.records DISABLE TRIGGER USER; DELETE FROM ${schema}.records WHERE seq = 2`);
    expect(await verify(store, 'a')).toMatchObject({ kind: 'failed', fault: { code: 'wrong-head', record: 1 } });
  });

  it('where records are hidden from who asks', async () => {
    const { address, schema, store, sql } = await storeWith('a');
    for (const key of ['x', 'y']) sound(await add(store, { a: { ...SPEND.a, key } }));
    const role = newName();
    await sql(`CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO ${role};
      GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
      ALTER TABLE ${schema}.records ENABLE ROW LEVEL SECURITY;
      CREATE POLICY hides ON ${schema}.records USING (seq < 2)`);
    const other = storeAt(address.replace('dpc_super', role));
    const reason = 'query would be affected by row-level security policy for table "records"';
    expect(await add(other, SPEND)).toEqual({ kind: 'failed', fault: { code: 'not-permitted', reason } });
    const unreadable = { kind: 'failed', fault: { code: 'unreadable', reason, of: 'database' } };
    expect(await other.ends('a')).toEqual(unreadable);
    expect(await other.records('a')).toEqual(unreadable);
    expect(await linesOf(store, 'a')).toHaveLength(3);
  });

  it.each([
    [
      'has another key than its row',
      (r: string) => `UPDATE ${r} SET line = replace(line, '"y"', '"v"') WHERE seq = 2`,
      'damaged-record',
    ],
  ])('where the record that is looked for %s', async (_, change, code) => {
    const store = await changedBy(change);
    const looked = await add(store, { a: null }, { lookups: [{ kind: 'key', key: 'y' }] });
    expect(looked).toMatchObject({ fault: { code } });
  });

  it('as verify does of what is further back', async () => {
    const store = await changedBy(
      (r) => `UPDATE ${r} SET line = replace(line, '"x"', '"w"') WHERE seq = 1; DELETE FROM ${r} WHERE seq = 2`,
    );
    const verified = sound(await verify(store, 'a'));
    expect(verified.flaws.map(({ code }) => code)).toEqual(['damaged-record', 'missing-records']);
  });
});
