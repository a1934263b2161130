import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/ledger/store.ts';
import { shareOf } from '../../../reference/share.ts';
import { Random } from '../../../soundness/random.ts';
import { headerOf, recordsOf, sound } from '../../store-contract.ts';
import { newPath, opened } from './databases.ts';
import { run, start } from './programs.ts';

/** An answer that a process was given. */
interface Said {
  readonly label: string;
  readonly amount: number;
  readonly granted: boolean;
  readonly fault: string | null;
}

async function newStore(): Promise<{ readonly path: string; readonly store: Store }> {
  const path = newPath();
  const store = await opened(path, { make: true, patience: 600 });
  for (const name of ['a', 'b']) sound(await store.create(name, headerOf(name)));
  return { path, store };
}

interface Spent {
  readonly label: string;
  readonly amount: number;
}

/** All that was spent from a ledger; every total has to be the sum of what is before it, and both ledgers have the same. */
async function spentIn(store: Store): Promise<Spent[]> {
  const [a, b] = [await recordsOf(store, 'a'), await recordsOf(store, 'b')];
  const all = a
    .slice(1)
    .map(({ fields }) => fields as unknown as Spent & { readonly totals: { readonly spent: number } });
  let sum = 0;
  for (const { amount, totals } of all) expect(totals.spent).toBe((sum += amount));
  expect(b.slice(1).map(({ fields }) => fields.label)).toEqual(all.map(({ label }) => label));
  return all.map(({ label, amount }) => ({ label, amount }));
}

const byLabel = (a: Spent, b: Spent): number => (a.label < b.label ? -1 : 1);

describe('processes that spend from a database at once', () => {
  it('are never granted more than the budget, and what they were told is what is there', async () => {
    const { path, store } = await newStore();
    const random = new Random(8);
    const budget = 100;
    const said: Said[] = [];
    const spend = (_: unknown, i: number): Promise<void> => {
      const amounts = Array.from({ length: 20 }, () => random.whole(1, 3));
      return run('spender.ts', { path, name: `p${i}`, amounts, budget }, (one) => said.push(one as Said));
    };
    await Promise.all(Array.from({ length: 8 }, spend));
    const spent = await spentIn(store);
    expect(said).toHaveLength(160);
    expect(said.filter(({ fault }) => fault !== null)).toEqual([]);
    const granted = said.filter((each) => each.granted).map(({ label, amount }) => ({ label, amount }));
    expect([...spent].sort(byLabel)).toEqual(granted.sort(byLabel));
    // Somebody asked for one unit to the end, so that all of it is gone.
    expect(spent.reduce((sum, { amount }) => sum + amount, 0)).toBe(budget);
  });
});

describe('processes that are killed while they write to a database', () => {
  it('leave all that was acknowledged, and nothing of a transaction that is not all there', async () => {
    const { path, store } = await newStore();
    const random = new Random(9);
    const said: Said[] = [];
    const asked = new Map<string, number>();
    let cut = 0;
    for (let round = 0; round < shareOf(30, 8); round++) {
      // Each is killed when it has said so many answers, or some moments after: in the midst of the next transaction.
      const writers = [0, 1].map(async (i) => {
        const amounts = Array.from({ length: 60 }, () => random.whole(1, 9));
        const name = `r${round}.${i}`;
        for (const [n, amount] of amounts.entries()) asked.set(`${name}.${n}`, amount);
        let left = random.whole(0, 4);
        const pause = random.whole(0, 12);
        let heard = 0;
        const { child, ended } = await start('spender.ts', { path, name, amounts, budget: 1e9 }, (one) => {
          said.push(one as Said);
          heard++;
          if (left-- === 0) setTimeout(() => child.kill('SIGKILL'), pause);
        });
        await ended;
        if (heard < amounts.length) cut++;
      });
      await Promise.all(writers);
    }
    const spent = await spentIn(store);
    const there = new Map(spent.map(({ label, amount }) => [label, amount]));
    expect(there.size).toBe(spent.length);
    expect(said.length).toBeGreaterThan(0);
    for (const { label, amount, granted, fault } of said) {
      expect({ label, granted, fault }).toEqual({ label, granted: true, fault: null });
      expect(there.get(label)).toBe(amount);
    }
    for (const [label, amount] of there) expect(asked.get(label)).toBe(amount);
    // Each writer may have been stopped between the commit and its word of it, once.
    expect(there.size - said.length).toBeLessThanOrEqual(cut);
    expect(cut).toBeGreaterThan(0);
  });
});
