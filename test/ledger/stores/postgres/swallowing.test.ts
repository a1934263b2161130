import { afterEach, expect, it } from 'vitest';
import { recordFields } from '../../../../src/ledger/record.ts';
import type { Store } from '../../../../src/ledger/store.ts';
import { describeWithServer } from '../../../reference/postgres.ts';
import { add, headerOf, linesOf, sound, TERMS } from '../../store-contract.ts';
import { closeStores, storeWith } from './stores.ts';

afterEach(closeStores);

const spend = (launched: number) => ({ event: 'spend', totals: { launched } });

const LOST = { code: 'damaged-store', reason: expect.stringContaining('the new record is missing') as unknown };

/** A trigger of somebody that lets rows of a table fall. */
const letsFall = (schema: string, table: string, when = 'true'): string => `
  CREATE FUNCTION ${schema}.falls() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
  CREATE TRIGGER audit BEFORE INSERT ON ${schema}.${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${schema}.falls()`;

const lengthsOf = async (store: Store, ...names: readonly string[]): Promise<readonly number[]> => {
  const lengths: number[] = [];
  for (const name of names) lengths.push((await linesOf(store, name)).length);
  return lengths;
};

async function* batchOf(lines: readonly string[]): AsyncGenerator<readonly Buffer[]> {
  yield await Promise.resolve(lines.map((line) => Buffer.from(line)));
}

describeWithServer('what PostgreSQL takes and does not keep', () => {
  it.each([
    ['a trigger', (schema: string) => letsFall(schema, 'records')],
    ['a rule', (schema: string) => `CREATE RULE falls AS ON INSERT TO ${schema}.records DO INSTEAD NOTHING`],
  ])('because of %s is not granted', async (_, dropping) => {
    const { store, schema, sql } = await storeWith('a', 'b');
    await sql(dropping(schema));
    expect(await add(store, { a: spend(1) })).toEqual({ kind: 'failed', fault: LOST, ledger: 'a' });
    expect(await add(store, { a: null, b: spend(1) })).toEqual({ kind: 'failed', fault: LOST, ledger: 'b' });
    expect(await store.create('c', headerOf('c'))).toEqual({ kind: 'failed', fault: LOST, ledger: 'c' });
    expect(await store.ends('c')).toMatchObject({ fault: { code: 'no-such-ledger' } });
    expect(await lengthsOf(store, 'a', 'b')).toEqual([1, 1]);
  });

  it('of one ledger is not kept of the others', async () => {
    const { store, schema, sql } = await storeWith('a', 'b', 'c');
    await sql(letsFall(schema, 'records', `NEW.ledger = 'b'`));
    const all = { a: spend(1), b: spend(1), c: spend(1) };
    expect(await add(store, all)).toEqual({ kind: 'failed', fault: LOST, ledger: 'b' });
    expect(await lengthsOf(store, 'a', 'b', 'c')).toEqual([1, 1, 1]);
    sound(await add(store, { a: spend(1), c: spend(1) }));
    expect(await lengthsOf(store, 'a', 'b', 'c')).toEqual([2, 1, 2]);
  });

  it('of a ledger that is paid for is not paid for', async () => {
    const { store, schema, sql } = await storeWith('a');
    await sql(letsFall(schema, 'records', `NEW.ledger = 'child'`));
    const nested = { ids: ['child'], names: ['child'], terms: TERMS };
    const totals = { launched: 1, spent: { epsilon: '1' }, halted: null };
    const fields = recordFields({ event: 'nest', nested, label: null, at: null, actor: null, key: null, totals });
    expect(await add(store, { a: fields })).toEqual({ kind: 'failed', fault: LOST, ledger: 'child' });
    expect(await lengthsOf(store, 'a')).toEqual([1]);
    expect(await store.ends('child')).toMatchObject({ fault: { code: 'no-such-ledger' } });
  });

  it('of the rows of ledgers is no ledger that would be there already', async () => {
    const { store, schema, sql } = await storeWith('a');
    await sql(letsFall(schema, 'ledgers'));
    expect(await store.create('c', headerOf('c'))).toEqual({ kind: 'failed', fault: LOST, ledger: 'c' });
    expect(await store.create('a', headerOf('a'))).toMatchObject({ fault: { code: 'ledger-exists' } });
  });

  it('of a ledger that is copied makes no copy', async () => {
    const [from, to] = [await storeWith('a'), await storeWith()];
    sound(await add(from.store, { a: spend(1) }));
    const lines = await linesOf(from.store, 'a');
    await to.sql(letsFall(to.schema, 'records', 'NEW.seq = 1'));
    expect(await to.store.restore!('a', batchOf(lines))).toEqual({ kind: 'failed', fault: LOST, ledger: 'a' });
    expect(await to.store.ends('a')).toMatchObject({ fault: { code: 'no-such-ledger' } });
  });

  it('and fails on for one of several ledgers, is kept of none', async () => {
    const { store, schema, sql } = await storeWith('a', 'b', 'c');
    await sql(`
      CREATE FUNCTION ${schema}.fails() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'as if the disk was full' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER fails AFTER INSERT ON ${schema}.records FOR EACH ROW WHEN (NEW.ledger = 'b')
        EXECUTE FUNCTION ${schema}.fails()`);
    const all = { a: spend(1), b: spend(1), c: spend(1) };
    expect(await add(store, all)).toMatchObject({ fault: { code: 'no-space' } });
    expect(await lengthsOf(store, 'a', 'b', 'c')).toEqual([1, 1, 1]);
    await sql(`DROP TRIGGER fails ON ${schema}.records`);
    sound(await add(store, all));
    expect(await lengthsOf(store, 'a', 'b', 'c')).toEqual([2, 2, 2]);
  });
});
