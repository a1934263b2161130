import { createServer } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { initializePostgres } from '../../../../src/ledger/stores/postgres/connections.ts';
import type { Failed } from '../../../../src/ledger/fault.ts';
import type { Store } from '../../../../src/ledger/store.ts';
import { describeWithServer, newName, TestServer } from '../../../reference/postgres.ts';
import { add, headerOf, linesOf, sound } from '../../store-contract.ts';
import { closeStores, newAddress, storeAt } from './stores.ts';

afterEach(closeStores);

const SPEND = { a: { event: 'spend' } };
const PASSWORD = 'correct horse';

describeWithServer('what a PostgreSQL server does not do', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
    await server.sql(`CREATE ROLE secret LOGIN PASSWORD '${PASSWORD}'`);
  });

  afterAll(async () => {
    await server.stop();
  });

  /** A store with one ledger, and the schema that it is in. */
  async function storeWith(
    name: string,
  ): Promise<{ readonly store: Store; readonly address: string; readonly schema: string }> {
    const address = await newAddress(server);
    const store = storeAt(address);
    sound(await store.create(name, headerOf(name)));
    return { store, address, schema: /schema=(\w+)/.exec(address)![1]! };
  }

  /** Everything that can be asked of a store says the same. */
  async function faultsOf(store: Store): Promise<unknown[]> {
    const answers = [
      await add(store, SPEND, { patience: 0 }),
      await store.ends('a'),
      await store.records('a'),
      await store.list(),
      await store.create('b', headerOf('b')),
      await store.obstacle('b'),
      await store.placeId('a'),
    ];
    return answers.map((each) => (typeof each === 'object' && each !== null && 'fault' in each ? each.fault : each));
  }

  const all = (fault: object): unknown[] => Array.from({ length: 7 }, () => fault);

  it('is said to be a missing package where the package is not installed', async () => {
    const driver = (): Promise<unknown> =>
      Promise.reject(Object.assign(new Error("Cannot find package 'pg'\nfrom here"), { code: 'ERR_MODULE_NOT_FOUND' }));
    const fault = { code: 'no-driver', package: 'pg', reason: "Cannot find package 'pg'" };
    expect(await faultsOf(storeAt(server.address(), { driver }))).toEqual(all(fault));
    expect(await initializePostgres(server.address(), { driver })).toEqual({ kind: 'failed', fault });
  });

  it('is said to be a password that is wrong or missing, and no password is in what is said', async () => {
    const address = server.address({ user: 'secret' });
    const missing = 'a password is required: PGPASSWORD is not set, and no password file is named';
    for (const PGPASSWORD of [undefined, '']) {
      const faults = await faultsOf(storeAt(address, { env: { PGPASSWORD } }));
      expect(faults).toEqual(all({ code: 'not-admitted', reason: missing }));
    }
    const faults = await faultsOf(storeAt(address, { env: { PGPASSWORD: 'battery staple' } }));
    expect(faults).toMatchObject(all({ code: 'not-admitted' }));
    expect(JSON.stringify(faults)).not.toContain('battery staple');
    const admitted = await faultsOf(storeAt(address, { env: { PGPASSWORD: PASSWORD } }));
    expect(admitted).toEqual(all({ code: 'no-store' }));
  });

  it('is said to be somebody or a database that is not there', async () => {
    expect(await faultsOf(storeAt(server.address({ user: 'nobody' })))).toMatchObject(all({ code: 'not-admitted' }));
    expect(await faultsOf(storeAt(server.address({ database: 'none' })))).toEqual(all({ code: 'no-such-database' }));
  });

  it('is said to be a server that is not there', async () => {
    const [nowhere, folder] = ['postgres://ann@/x?host=/nonexistent', mkdtempSync(join(tmpdir(), 'dpcompose-not-'))];
    expect(await faultsOf(storeAt(nowhere))).toMatchObject(all({ code: 'unreachable' }));
    // Where nothing answers, waiting is of no use.
    expect(await add(storeAt(nowhere), SPEND, { patience: 1e9 })).toMatchObject({ fault: { code: 'unreachable' } });
    const mute = createServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => mute.listen(join(folder, '.s.PGSQL.5432'), resolve));
    const silent = storeAt(`postgres://ann@/x?host=${folder}`, { connectSeconds: 0.05 });
    expect(await silent.ends('a')).toMatchObject({ fault: { code: 'unreachable' } });
    await new Promise((resolve) => mute.close(resolve));
    rmSync(folder, { recursive: true });
    const encrypted = `${server.address()}&sslmode=require`;
    expect(await storeAt(encrypted).ends('a')).toMatchObject({ fault: { code: 'unreachable' } });
    const certified = `${server.address()}&sslrootcert=/nonexistent`;
    expect(await storeAt(certified).ends('a')).toMatchObject({ fault: { code: 'unreachable' } });
  });

  it('is said to be tables that are not there, or of another version', async () => {
    const { address, schema } = await storeWith('a');
    expect(await faultsOf(storeAt(address.replace(schema, newName())))).toEqual(all({ code: 'no-store' }));
    await server.sql(`UPDATE ${schema}.meta SET version = 9`);
    const fault = { code: 'other-schema', found: '9', needed: '2' };
    expect(await faultsOf(storeAt(address))).toEqual(all(fault));
    expect(await initializePostgres(address, { env: {} })).toEqual({ kind: 'failed', fault });
    await server.sql(`DELETE FROM ${schema}.meta`);
    expect(await faultsOf(storeAt(address))).toEqual(all({ code: 'damaged-store', reason: 'the table meta is empty' }));
  });

  it('is said to be a part of a store, under an open connection and a new one', async () => {
    const parts = [
      ['TABLE', 'records', 'the table records is missing'],
      ['TABLE', 'ledgers', 'the table ledgers is missing'],
      ['FUNCTION', 'home', 'function %.home() does not exist'],
    ] as const;
    for (const [kind, name, text] of parts) {
      const { store, address, schema } = await storeWith('a');
      await server.sql(`DROP ${kind} ${schema}.${name} CASCADE`);
      const fault = { code: 'damaged-store', reason: text.replace('%', schema) };
      // Records can be read without the table of ledgers, up to their end.
      if (name !== 'ledgers') expect(await faultsOf(storeAt(address))).toEqual(all(fault));
      await expect(linesOf(storeAt(address), 'a')).rejects.toThrow();
      expect(await add(store, SPEND)).toEqual({ kind: 'failed', fault });
      expect(await store.create('b', headerOf('b'))).toEqual({ kind: 'failed', fault });
      expect(await initializePostgres(address, { env: {} })).toEqual({ kind: 'failed', fault });
    }
  });

  it('is said to be tables of something else', async () => {
    for (const [table, reason] of [
      ['meta (key text, value text)', 'has a table meta of another program, or left over from a store'],
      ['records (x int)', 'has a table records of another program, or left over from a store'],
    ] as const) {
      const schema = newName();
      await server.sql(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.${table}`);
      const address = server.address({ schema });
      const fault = { code: 'not-a-store', reason: `the schema "${schema}" ${reason}` };
      expect(await faultsOf(storeAt(address))).toEqual(all(fault));
      expect(await initializePostgres(address, { env: {} })).toEqual({ kind: 'failed', fault });
    }
  });

  it('is said to be tables that are gone in the meantime', async () => {
    const { store, schema } = await storeWith('a');
    await server.sql(`DROP SCHEMA ${schema} CASCADE`);
    expect(await add(store, SPEND)).toMatchObject({ fault: { code: 'no-store' } });
    expect(await store.ends('a')).toMatchObject({ fault: { code: 'no-store' } });
  });

  it('is said to be a database that takes nothing, where it is only read', async () => {
    const { address } = await storeWith('a');
    await server.sql('ALTER ROLE secret SUPERUSER; ALTER ROLE secret SET default_transaction_read_only = on');
    const reader = storeAt(address.replace('dpc_super', 'secret'), { env: { PGPASSWORD: PASSWORD } });
    const fault = { code: 'read-only', of: 'database' };
    expect(await add(reader, SPEND)).toEqual({ kind: 'failed', fault });
    expect(await reader.create('b', headerOf('b'))).toEqual({ kind: 'failed', fault });
    expect(await linesOf(reader, 'a')).toHaveLength(1);
    await server.sql('ALTER ROLE secret NOSUPERUSER; ALTER ROLE secret RESET default_transaction_read_only');
  });

  /** Makes the server fail at some moment of the next transaction. */
  const failing = (schema: string, state: string, when: 'AFTER INSERT' | 'at the end'): string => `
    CREATE FUNCTION ${schema}.fails() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'as if' USING ERRCODE = '${state}'; END $$;
    CREATE ${when === 'at the end' ? 'CONSTRAINT ' : ''}TRIGGER fails AFTER INSERT ON ${schema}.records
      ${when === 'at the end' ? 'DEFERRABLE INITIALLY DEFERRED' : ''} FOR EACH ROW EXECUTE FUNCTION ${schema}.fails()`;

  it.each([
    ['53100', 'no-space'],
    ['25006', 'read-only'],
    ['42501', 'not-permitted'],
    ['57014', 'cancelled'],
    ['XX000', 'write-failed'],
    ['40001', 'busy'],
    ['40P01', 'busy'],
  ])('is said by its state %s to be %s, and nothing is kept, in the middle or at the end', async (state, code) => {
    for (const when of ['AFTER INSERT', 'at the end'] as const) {
      const { store, schema } = await storeWith('a');
      await server.sql(failing(schema, state, when));
      expect(await add(store, SPEND, { patience: 0.05 })).toMatchObject({ kind: 'failed', fault: { code } });
      await server.sql(`DROP TRIGGER fails ON ${schema}.records`);
      expect(await linesOf(store, 'a')).toHaveLength(1);
      sound(await add(store, SPEND));
    }
  });

  it('is done in the end where only others were in the way', async () => {
    const { store, schema } = await storeWith('a');
    await server.sql(failing(schema, '40001', 'AFTER INSERT'));
    const adding = add(store, SPEND, { patience: 600 });
    await sleep(50);
    await server.sql(`DROP TRIGGER fails ON ${schema}.records`);
    sound(await adding);
    expect(await linesOf(store, 'a')).toHaveLength(2);
  });

  it('is said to be others, where one has the ledger for longer than was to be waited', async () => {
    const { store, schema } = await storeWith('a');
    const other = await server.connect();
    await other.query(`BEGIN; SELECT FROM ${schema}.ledgers WHERE name = 'a' FOR UPDATE`);
    for (const patience of [0, 0.1]) {
      expect(await add(store, SPEND, { patience })).toEqual({
        kind: 'failed',
        fault: { code: 'busy', seconds: patience },
        ledger: 'a',
      });
    }
    const waiting = add(store, SPEND, { patience: 1e9 });
    await sleep(20);
    await other.query('ROLLBACK');
    sound(await waiting);
    await other.end();
  });

  it('is said to be others, where all connections of a store are in use', async () => {
    const { address, schema } = await storeWith('a');
    const store = storeAt(address, { connections: 1 });
    const other = await server.connect();
    await other.query(`BEGIN; SELECT FROM ${schema}.ledgers WHERE name = 'a' FOR UPDATE`);
    const waiting = add(store, SPEND);
    expect(await add(store, SPEND, { patience: 0.05 })).toMatchObject({ fault: { code: 'busy' } });
    const reading = store.ends('a');
    await other.query('ROLLBACK');
    sound(await waiting);
    sound(await reading);
    await other.end();
  });

  /** Waits until somebody waits for a lock, and does something to that connection. */
  async function toWhoWaits(what: string): Promise<void> {
    for (;;) {
      const [row] = await server.sql(
        `SELECT count(${what}(pid))::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'dpcompose'`,
      );
      if (row!.n !== 0) return;
      await sleep(5);
    }
  }

  it('is said to be cancelled where somebody cancels it, and lost where somebody ends the connection', async () => {
    for (const [what, code] of [
      ['pg_cancel_backend', 'cancelled'],
      ['pg_terminate_backend', 'connection-lost'],
    ] as const) {
      const { store, schema } = await storeWith('a');
      const other = await server.connect();
      await other.query(`BEGIN; SELECT FROM ${schema}.ledgers WHERE name = 'a' FOR UPDATE`);
      const waiting = add(store, SPEND, { patience: 1 });
      await toWhoWaits(what);
      // One who lost the connection tries again, until nobody is there any more.
      if (code === 'connection-lost') await server.crash();
      expect(await waiting).toMatchObject({ kind: 'failed' });
      const { fault } = (await waiting) as Failed;
      expect(code === 'cancelled' ? [code] : [code, 'unreachable']).toContain(fault.code);
      if (code === 'connection-lost') await server.begin();
      else await other.end();
      expect(await linesOf(store, 'a')).toHaveLength(1);
    }
  });

  it('is said to be too many connections, and is done where one gets free in time', async () => {
    await server.sql('CREATE ROLE one LOGIN CONNECTION LIMIT 1');
    await server.sql('CREATE DATABASE crowded');
    const own = await server.connect({ user: 'one', database: 'crowded' });
    const crowded = storeAt(server.address({ user: 'one', database: 'crowded' }), { connectSeconds: 2 });
    expect(await faultsOf(crowded)).toEqual(all({ code: 'too-many-connections' }));
    const waiting = add(crowded, SPEND, { patience: 600 });
    await sleep(20);
    await own.end();
    expect(await waiting).toMatchObject({ fault: { code: 'no-store' } });
  });

  it.each([
    ['ends the waiting', 'pg_cancel_backend', 'notice'],
    ['ends the waiting, and errors alone are to be told', 'pg_cancel_backend', 'error'],
    ['ends the connection', 'pg_terminate_backend', 'notice'],
  ])('is not known where it waits for another server, and somebody %s', async (_, ends, told) => {
    const { store, address } = await storeWith('a');
    const role = newName();
    await server.sql(`CREATE ROLE ${role} LOGIN SUPERUSER; ALTER ROLE ${role} SET client_min_messages = ${told}`);
    const waiting = storeAt(address.replace('dpc_super', role));
    await server.awaitAnother();
    try {
      const adding = add(waiting, SPEND);
      for (;;) {
        const rows = await server.sql(
          `SELECT ${ends}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'dpcompose'`,
        );
        if (rows.length > 0) break;
        await sleep(5);
      }
      expect(await adding).toMatchObject({ fault: { code: 'outcome-unknown' } });
    } finally {
      const client = await server.connect();
      await client.query('SET synchronous_commit = local');
      await client.query('ALTER SYSTEM RESET synchronous_standby_names');
      await client.query('SELECT pg_reload_conf()');
      await client.end();
    }
    expect(await linesOf(store, 'a')).toHaveLength(2);
  });

  it('is said of names that no ledger can have', async () => {
    const { store } = await storeWith('a');
    for (const name of ['', 'a\0', 'x\ny', '\ud800', 'x'.repeat(1025)]) {
      expect(await store.create(name, headerOf('x'))).toMatchObject({ fault: { code: 'bad-name' }, ledger: name });
      expect(await store.obstacle(name)).toMatchObject({ fault: { code: 'bad-name' } });
      expect(await store.ends(name)).toMatchObject({ fault: { code: 'no-such-ledger' } });
      expect(await store.records(name)).toMatchObject({ fault: { code: 'no-such-ledger' } });
      expect(await add(store, { [name]: {} })).toMatchObject({ fault: { code: 'no-such-ledger' }, ledger: name });
    }
    for (const name of ['o\'hare\\ "x" $1 %', 'é😀', 'x'.repeat(1024)]) {
      sound(await store.create(name, headerOf('x')));
      sound(await add(store, { [name]: { event: 'spend' } }));
      expect(await linesOf(store, name)).toHaveLength(2);
    }
  });

  it('does not matter to the disk: a transaction waits for it whatever the settings are', async () => {
    const { address } = await storeWith('a');
    await server.sql(`CREATE ROLE hasty LOGIN SUPERUSER`);
    for (const [set, used] of [
      ['off', 'on'],
      ['local', 'on'],
      ['remote_apply', 'remote_apply'],
      ['on', 'on'],
    ]) {
      await server.sql(`ALTER ROLE hasty SET synchronous_commit = ${set}`);
      const store = storeAt(address.replace('dpc_super', 'hasty'));
      const { schema } = /schema=(?<schema>\w+)/.exec(address)!.groups as { schema: string };
      await server.sql(`CREATE TABLE IF NOT EXISTS ${schema}.noted (setting text);
        CREATE OR REPLACE FUNCTION ${schema}.notes() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN INSERT INTO ${schema}.noted VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
        DROP TRIGGER IF EXISTS notes ON ${schema}.records;
        CREATE TRIGGER notes AFTER INSERT ON ${schema}.records FOR EACH ROW EXECUTE FUNCTION ${schema}.notes()`);
      sound(await add(store, SPEND));
      expect(await server.sql(`DELETE FROM ${schema}.noted RETURNING setting`)).toEqual([{ setting: used }]);
    }
  });
});
