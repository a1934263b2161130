import { afterEach, expect, it } from 'vitest';
import { initializePostgres } from '../../../src/ledger/postgres/migrate.ts';
import { describeWithServer, newName, sharedServer } from '../../reference/postgres.ts';
import { add, headerOf, linesOf, sound } from '../journal/store-contract.ts';
import { closeStores, storeAt, storeWith } from './stores.ts';

afterEach(closeStores);

const SPEND = { a: { event: 'spend', totals: { launched: 1 } } };

const withSearchPath = 'LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp';

const instead = (definition: string) => (s: string) => `
  ALTER TABLE ${s}.records DROP CONSTRAINT records_sealed;
  ALTER TABLE ${s}.records ADD CONSTRAINT records_sealed ${definition}`;

/** The trigger by which heads move, made anew. */
const headTrigger = (how: string) => (s: string) => `
  DROP TRIGGER records_head ON ${s}.records;
  CREATE TRIGGER records_head AFTER INSERT ON ${s}.records ${how.replaceAll('SCHEMA', s)};
  ALTER TABLE ${s}.records ENABLE ALWAYS TRIGGER records_head`;

/** What takes away what guards the records, and what is said of it. */
const CHANGES: readonly (readonly [change: (schema: string) => string, reason: string])[] = [
  [
    (s) =>
      `CREATE OR REPLACE FUNCTION ${s}.unchanged() RETURNS trigger ${withSearchPath} AS $$ BEGIN RETURN OLD; END $$`,
    'the function unchanged was changed or disabled',
  ],
  [
    (s) =>
      `CREATE OR REPLACE FUNCTION ${s}.home() RETURNS text STABLE SECURITY DEFINER ${withSearchPath} AS $$ BEGIN RETURN 'here'; END $$`,
    'the function home was changed or disabled',
  ],
  [(s) => `ALTER FUNCTION ${s}.head_moves() RESET search_path`, 'the function head_moves was changed or disabled'],
  [(s) => `ALTER FUNCTION ${s}.head_is_there() SECURITY DEFINER`, 'the function head_is_there was changed or disabled'],
  ...['sealed', 'placed', 'ledger_prev_key', 'pkey', 'key_told', 'launched_told', 'closed_told'].map(
    (name) =>
      [
        (s: string) => `ALTER TABLE ${s}.records DROP CONSTRAINT records_${name}`,
        `the constraint records_${name} is not there`,
      ] as const,
  ),
  [instead('CHECK (true)'), 'the constraint records_sealed was changed or disabled'],
  [
    (s) => `
      ALTER TABLE ${s}.records RENAME CONSTRAINT records_sealed TO other;
      DO $$ BEGIN EXECUTE 'ALTER TABLE ${s}.records ADD CONSTRAINT records_sealed ' || (
        SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'other' AND conrelid = '${s}.records'::regclass
      ) || ' NOT VALID'; END $$`,
    'the constraint records_sealed was changed or disabled',
  ],
  [(s) => `DROP INDEX ${s}.records_key`, 'the index records_key is not there'],
  [
    (s) => `DROP INDEX ${s}.records_key; CREATE INDEX records_key ON ${s}.records (ledger, key) WHERE key IS NOT NULL`,
    'the index records_key was changed or disabled',
  ],
  [
    (s) => `UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${s}.records_key'::regclass`,
    'the index records_key is not there',
  ],
  ...['DISABLE', 'ENABLE', 'ENABLE REPLICA'].map(
    (how) =>
      [
        (s: string) => `ALTER TABLE ${s}.ledgers ${how} TRIGGER ledgers_head`,
        'the trigger ledgers_head was changed, or is not ENABLE ALWAYS',
      ] as const,
  ),
  [(s) => `DROP TRIGGER records_stay ON ${s}.records`, 'the trigger records_stay is not there'],
  [
    headTrigger('FOR EACH ROW WHEN (false) EXECUTE FUNCTION SCHEMA.head_moves()'),
    'the trigger records_head was changed, or is not ENABLE ALWAYS',
  ],
  [
    headTrigger('FOR EACH STATEMENT EXECUTE FUNCTION SCHEMA.head_moves()'),
    'the trigger records_head was changed, or is not ENABLE ALWAYS',
  ],
  [
    headTrigger('FOR EACH ROW EXECUTE FUNCTION SCHEMA.unchanged()'),
    'the trigger records_head was changed, or is not ENABLE ALWAYS',
  ],
  [
    (s) => `
      CREATE SCHEMA other_${s}; CREATE FUNCTION other_${s}.head_moves() RETURNS trigger ${withSearchPath} AS $$ BEGIN RETURN NULL; END $$;
      ${headTrigger(`FOR EACH ROW EXECUTE FUNCTION other_${s}.head_moves()`)(s)}`,
    'the trigger records_head was changed, or is not ENABLE ALWAYS',
  ],
  [(s) => `ALTER TABLE ${s}.records SET UNLOGGED`, 'the table records was changed or disabled'],
];

describeWithServer('what guards the records of a PostgreSQL store', () => {
  it.each(CHANGES)('is missed where it was taken away: %s', async (change, reason) => {
    const { store, address, schema, sql } = await storeWith('a');
    await sql(change(schema));
    const damaged = { kind: 'failed', fault: { code: 'damaged-store', reason } };
    expect(await add(store, SPEND)).toEqual(damaged);
    expect(await store.create('b', headerOf('b'))).toEqual(damaged);
    expect(await linesOf(store, 'a')).toHaveLength(1);
    expect(await add(storeAt(address), SPEND)).toEqual(damaged);
    expect(await initializePostgres(address, { env: {} })).toEqual(damaged);
  });

  it('is found again where it was put back, and may have more beside it', async () => {
    const { store, schema, sql } = await storeWith('a');
    sound(await add(store, SPEND));
    await sql(`ALTER TABLE ${schema}.records DISABLE TRIGGER records_stay`);
    expect(await add(store, SPEND)).toMatchObject({ fault: { code: 'damaged-store' } });
    await sql(`ALTER TABLE ${schema}.records ENABLE ALWAYS TRIGGER records_stay;
      CREATE FUNCTION ${schema}.tells() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NOTIFY spent; RETURN NULL; END $$;
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
    await server.sql(`DROP INDEX ${schema}.records_key`);
    expect(await add(store, { 'a\\': SPEND.a })).toMatchObject({ fault: { code: 'damaged-store' } });
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
