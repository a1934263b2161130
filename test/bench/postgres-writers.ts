import { spendIn } from '../../src/ledger/spend-in.ts';
import type { Failed } from '../../src/ledger/fault.ts';
import type { LaunchRequest } from '../../src/ledger/record.ts';
import { initializePostgres } from '../../src/ledger/stores/postgres/connections.ts';
import { postgresStore } from '../../src/ledger/stores/postgres/store.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { binaries, TestServer } from '../reference/postgres-server.ts';
import { Random } from '../soundness/random.ts';

/** How many write at once, to how many ledgers, for how long (s). */
export interface Writing {
  readonly writers: number;
  readonly ledgers: number;
  /** Ledgers that are drawn for each spend, which is one transaction over them. */
  readonly together: number;
  readonly seconds: number;
}

const TERMS = {
  mode: 'filter',
  rule: { id: 'pure' },
  budget: { epsilon: new Decimal(1000) },
  onExcess: 'refuse',
  concurrency: 'concurrent',
  maxMechanisms: null,
  distance: new Decimal(1),
  neighbours: null,
} as const;

const ASKED: LaunchRequest = {
  entries: [
    {
      mechanism: { type: 'dp', epsilon: new Decimal('1e-3'), delta: new Decimal(0) },
      count: 1,
      kind: 'noninteractive',
      label: 'dashboard',
    },
  ],
};

function sound<T extends object>(answer: T | Failed): T {
  if ('fault' in answer) throw new Error(JSON.stringify(answer));
  return answer;
}

/** Some of these, each once. */
function drawn(names: readonly string[], count: number, random: Random): readonly string[] {
  const left = [...names];
  return Array.from({ length: count }, () => left.splice(random.whole(0, left.length - 1), 1)[0]!);
}

/** Spends that were granted in a second, by a server on the disk; null where none is installed. */
export async function measureWriters({ writers, ledgers, together, seconds }: Writing): Promise<number | null> {
  if (binaries() === null) return null;
  const server = await TestServer.start('disk');
  try {
    const options = { env: {}, connections: 1 };
    sound(await initializePostgres(server.address(), options));
    const stores = Array.from({ length: writers }, () => sound(postgresStore(server.address(), options)));
    const names = Array.from({ length: ledgers }, (_, i) => `ledger ${i}`);
    for (const name of names) {
      sound(await stores[0]!.create(name, { version: 'bench', at: null, id: name, terms: TERMS, origin: null }));
    }
    let [granted, isOver] = [0, false];
    const begin = performance.now();
    setTimeout(() => (isOver = true), 1000 * seconds);
    await Promise.all(
      stores.map(async (store, w) => {
        const random = new Random(w);
        while (!isOver) {
          sound(await spendIn(store, drawn(names, together, random), ASKED, { patience: 600 }));
          granted++;
        }
      }),
    );
    const rate = (1000 * granted) / (performance.now() - begin);
    await Promise.all(stores.map((store) => store.close()));
    return rate;
  } finally {
    await server.stop();
  }
}
