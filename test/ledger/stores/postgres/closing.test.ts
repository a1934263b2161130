import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { describeWithServer, newName } from '../../../reference/postgres.ts';
import { add, headerOf, sound } from '../../store-contract.ts';
import { closeStores, storeAt, storeWith } from './stores.ts';

afterEach(closeStores);

const SPEND = { a: { event: 'spend', totals: { launched: 1 } } };

describeWithServer('a PostgreSQL store that was closed', () => {
  it('is asked for nothing more: who does so has a defect', async () => {
    const { store } = await storeWith('a');
    await store.close();
    const all = [
      () => add(store, SPEND),
      () => store.create('b', headerOf('b')),
      () => store.obstacle('b'),
      () => store.ends('a'),
      () => store.records('a'),
      () => store.list(),
      () => store.placeId('a'),
    ];
    for (const ask of all) await expect(ask()).rejects.toThrow('The store was closed, and is asked for something.');
    await store.close();
  });

  it('ends what is under way, and keeps no connection', async () => {
    const { address, sql } = await storeWith('a');
    const role = newName();
    await sql(`CREATE ROLE ${role} LOGIN SUPERUSER`);
    const store = storeAt(address.replace('dpc_super', role));
    sound(await store.ends('a'));
    const adding = [add(store, SPEND), add(store, SPEND)];
    await store.close();
    for (const each of adding) sound(await each);
    while ((await sql(`SELECT FROM pg_stat_activity WHERE usename = '${role}'`)).length > 0) await sleep(5);
  });
});
