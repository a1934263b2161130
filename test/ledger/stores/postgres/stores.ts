import { initializePostgres } from '../../../../src/ledger/stores/postgres/connections.ts';
import { postgresStore } from '../../../../src/ledger/stores/postgres/store.ts';
import type { Store } from '../../../../src/ledger/store.ts';
import { newName, sharedServer, type TestServer } from '../../../reference/postgres.ts';
import { headerOf, sound } from '../../store-contract.ts';

const open: Store[] = [];

/** A store at an address, which is closed with the others of a test. */
export function storeAt(address: string, options: Parameters<typeof postgresStore>[1] = {}): Store {
  const store = sound(postgresStore(address, { connectSeconds: 600, env: {}, ...options }));
  open.push(store);
  return store;
}

/** Closes the stores that were opened. */
export async function closeStores(): Promise<void> {
  await Promise.all(open.splice(0).map((store) => store.close()));
}

/** The address of a store, whose tables were made in a schema of their own. */
export async function newAddress(server?: TestServer): Promise<string> {
  const address = (server ?? (await sharedServer())).address({ schema: newName() });
  sound(await initializePostgres(address, { env: {} }));
  return address;
}

/** The schema that the tables of a store are in. */
export const schemaOf = (address: string): string => /schema=(\w+)/.exec(address)![1]!;

/** A store with ledgers of these names, its address, and how the owner of its tables speaks to the server. */
export interface Made {
  readonly store: Store;
  readonly address: string;
  readonly schema: string;
  readonly sql: TestServer['sql'];
}

export async function storeWith(...names: readonly string[]): Promise<Made> {
  const [server, address] = [await sharedServer(), await newAddress()];
  const store = storeAt(address);
  for (const name of names) sound(await store.create(name, headerOf(name)));
  return { store, address, schema: schemaOf(address), sql: (text, as) => server.sql(text, as) };
}
