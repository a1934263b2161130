import { initializePostgres } from '../../../src/ledger/postgres/migrate.ts';
import { postgresStore } from '../../../src/ledger/postgres/store.ts';
import type { Store } from '../../../src/ledger/journal/store.ts';
import { newName, sharedServer, type TestServer } from '../../reference/postgres.ts';
import { sound } from '../journal/store-contract.ts';

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
