import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { spendIn } from '../../../../src/ledger/spend-in.ts';
import { verify } from '../../../../src/ledger/verify.ts';
import type { LaunchRequest, Header } from '../../../../src/ledger/record.ts';
import type { Store } from '../../../../src/ledger/store.ts';
import { Decimal } from '../../../../src/numeric/decimal.ts';
import { describeWithServer, sharedServer, TestServer } from '../../../reference/postgres.ts';
import { shareOf } from '../../../reference/share.ts';
import { Random } from '../../../soundness/random.ts';
import { headerOf, recordsOf, sound, TERMS } from '../../store-contract.ts';
import { closeStores, newAddress, storeAt } from './stores.ts';

afterEach(closeStores);

const UNIT = new Decimal('0.001');

/** A ledger that has so many thousandths of an epsilon. */
const budgetOf = (id: string, units: number): Header => ({
  ...headerOf(id),
  terms: { ...TERMS, budget: { epsilon: UNIT.times(units) } },
});

const spendOf = (units: number, label: string): LaunchRequest => ({
  entries: [
    {
      mechanism: { type: 'dp', epsilon: UNIT.times(units), delta: new Decimal(0) },
      count: 1,
      kind: 'noninteractive',
      label,
    },
  ],
});

/** What a ledger has recorded: the units of each label. */
async function recorded(store: Store, name: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const { fields } of (await recordsOf(store, name)).slice(1)) {
    const { mechanisms } = fields as {
      readonly mechanisms: readonly [{ readonly epsilon: string; readonly label: string }];
    };
    const [{ epsilon, label }] = mechanisms;
    expect(found.has(label)).toBe(false);
    found.set(label, new Decimal(epsilon).div(UNIT).toNumber());
  }
  return found;
}

const isSound = async (store: Store, name: string): Promise<boolean> => {
  const verified = await verify(store, name);
  return verified.kind !== 'failed' && verified.flaws.length === 0;
};

const sum = (units: Iterable<number>): number => [...units].reduce((total, each) => total + each, 0);

describeWithServer('fifty who each spend from three of twenty ledgers', () => {
  it('are granted what would be granted to one after the other, and never wait for each other', async () => {
    const [writers, rounds, budget] = [50, shareOf(16, 2), shareOf(40, 6)];
    const address = await newAddress();
    const main = storeAt(address);
    const names = Array.from({ length: 20 }, (_, i) => `ledger ${i}`);
    for (const name of names) sound(await main.create(name, budgetOf(name, budget)));
    const stores = Array.from({ length: writers }, () => storeAt(address, { connections: 1 }));
    const asked: { readonly three: readonly string[]; readonly label: string; readonly granted: boolean }[] = [];
    await Promise.all(
      stores.map(async (store, w) => {
        const random = new Random(w);
        for (let r = 0; r < rounds; r++) {
          const left = [...names];
          const three = Array.from({ length: 3 }, () => left.splice(random.whole(0, left.length - 1), 1)[0]!);
          const label = `${w}.${r}`;
          const { value } = sound(await spendIn(store, three, spendOf(1, label), { patience: 600 }));
          asked.push({ three, label, granted: value.every(({ decision }) => decision.kind === 'accepted') });
        }
      }),
    );
    const kept = new Map<string, Map<string, number>>();
    for (const name of names) kept.set(name, await recorded(main, name));
    for (const name of names) {
      const granted = asked.filter((each) => each.granted && each.three.includes(name)).map(({ label }) => label);
      expect([...kept.get(name)!.keys()].sort()).toEqual(granted.sort());
      expect(granted.length).toBeLessThanOrEqual(budget);
    }
    // Budgets only shrink: who was refused found one of three used up.
    const refused = asked.filter(({ granted }) => !granted);
    for (const { three } of refused) expect(Math.max(...three.map((name) => kept.get(name)!.size))).toBe(budget);
    expect(refused.length).toBeGreaterThan(0);
    expect(await isSound(main, names[0]!)).toBe(true);
    const deadlocks = await (await sharedServer()).sql(`SELECT sum(deadlocks)::int AS n FROM pg_stat_database`);
    expect(deadlocks).toEqual([{ n: 0 }]);
  });
});

/** One request, and what was said of it. */
interface Said {
  readonly name: string;
  readonly label: string;
  readonly answer: 'granted' | 'refused' | 'undone' | 'unknown';
}

/** Asks for one thing after the other, until told to stop. */
async function keepAsking(
  store: Store,
  names: readonly string[],
  { own, patience, until }: { readonly own: string; readonly patience: number; readonly until: () => boolean },
  said: Said[],
): Promise<void> {
  for (let n = 0; !until(); n++) {
    const [name, label] = [names[n % names.length]!, `${own}.${n}`];
    const done = await spendIn(store, [name], spendOf(1, label), { patience });
    if (done.kind === 'failed') {
      const { code } = done.fault;
      expect(['busy', 'connection-lost', 'unreachable', 'outcome-unknown']).toContain(code);
      said.push({ name, label, answer: code === 'outcome-unknown' ? 'unknown' : 'undone' });
      await sleep(5);
    } else {
      const accepted = done.value.every(({ decision }) => decision.kind === 'accepted');
      said.push({ name, label, answer: accepted ? 'granted' : 'refused' });
    }
  }
}

/** What was said is what was kept: nothing granted is lost or there twice, and nothing is there of which the contrary was said. */
async function examine(store: Store, names: readonly string[], said: readonly Said[], budget: number): Promise<void> {
  for (const name of names) {
    const kept = await recorded(store, name);
    const about = said.filter((each) => each.name === name);
    for (const { label, answer } of about) {
      if (answer !== 'unknown') expect([label, kept.has(label)]).toEqual([label, answer === 'granted']);
    }
    const known = new Set(about.map(({ label }) => label));
    expect([...kept.keys()].filter((label) => !known.has(label))).toEqual([]);
    expect(sum(kept.values())).toBeLessThanOrEqual(budget);
    expect(await isSound(store, name)).toBe(true);
  }
}

describeWithServer('who spends', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });

  afterAll(async () => {
    await server.stop();
  });

  it.each(['patient', 'impatient'])(
    '(%s) while the server is killed and comes back, is told what was kept',
    async (kind) => {
      const [names, budget] = [['a', 'b'], 1_000_000];
      const address = await newAddress(server);
      const main = storeAt(address);
      for (const name of names) sound(await main.create(name, budgetOf(name, budget)));
      const said: Said[] = [];
      let isOver = false;
      const options = { patience: kind === 'patient' ? 600 : 0, until: () => isOver };
      const writers = Array.from({ length: 6 }, (_, i) =>
        keepAsking(storeAt(address, { connections: 1, outcomeSeconds: 600 }), names, { ...options, own: `${i}` }, said),
      );
      for (let round = 0; round < shareOf(10, 2); round++) {
        const before = said.length;
        while (said.filter(({ answer }) => answer === 'granted').length < 20 * (round + 1) || said.length < before + 20)
          await sleep(2);
        await server.crash();
        await server.begin();
      }
      isOver = true;
      await Promise.all(writers);
      expect(said.filter(({ answer }) => answer === 'granted').length).toBeGreaterThan(20);
      // Who has patience is told in the end; who has none was cut off at least now and then.
      if (kind === 'patient') expect(said.filter(({ answer }) => answer !== 'granted')).toEqual([]);
      await examine(main, names, said, budget);
    },
  );

  it('while connections are cut at random, is told what was kept', async () => {
    const [names, budget] = [['a', 'b', 'c'], 1_000_000];
    const address = await newAddress(server);
    const main = storeAt(address);
    for (const name of names) sound(await main.create(name, budgetOf(name, budget)));
    const said: Said[] = [];
    let isOver = false;
    const writers = Array.from({ length: 8 }, (_, i) =>
      keepAsking(
        storeAt(address, { connections: 1, outcomeSeconds: 600 }),
        names,
        { own: `${i}`, patience: i % 2 === 0 ? 600 : 0, until: () => isOver },
        said,
      ),
    );
    const knife = await server.connect();
    let cut = 0;
    while (cut < shareOf(400, 40) || said.length < 100) {
      const { rows } = await knife.query<{ n: number }>(
        `SELECT count(pg_terminate_backend(pid))::int AS n FROM (
          SELECT pid FROM pg_stat_activity
          WHERE application_name = 'dpcompose' AND (state = 'active' OR random() < 0.1) ORDER BY random() LIMIT 1
        ) AS one`,
      );
      cut += rows[0]!.n;
      await sleep(1);
    }
    isOver = true;
    await Promise.all(writers);
    await knife.end();
    expect(new Set(said.map(({ answer }) => answer))).toEqual(new Set(['granted', 'undone']));
    await examine(main, names, said, budget);
  });
});
