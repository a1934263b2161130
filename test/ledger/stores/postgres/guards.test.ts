import { afterEach, expect, it } from 'vitest';
import { initializePostgres } from '../../../../src/ledger/stores/postgres/connections.ts';
import { describeWithServer, newName, sharedServer } from '../../../reference/postgres.ts';
import { add, headerOf, linesOf, sound } from '../../store-contract.ts';
import { closeStores, storeAt, storeWith } from './stores.ts';

afterEach(closeStores);

const SPEND = { a: { event: 'spend', totals: { launched: 1 } } };

describeWithServer('what guards the records of a PostgreSQL store', () => {
  it('may have more beside it', async () => {
    const { store, schema, sql } = await storeWith('a');
    await sql(`CREATE FUNCTION ${schema}.tells() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NOTIFY spent; RETURN NULL; END $$;
      CREATE TRIGGER tells AFTER INSERT ON ${schema}.records FOR EACH ROW EXECUTE FUNCTION ${schema}.tells();
      CREATE INDEX more ON ${schema}.records (launched);
      ALTER TABLE ${schema}.records ADD CONSTRAINT more CHECK (length(line) > 0)`);
    sound(await add(store, SPEND));
  });

  it('is there in a schema of any name, and however the server is told to print names', async () => {
    const [server, schema, user] = [await sharedServer(), `"User${newName()}"`, newName()];
    await server.sql(`CREATE ROLE ${user} LOGIN SUPERUSER; ALTER ROLE ${user} SET quote_all_identifiers = on;
      ALTER ROLE ${user} SET standard_conforming_strings = off`);
    const address = server.address({ user, schema: schema.replaceAll('"', '') });
    for (const made of [true, false]) expect(sound(await initializePostgres(address, { env: {} })).made).toBe(made);
    const store = storeAt(address);
    sound(await store.create('a\\', headerOf('a')));
    sound(await add(store, { 'a\\': SPEND.a }));
    expect(await linesOf(store, 'a\\')).toHaveLength(2);
  });

  it('is there for who has switched off what triggers other tables have', async () => {
    const [server, user] = [await sharedServer(), newName()];
    await server.sql(`CREATE ROLE ${user} LOGIN SUPERUSER; ALTER ROLE ${user} SET session_replication_role = replica`);
    const { address, schema, sql } = await storeWith('a');
    const store = storeAt(address.replace('dpc_super', user));
    sound(await add(store, SPEND));
    const statements = [
      `DELETE FROM ${schema}.records`,
      `UPDATE ${schema}.records SET line = line`,
      `TRUNCATE ${schema}.records`,
      `UPDATE ${schema}.ledgers SET head_seq = 0`,
      `DELETE FROM ${schema}.ledgers`,
    ];
    for (const each of statements) await expect(sql(each, { user })).rejects.toMatchObject({ code: '42501' });
    expect(await linesOf(store, 'a')).toHaveLength(2);
  });
});
