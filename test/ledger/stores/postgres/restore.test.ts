import { afterEach, expect, it } from 'vitest';
import type { Store } from '../../../../src/ledger/store.ts';
import { describeWithServer } from '../../../reference/postgres.ts';
import { add, headerOf, linesOf, sound } from '../../store-contract.ts';
import { closeStores, newAddress, storeAt, storeWith } from './stores.ts';

afterEach(closeStores);

async function* batches(lines: readonly string[], size: number): AsyncGenerator<readonly Buffer[]> {
  for (let at = 0; at < lines.length; at += size) {
    yield await Promise.resolve(lines.slice(at, at + size).map((line) => Buffer.from(line)));
  }
}

describeWithServer('a ledger that is restored in PostgreSQL', () => {
  /** A store with a ledger of some records, and another, empty one. */
  async function two(): Promise<readonly [from: Store, to: Store, lines: readonly string[]]> {
    const [from, to] = [storeAt(await newAddress()), storeAt(await newAddress())];
    sound(await from.create('a', headerOf('a')));
    for (let n = 1; n <= 7; n++)
      sound(await add(from, { a: { event: 'spend', key: `k${n}`, totals: { launched: n } } }));
    return [from, to, await linesOf(from, 'a')];
  }

  it('is the same, byte for byte, and goes on where somebody says so', async () => {
    const [, to, lines] = await two();
    const { last } = sound(await to.restore!('b', batches(lines, 3)));
    expect(lines.at(-1)).toContain(last.hash);
    expect(await linesOf(to, 'b')).toEqual(lines);
    expect(await to.restore!('b', batches(lines, 3))).toMatchObject({ fault: { code: 'ledger-exists' } });
    expect(await add(to, { b: { event: 'spend' } })).toMatchObject({ fault: { code: 'moved' } });
    sound(await add(to, { b: { event: 'spend' } }, { adopt: true }));
    expect(await linesOf(to, 'b')).toHaveLength(9);
  });

  it('moves its head once for each batch of lines, as each move would have to pass over all before it', async () => {
    const { store: from } = await storeWith('a');
    for (let n = 0; n < 300; n++) sound(await add(from, { a: { event: 'note' } }));
    const { store: to, schema, sql } = await storeWith();
    sound(await to.restore!('b', batches(await linesOf(from, 'a'), 100)));
    // The server keeps every state of a row that a transaction has gone through, until it is over.
    const [states] = await sql(`SELECT pg_relation_size('${schema}.ledgers') AS bytes`);
    expect(Number((states as { bytes: unknown }).bytes)).toBeLessThanOrEqual(8192);
    expect(await linesOf(to, 'b')).toEqual(await linesOf(from, 'a'));
    expect(await to.ends('b')).toMatchObject({ kind: 'ends' });
  });

  it('has each record after the one before it, also where one statement inserts several', async () => {
    const { store: from, schema: source, sql } = await storeWith('a');
    for (let n = 0; n < 4; n++) sound(await add(from, { a: { event: 'note' } }));
    const { schema } = await storeWith();
    const insert = (...numbers: readonly number[]): Promise<unknown> =>
      sql(`INSERT INTO ${schema}.records SELECT * FROM ${source}.records WHERE seq IN (${numbers.join(', ')})`);
    await sql(`INSERT INTO ${schema}.ledgers (name, id) VALUES ('a', 'x')`);
    await insert(0, 1);
    for (const numbers of [[3], [2, 4], [1, 2], [0]]) await expect(insert(...numbers)).rejects.toThrow();
    await insert(4, 3, 2);
    expect(await sql(`SELECT head_seq FROM ${schema}.ledgers`)).toEqual([{ head_seq: '4' }]);
    for (const head of [3, 4, 5])
      await expect(sql(`UPDATE ${schema}.ledgers SET head_seq = ${head}`)).rejects.toThrow();
  });

  it('is there with all of its lines or not at all', async () => {
    const [, to, lines] = await two();
    const broken = lines.map((line, i) => (i === 5 ? line.replace('k5', 'k9') : line));
    expect(await to.restore!('b', batches(broken, 2))).toMatchObject({ kind: 'failed' });
    expect(await to.ends('b')).toMatchObject({ fault: { code: 'no-such-ledger' } });
    sound(await to.restore!('b', batches(lines, 100)));
  });
});
