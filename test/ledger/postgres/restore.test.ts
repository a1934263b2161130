import { afterEach, expect, it } from 'vitest';
import type { Store } from '../../../src/ledger/journal/store.ts';
import { describeWithServer } from '../../reference/postgres.ts';
import { add, headerOf, linesOf, sound } from '../journal/store-contract.ts';
import { closeStores, newAddress, storeAt } from './stores.ts';

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

  it('is there with all of its lines or not at all', async () => {
    const [, to, lines] = await two();
    const broken = lines.map((line, i) => (i === 5 ? line.replace('k5', 'k9') : line));
    expect(await to.restore!('b', batches(broken, 2))).toMatchObject({ kind: 'failed' });
    expect(await to.ends('b')).toMatchObject({ fault: { code: 'no-such-ledger' } });
    sound(await to.restore!('b', batches(lines, 100)));
  });
});
