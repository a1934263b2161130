import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LockOptions } from '../file/file-system.ts';
import { createFault } from '../file/system-error.ts';
import { failed, type Failed } from '../records/fault.ts';
import { hasScheme, isBlank, isServer, openStore, unknownScheme, type Opened } from './open-store.ts';

/** Makes the places of one kind of address. */
interface Maker {
  readonly fits: (address: string) => boolean;
  readonly make: (address: string, folder: string, options: LockOptions) => Promise<Opened | Failed>;
}

const MAKERS: readonly Maker[] = [
  {
    fits: (address) => address.startsWith('sqlite:'),
    make: async (address, folder, { assumeLocks = false }) => {
      const [{ openSqlite }, { lockFault }] = await Promise.all([
        import('../sqlite/store.ts'),
        import('../file/file-system.ts'),
      ]);
      const objection = (path: string): Failed | null => lockFault(path, { assumeLocks });
      const store = await openSqlite(resolve(folder, address.slice('sqlite:'.length)), { make: true, objection });
      return 'address' in store ? { kind: 'opened', store } : store;
    },
  },
  {
    fits: isServer,
    make: async (address, folder) => {
      const { initializePostgres } = await import('../postgres/migrate.ts');
      const initialized = await initializePostgres(address);
      return initialized.kind === 'failed' ? initialized : await openStore(address, folder);
    },
  },
];

/** Makes the folder of ledger files. */
async function makeFolder(address: string, folder: string): Promise<Opened | Failed> {
  try {
    mkdirSync(resolve(folder, address), { recursive: true });
  } catch (error) {
    return failed(createFault(error));
  }
  return await openStore(address, folder);
}

/** Makes a place for ledgers, or leaves it as it is where it is one already; addresses are those of `openStore`. */
export async function initStore(
  address: string,
  folder: string,
  options: Pick<LockOptions, 'assumeLocks'> = {},
): Promise<Opened | Failed> {
  const maker = MAKERS.find(({ fits }) => fits(address));
  if (maker !== undefined) return await maker.make(address, folder, options);
  return hasScheme(address) || isBlank(address) ? unknownScheme() : await makeFolder(address, folder);
}
