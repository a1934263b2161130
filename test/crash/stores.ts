import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileStore } from '../../src/ledger/stores/file/store.ts';
import type { Store } from '../../src/ledger/store.ts';
import { initializePostgres } from '../../src/ledger/stores/postgres/connections.ts';
import { postgresStore } from '../../src/ledger/stores/postgres/store.ts';
import { openSqlite } from '../../src/ledger/stores/sqlite/store.ts';
import { TestServer } from '../reference/postgres-server.ts';
import type { Random } from '../soundness/random.ts';

/** A store that writers are killed at. */
export interface Place {
  readonly store: Store;
  /** Its address, for writers and for the program. */
  readonly address: string;
  /** The names of all ledgers that there are, and of what was left of any. */
  names(): Promise<readonly string[]>;
}

/** A kind of store for the campaign. */
export interface StoreKind {
  /** Whether a writer can leave the beginning of a record. */
  readonly canTear: boolean;
  /** A new store; `index` is another for each. */
  make(folder: string, index: number): Promise<Place>;
  /** What happens to the store itself while writers are at it. */
  disturb?(random: Random): Promise<Disturbance>;
}

/** A server that is killed and comes back, connections that are cut, or nothing. */
export type Disturbance = 'server killed' | 'connections cut' | 'none';

const SUFFIX = '.jsonl';

const file: StoreKind = {
  canTear: true,
  make(folder, index) {
    const address = join(folder, String(index));
    mkdirSync(address);
    const names = (): string[] =>
      readdirSync(address)
        .filter((name) => name.endsWith(SUFFIX))
        .map((name) => name.slice(0, -SUFFIX.length));
    const store = fileStore(address, { suffix: SUFFIX });
    return Promise.resolve({ store, address, names: () => Promise.resolve(names()) });
  },
};

/** All ledgers of a store that lists them. */
async function listed(store: Store): Promise<readonly string[]> {
  const batches = await store.list();
  if ('kind' in batches) throw new Error(batches.fault.code);
  const names: string[] = [];
  for await (const batch of batches) names.push(...batch.map(({ name }) => name));
  return names;
}

const sqlite: StoreKind = {
  canTear: false,
  async make(folder, index) {
    const path = join(folder, `${index}.db`);
    const store = await openSqlite(path, { make: true });
    if ('fault' in store) throw new Error(JSON.stringify(store.fault));
    return { store, address: `sqlite:${path}`, names: () => listed(store) };
  },
};

/** One server for all that is made; it ends with this process. */
let server: Promise<TestServer> | null = null;

/** Cuts connections of writers, one after the other. */
async function cutConnections(at: TestServer, count: number): Promise<void> {
  const knife = await at.connect();
  for (let n = 0; n < count; n++) {
    await knife.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'dpcompose' AND (state = 'active' OR random() < 0.3) ORDER BY random() LIMIT 1`,
    );
    await sleep(2);
  }
  await knife.end();
}

const MOST_CUTS = 60;

const postgres: StoreKind = {
  canTear: false,
  async disturb(random) {
    const [kind, moment, cuts] = [random.next(), random.logBetween(0.5, 80), random.whole(1, MOST_CUTS)];
    const at = await server!;
    await sleep(moment);
    if (kind < 0.3) {
      await at.crash();
      await at.begin();
      return 'server killed';
    }
    if (kind > 0.7) return 'none';
    await cutConnections(at, cuts);
    return 'connections cut';
  },
  async make(_, index) {
    server ??= TestServer.start();
    const address = (await server).address({ schema: `arena${index}` });
    const made = await initializePostgres(address);
    if (made.kind === 'failed') throw new Error(JSON.stringify(made.fault));
    const store = postgresStore(address);
    if ('fault' in store) throw new Error(JSON.stringify(store.fault));
    return { store, address, names: () => listed(store) };
  },
};

export type StoreKindName = 'file' | 'sqlite' | 'postgres';

export const STORE_KINDS: Readonly<Record<StoreKindName, StoreKind>> = { file, sqlite, postgres };
