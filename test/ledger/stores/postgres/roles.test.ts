import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { initializePostgres } from '../../../../src/ledger/stores/postgres/connections.ts';
import type { Store } from '../../../../src/ledger/store.ts';
import { describeWithServer, TestServer } from '../../../reference/postgres.ts';
import { add, headerOf, linesOf, listOf, sound } from '../../store-contract.ts';
import { closeStores, storeAt } from './stores.ts';

afterEach(closeStores);

/** The statements of the page, in order. */
const STATEMENTS = [
  ...readFileSync(join(import.meta.dirname, '../../../../docs/ledger-stores.md'), 'utf8').matchAll(
    /^```sql\n(.*?)^```/gms,
  ),
].map(([, sql]) => sql!);

const DATABASE = 'budgets';
const SPEND = { a: { event: 'spend' } };

describeWithServer('with the grants of the documentation', () => {
  let server: TestServer;
  const storeOf = (user: string): Store => storeAt(server.address({ user, database: DATABASE }));
  const as = (user: string) => (text: string) => server.sql(text, { user, database: DATABASE });
  let creating = '';

  beforeAll(async () => {
    server = await TestServer.start();
    await server.sql(`CREATE DATABASE ${DATABASE}`);
    const [roles, grants, makers] = STATEMENTS;
    await server.sql(roles!, { database: DATABASE });
    sound(await initializePostgres(server.address({ user: 'budget_owner', database: DATABASE }), { env: {} }));
    await as('budget_owner')(grants!);
    creating = makers!;
    const owner = storeOf('budget_owner');
    for (const name of ['a', 'b']) sound(await owner.create(name, headerOf(name)));
    sound(await add(owner, SPEND));
  });

  afterAll(async () => {
    await server.stop();
  });

  it('a reader sees everything, and can spend and make nothing', async () => {
    const reader = storeOf('budget_reader');
    expect((await listOf(reader)).map(([name]) => name)).toEqual(['a', 'b']);
    const lines = await linesOf(reader, 'a');
    sound(await reader.ends('a'));
    expect(await add(reader, SPEND)).toMatchObject({ fault: { code: 'not-permitted' } });
    expect(await reader.create('c', headerOf('c'))).toMatchObject({ fault: { code: 'not-permitted' } });
    const initialized = await initializePostgres(
      server.address({ user: 'budget_reader', database: DATABASE, schema: 'x' }),
    );
    expect(initialized).toMatchObject({ fault: { code: 'not-permitted' } });
    expect(await linesOf(reader, 'a')).toEqual(lines);
  });

  it('a spender spends, at the same place as everybody, and makes ledgers only where it may', async () => {
    const spender = storeOf('budget_spender');
    expect(await spender.placeId('a')).toBe(await storeOf('budget_owner').placeId('a'));
    sound(await add(spender, { ...SPEND, b: { event: 'spend' } }));
    expect(await spender.create('c', headerOf('c'))).toMatchObject({ fault: { code: 'not-permitted' } });
    await as('budget_owner')(creating);
    sound(await spender.create('c', headerOf('c')));
    sound(await add(spender, { c: { event: 'spend' } }));
  });

  const copied = (changes: string): string => `
    INSERT INTO dpcompose.records (ledger, seq, prev, hash, line)
    SELECT r.ledger, r.seq, r.prev, r.hash, r.line FROM (
      SELECT ledger, ${changes} FROM dpcompose.records WHERE ledger = 'a' ORDER BY seq DESC LIMIT 1
    ) AS r`;

  it.each([
    [`UPDATE dpcompose.records SET line = 'x'`, '42501'],
    [`DELETE FROM dpcompose.records`, '42501'],
    [`TRUNCATE dpcompose.records`, '42501'],
    [`TRUNCATE dpcompose.ledgers CASCADE`, '42501'],
    [`DELETE FROM dpcompose.ledgers WHERE name = 'b'`, '42501'],
    [`UPDATE dpcompose.ledgers SET name = 'z' WHERE name = 'a'`, '42501'],
    [`UPDATE dpcompose.ledgers SET head_seq = head_seq - 1 WHERE name = 'a'`, '42501'],
    [`UPDATE dpcompose.ledgers SET head_seq = head_seq + 1 WHERE name = 'a'`, '42501'],
    [`UPDATE dpcompose.ledgers SET head_hash = 'x' WHERE name = 'a'`, '42501'],
    [`INSERT INTO dpcompose.ledgers (name, id, head_seq) VALUES ('y', 'y', 7)`, '42501'],
    [`UPDATE dpcompose.meta SET version = 7`, '42501'],
    [`ALTER TABLE dpcompose.records DISABLE TRIGGER ALL`, '42501'],
    [`DROP TRIGGER records_stay ON dpcompose.records`, '42501'],
    [`SET session_replication_role = replica`, '42501'],
    // The same record once more, one with another content, and one with another number.
    [copied('seq, prev, hash, line'), '23505'],
    [copied(`seq + 1 AS seq, hash AS prev, hash, line`), '23514'],
    [copied(`seq, prev, hash, line || ' ' AS line`), '23514'],
  ])('a spender cannot: %s', async (statement, state) => {
    const before = await as('budget_owner')('SELECT * FROM dpcompose.records ORDER BY ledger, seq');
    const heads = await as('budget_owner')('SELECT * FROM dpcompose.ledgers ORDER BY name');
    await expect(as('budget_spender')(statement)).rejects.toMatchObject({ code: state });
    expect(await as('budget_owner')('SELECT * FROM dpcompose.records ORDER BY ledger, seq')).toEqual(before);
    expect(await as('budget_owner')('SELECT * FROM dpcompose.ledgers ORDER BY name')).toEqual(heads);
  });

  it('a record that is sound by itself is not taken where it does not follow the last one', async () => {
    const text = `{"seq":9,"ledger":"${'0'.repeat(64)}","prev":"${'1'.repeat(64)}"`;
    const insert = `INSERT INTO dpcompose.records (ledger, seq, prev, hash, line)
      SELECT 'a', 9, '${'1'.repeat(64)}', h, '${text}' || ',"hash":"' || h || '"}'
      FROM encode(sha256('${text}'), 'hex') AS h`;
    await expect(as('budget_spender')(insert)).rejects.toMatchObject({
      code: '42501',
      message: 'the record does not follow the last one of its ledger',
    });
  });

  it('not even the owner changes a record without taking the guards away', async () => {
    const owner = as('budget_owner');
    for (const statement of [
      'UPDATE dpcompose.records SET line = line',
      'DELETE FROM dpcompose.records',
      'TRUNCATE dpcompose.records',
    ])
      await expect(owner(statement)).rejects.toMatchObject({ code: '42501' });
  });
});
