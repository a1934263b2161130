import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../../src/ledger/store.ts';
import { describeWithServer, sharedServer } from '../../../reference/postgres.ts';
import { add, headerOf, linesOf, sound } from '../../store-contract.ts';
import { CuttingProxy, type Cut } from './cutting-proxy.ts';
import { closeStores, newAddress, schemaOf, storeAt } from './stores.ts';

/** The statement that ends a transaction, to its last byte: another one speaks of what is committed. */
const END = 'COMMIT\0';

describeWithServer('a connection that is lost', () => {
  let proxy: CuttingProxy;
  /** Through the proxy, and past it. */
  let [store, direct]: Store[] = [];

  beforeEach(async () => {
    const { folder } = await sharedServer();
    const address = await newAddress();
    proxy = await CuttingProxy.before(folder);
    direct = storeAt(address);
    store = storeAt(address.replace(folder, proxy.folder), { connections: 1, outcomeSeconds: 600 });
    sound(await direct.create('a', headerOf('a')));
  });

  afterEach(async () => {
    await closeStores();
    await proxy.stop();
  });

  const STATEMENTS = [
    'READ ONLY',
    'BEGIN ISOLATION LEVEL READ COMMITTED;',
    'FOR UPDATE',
    'home() AS "placeId"',
    'WITH asked',
    'INSERT INTO',
  ];
  const CUTS: Cut[] = ['before', 'under-way', 'before-answer'];
  const everywhere = STATEMENTS.flatMap((statement) => CUTS.map((how) => [statement, how] as const));

  it.each(everywhere)(
    'at %s (cut %s) before the end leaves nothing, and one who has patience does it again',
    async (statement, how) => {
      proxy.cutAt(statement, how);
      const impatient = await add(store!, { a: { event: 'spend' } }, { patience: 0 });
      expect(impatient).toMatchObject({ kind: 'failed', fault: { code: 'connection-lost' } });
      expect(await linesOf(direct!, 'a')).toHaveLength(1);
      proxy.cutAt(statement, how);
      const { records } = sound(await add(store!, { a: { event: 'spend' } }));
      expect(proxy.cuts).toBe(2);
      expect((await linesOf(direct!, 'a')).slice(1)).toEqual([expect.stringContaining(records[0]!.hash)]);
    },
  );

  it.each(CUTS)('at the end (cut %s) is followed by a look, and nothing is lost or doubled', async (how) => {
    for (let n = 1; n <= 4; n++) {
      proxy.cutAt(END, how);
      const { records } = sound(await add(store!, { a: { event: 'spend', n } }));
      expect(proxy.cuts).toBe(n);
      const lines = await linesOf(direct!, 'a');
      expect(lines).toHaveLength(n + 1);
      expect(lines.at(-1)).toContain(records[0]!.hash);
    }
  });

  it.each(CUTS)('at the end (cut %s) by which a ledger is made is followed by a look, too', async (how) => {
    proxy.cutAt(END, how);
    const made = sound(await store!.create('b', headerOf('b')));
    expect(proxy.cuts).toBe(1);
    expect(sound(await direct!.ends('b')).header).toEqual(made);
  });

  it('at the end of a transaction that takes its time is followed by a look that waits for it', async () => {
    const server = await sharedServer();
    const schema = schemaOf(direct!.address);
    await server.sql(`
      CREATE FUNCTION ${schema}.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON ${schema}.records DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION ${schema}.slow()`);
    proxy.cutAt(END, 'under-way');
    const { records } = sound(await add(store!, { a: { event: 'spend' } }));
    expect(await linesOf(direct!, 'a')).toEqual([expect.anything(), expect.stringContaining(records[0]!.hash)]);
    proxy.cutAt(END, 'under-way');
    const made = sound(await store!.create('b', headerOf('b')));
    expect(proxy.cuts).toBe(2);
    expect(sound(await direct!.ends('b')).header).toEqual(made);
  });

  it('while the server waits for another one is followed by a look that waits for that one, too', async () => {
    const server = await sharedServer();
    const admin = await server.connect();
    await admin.query('SET synchronous_commit = local');
    const awaiting = async (): Promise<readonly number[]> => {
      const { rows } = await admin.query<{ readonly pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'dpcompose'`,
      );
      return rows.map(({ pid }) => pid);
    };
    await server.awaitAnother();
    const progress = { isDone: false };
    proxy.cutAt(END, 'under-way');
    const adding = add(store!, { a: { event: 'spend' } }).finally(() => (progress.isDone = true));
    let first: number | undefined;
    while (first === undefined) [first] = await awaiting();
    await admin.query('SELECT pg_terminate_backend($1)', [first]);
    // The record is there now, and the other server has it not.
    for (let others: readonly number[] = []; !progress.isDone && others.length === 0;) {
      others = (await awaiting()).filter((pid) => pid !== first);
    }
    expect(progress.isDone).toBe(false);
    await admin.query('ALTER SYSTEM RESET synchronous_standby_names');
    await admin.query('SELECT pg_reload_conf()');
    sound(await adding);
    expect(await linesOf(direct!, 'a')).toHaveLength(2);
    await admin.end();
  });

  it('is told apart: without patience, what was not kept is said not to be', async () => {
    proxy.cutAt(END, 'before');
    const done = await add(store!, { a: { event: 'spend' } }, { patience: 0 });
    expect(done).toMatchObject({ kind: 'failed', fault: { code: 'connection-lost' } });
    expect(await linesOf(direct!, 'a')).toHaveLength(1);
  });

  it('and whose outcome nobody can be asked for is said to be unknown', async () => {
    const hurried = storeAt(store!.address, { outcomeSeconds: 0.3 });
    proxy.cutAt(END, 'before-answer');
    const adding = add(hurried, { a: { event: 'spend' } }, { patience: 0 });
    while (proxy.cuts === 0) await new Promise(setImmediate);
    proxy.closed = true;
    expect(await adding).toMatchObject({ kind: 'failed', fault: { code: 'outcome-unknown' } });
    expect(await linesOf(direct!, 'a')).toHaveLength(2);
    proxy.closed = false;
    sound(await add(store!, { a: { event: 'spend' } }));
    expect(await linesOf(direct!, 'a')).toHaveLength(3);
  });

  it('is waited for by a request that begins while the server is away, where it has answered before', async () => {
    sound(await add(store!, { a: { event: 'spend' } }));
    proxy.cutAt('BEGIN', 'before');
    expect(await add(store!, { a: { event: 'spend' } }, { patience: 0 })).toMatchObject({ kind: 'failed' });
    proxy.closed = true;
    expect(await add(store!, { a: { event: 'spend' } }, { patience: 0 })).toMatchObject({
      kind: 'failed',
      fault: { code: 'unreachable' },
    });
    const adding = add(store!, { a: { event: 'spend' } });
    await sleep(300);
    proxy.closed = false;
    sound(await adding);
    expect(await linesOf(direct!, 'a')).toHaveLength(3);
  });

  it('is not waited for where the server never was', async () => {
    proxy.closed = true;
    const done = await add(storeAt(store!.address), { a: { event: 'spend' } }, { patience: 600 });
    expect(done).toMatchObject({ kind: 'failed', fault: { code: 'unreachable' } });
  });

  it('in the middle of a list ends the list, and is not the end of it', async () => {
    const label = 'x'.repeat(1_000_000);
    for (let n = 1; n <= 8; n++) sound(await add(direct!, { a: { event: 'spend', label } }));
    const seen: number[] = [];
    const reading = (async () => {
      for await (const batch of sound(await store!.records('a'))) {
        seen.push(...batch.map(({ number }) => number));
        proxy.cutAt('octet_length', 'before');
      }
    })();
    await expect(reading).rejects.toMatchObject({ failed: { fault: { code: 'connection-lost' } } });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(9);
  });
});
