import { afterEach, expect, it } from 'vitest';
import { initializePostgres } from '../../../../src/ledger/stores/postgres/connections.ts';
import { describeWithServer, newName, sharedServer } from '../../../reference/postgres.ts';
import { add, headerOf, linesOf, sound } from '../../store-contract.ts';
import { closeStores, storeAt } from './stores.ts';

afterEach(closeStores);

const OPTIONS = { env: {} };

describeWithServer('the tables of a PostgreSQL store', () => {
  it('are made by one of all who make them at once, and stay as they are', async () => {
    const address = (await sharedServer()).address({ schema: newName() });
    const all = await Promise.all(Array.from({ length: 6 }, () => initializePostgres(address, OPTIONS)));
    expect(all.map((each) => sound(each).made).sort()).toEqual([false, false, false, false, false, true]);
    const store = storeAt(address);
    sound(await store.create('a', headerOf('a')));
    expect(sound(await initializePostgres(address, OPTIONS))).toEqual({ kind: 'initialized', made: false, address });
    expect(await linesOf(store, 'a')).toHaveLength(1);
  });

  it('are brought to the present version, with all that is in them', async () => {
    const [server, schema] = [await sharedServer(), newName()];
    const address = server.address({ schema });
    sound(await initializePostgres(address, OPTIONS));
    const store = storeAt(address);
    sound(await store.create('a', headerOf('a')));
    await server.sql(`UPDATE ${schema}.meta SET version = 1; CREATE OR REPLACE FUNCTION ${schema}.head_moves()
      RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`);
    expect(await add(store, { a: { event: 'note' } })).toMatchObject({ fault: { code: 'other-schema', found: '1' } });
    expect(sound(await initializePostgres(address, OPTIONS))).toMatchObject({ made: false });
    sound(await add(store, { a: { event: 'note' } }));
    expect(await linesOf(store, 'a')).toHaveLength(2);
  });

  it('are made in a schema that is there, and beside those of other stores', async () => {
    const [server, schema, other] = [await sharedServer(), newName(), newName()];
    await server.sql(`CREATE SCHEMA ${schema}`);
    const stores = [];
    for (const each of [schema, other]) {
      sound(await initializePostgres(server.address({ schema: each }), OPTIONS));
      stores.push(storeAt(server.address({ schema: each })));
    }
    const [one, two] = stores;
    sound(await one!.create('a', headerOf('a')));
    expect(await two!.ends('a')).toMatchObject({ fault: { code: 'no-such-ledger' } });
    expect(await one!.placeId('a')).not.toBe(await two!.placeId('a'));
  });

  it('are all made or none', async () => {
    const [server, schema] = [await sharedServer(), newName()];
    await server.sql(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.records_key (x int)`);
    expect(await initializePostgres(server.address({ schema }), OPTIONS)).toMatchObject({
      fault: { code: 'write-failed' },
    });
    const tables = await server.sql(`SELECT tablename FROM pg_tables WHERE schemaname = '${schema}'`);
    expect(tables).toEqual([{ tablename: 'records_key' }]);
  });

  it('are not made where the database cannot hold all characters', async () => {
    const [server, database] = [await sharedServer(), newName()];
    await server.sql(`CREATE DATABASE ${database} ENCODING 'LATIN1' TEMPLATE template0`);
    const made = await initializePostgres(server.address({ database }), OPTIONS);
    expect(made).toMatchObject({
      fault: { code: 'not-a-store', reason: expect.stringContaining('LATIN1') as unknown },
    });
  });

  it('have a place of their own also where nobody may know that of the server', async () => {
    const [server, schema, database] = [await sharedServer(), newName(), newName()];
    const owner = `owner_${schema}`;
    await server.sql(`CREATE ROLE ${owner} LOGIN`);
    await server.sql(`CREATE DATABASE ${database} OWNER ${owner}`);
    await server.sql('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC', { database });
    const address = server.address({ user: owner, database });
    sound(await initializePostgres(address, OPTIONS));
    const store = storeAt(address);
    expect(await store.placeId('a')).toMatch(/^[0-9a-f]{16}$/);
    expect(await store.placeId('a')).toBe(await storeAt(server.address({ database })).placeId('a'));
    sound(await store.create('a', headerOf('a')));
    sound(await add(store, { a: { event: 'spend' } }));
  });
});
