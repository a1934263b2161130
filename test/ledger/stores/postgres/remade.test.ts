import { afterEach, expect, it } from 'vitest';
import { initializePostgres } from '../../../../src/ledger/stores/postgres/connections.ts';
import { describeWithServer, sharedServer } from '../../../reference/postgres.ts';
import { add, endsOf, headerOf, linesOf, sound } from '../../store-contract.ts';
import { closeStores, storeAt, storeWith } from './stores.ts';

afterEach(closeStores);

const SPEND = { a: { event: 'spend', totals: { launched: 1 } } };

describeWithServer('tables that are made again under an open PostgreSQL store', () => {
  it('from a dump are a copy, from which nothing is granted', async () => {
    const { store, address, schema, sql } = await storeWith('a');
    sound(await add(store, SPEND));
    const before = await store.placeId('a');
    const server = await sharedServer();
    const as = ['-h', server.folder, '-U', 'dpc_super'];
    const dump = server.run('pg_dump', [...as, '-n', schema, 'postgres']);
    sound(await add(store, SPEND));
    await sql(`DROP SCHEMA ${schema} CASCADE`);
    server.run('psql', [...as, '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'postgres'], dump);
    expect(await linesOf(store, 'a')).toHaveLength(2);
    expect(await add(store, SPEND)).toMatchObject({ fault: { code: 'moved' }, ledger: 'a' });
    const here = await storeAt(address).placeId('a');
    expect(here).not.toBe(before);
    expect(await store.placeId('a')).toBe(here);
    sound(await store.create('b', headerOf('b')));
    expect((await endsOf(store, 'b')).header.fields.home).toBe(here);
    sound(await add(store, SPEND, { adopt: true }));
    sound(await add(storeAt(address), { ...SPEND, b: SPEND.a }));
  });

  it('are used as they are: empty, or of another version, or without what moves heads', async () => {
    const { store, address, schema, sql } = await storeWith('a');
    sound(await add(store, SPEND));
    const before = await store.placeId('a');
    await sql(`DROP SCHEMA ${schema} CASCADE`);
    sound(await initializePostgres(address, { env: {} }));
    expect(await add(store, SPEND)).toMatchObject({ fault: { code: 'no-such-ledger' }, ledger: 'a' });
    const made = sound(await store.create('a', headerOf('a')));
    expect(made.fields.home).toBe(await storeAt(address).placeId('a'));
    expect(made.fields.home).not.toBe(before);
    await sql(`UPDATE ${schema}.meta SET version = 9`);
    for (const answer of [await add(store, SPEND), await store.create('b', headerOf('b'))])
      expect(answer).toMatchObject({ fault: { code: 'other-schema', found: '9' } });
    await sql(`UPDATE ${schema}.meta SET version = 2; DROP TRIGGER records_head ON ${schema}.records`);
    expect(await add(store, SPEND)).toMatchObject({ fault: { code: 'damaged-store' } });
    expect(await linesOf(store, 'a')).toHaveLength(1);
  });
});
