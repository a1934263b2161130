import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adoptIn } from '../../../../src/ledger/succession.ts';
import { seal, unseal, type Fields } from '../../../../src/ledger/line.ts';
import type { Store } from '../../../../src/ledger/store.ts';
import { describeWithServer, sharedServer } from '../../../reference/postgres.ts';
import { sound } from '../../store-contract.ts';
import { OPTIONS } from '../file/files.ts';
import { batchesOf, manyLines, spend, summed } from '../many-lines.ts';
import { closeStores, newAddress, schemaOf, storeAt } from './stores.ts';

describeWithServer('the sum of a large ledger in PostgreSQL', () => {
  let [folder, address] = ['', ''];
  let store: Store;
  const cached = (): Store => storeAt(address, { env: { XDG_CACHE_HOME: folder } });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dpcompose-cache-'));
    address = await newAddress();
    store = cached();
    sound(await store.restore!('a', batchesOf(await manyLines(storeAt(await newAddress())))));
    sound(await adoptIn(store, 'a', null, OPTIONS));
  });
  afterEach(async () => {
    await closeStores();
    rmSync(folder, { recursive: true });
  });

  /** Puts another label into what is kept, as nobody does. */
  function mark(): void {
    const [name] = readdirSync(join(folder, 'dpcompose'));
    const path = join(folder, 'dpcompose', name!);
    const kept = unseal(readFileSync(path));
    if (kept.kind !== 'record') throw new Error('what is kept is not sealed');
    writeFileSync(path, seal(JSON.parse(JSON.stringify(kept.fields).replace('first', 'kept')) as Fields).text);
  }

  it('is kept in the cache of the user, and gone on from', async () => {
    expect(await summed(store)).toEqual({ first: 1 });
    mark();
    expect(await summed(store)).toEqual({ kept: 1 });
    await spend(store, 'second');
    expect(await summed(cached())).toEqual({ kept: 1, second: 1 });
    expect(await summed(storeAt(address))).toEqual({ first: 1, second: 1 });
  });

  it.each([
    [
      'a line that no longer is what its hash says',
      `UPDATE RECORDS SET line = replace(line, '"n"', '"m"') WHERE seq = 700`,
    ],
    ['a record that is gone', 'DELETE FROM RECORDS WHERE seq = 700'],
    ['a record that follows another one', `UPDATE RECORDS SET prev = repeat('0', 64) WHERE seq = 700`],
  ])('is not gone on from where the owner left %s', async (_, change) => {
    await summed(store);
    mark();
    const records = `${schemaOf(address)}.records`;
    const constraints = ['sealed', 'placed', 'key_told'].map((name) => `DROP CONSTRAINT records_${name}`);
    await (
      await sharedServer()
    ).sql(`ALTER TABLE ${records} ${constraints.join(', ')}; ALTER TABLE ${records} DISABLE TRIGGER USER;
      ${change.replace('RECORDS', records)}`);
    expect(await summed(store)).not.toEqual({ kept: 1 });
  });
});
