import { join } from 'node:path';
import { importBundled } from '../bundled.js';

/** Spends granted in a second to many who write at once; the rate is null where there is no server. */
export async function measureStore({ name, what, writers, ledgers, together, target }) {
  const { measureWriters } = await importBundled(join(import.meta.dirname, 'postgres-writers.ts'));
  return { name, what, rate: await measureWriters({ writers, ledgers, together, seconds: 10 }), target };
}
