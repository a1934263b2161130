import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Store } from '../store.ts';
import { failed, type Failed } from '../fault.ts';

/** A store by its address, or the file store of a folder. */
export interface Opened {
  readonly kind: 'opened';
  readonly store: Store;
}

/** The file of an address, where one file holds all ledgers of the store; null for other stores. */
const fileOfAddress = (address: string): string | null =>
  address.startsWith('sqlite:') ? address.slice('sqlite:'.length) : null;

const isServer = (address: string): boolean => /^postgres(?:ql)?:/i.test(address);

/**
 * Whether an address begins with the name of a kind of store, as no folder does (a single letter is a drive), or has parts that only
 * the address of a server has.
 */
export const hasScheme = (address: string): boolean =>
  /^[a-z][a-z0-9+.-]+:/i.test(address) || /:\/\/|\bpassword\s*=/i.test(address);

/** Whether this is no address at all, as of a variable that was never set. */
const isBlank = (address: string): boolean => address.trim() === '';

/** No kind of store is called as the address begins. */
const unknownScheme = (): Failed => failed({ code: 'bad-address', problem: 'malformed', option: null });

/** The file that a ledger of this name is in, from the folder that paths are from; null where it is in no file. */
export function fileOfLedger(address: string, name: string): string | null {
  if (isServer(address)) return null;
  return fileOfAddress(address) ?? join(address, `${name}.jsonl`);
}

interface OpenOptions {
  readonly assumeLocks?: boolean;
}

const opened = (store: Store | Failed): Opened | Failed => ('kind' in store ? store : { kind: 'opened', store });

async function inSqlite(file: string, make: boolean, options: OpenOptions): Promise<Opened | Failed> {
  const [{ openSqlite }, { lockFault }] = await Promise.all([
    import('./sqlite/store.ts'),
    import('./file/file-system.ts'),
  ]);
  return opened(await openSqlite(file, { make, objection: (path) => lockFault(path, options) }));
}

/**
 * Opens a store: `postgres://USER@HOST/DATABASE`, `sqlite:FILE`, or a folder of ledger files, whose names then end in `.jsonl` by
 * themselves. Paths are from `folder`. Drivers are loaded here, when they are needed (`no-driver` where one is not installed).
 */
export async function openStore(address: string, folder: string, options: OpenOptions = {}): Promise<Opened | Failed> {
  const file = fileOfAddress(address);
  if (file !== null) return await inSqlite(resolve(folder, file), false, options);
  if (isServer(address)) return opened((await import('./postgres/store.ts')).postgresStore(address));
  if (hasScheme(address) || isBlank(address)) return unknownScheme();
  const { fileStore } = await import('./file/store.ts');
  return opened(fileStore(resolve(folder, address), { suffix: '.jsonl', ...options }));
}

/** Makes a place for ledgers, or leaves it as it is where it is one already; addresses are those of {@link openStore}. */
export async function initStore(address: string, folder: string, options: OpenOptions = {}): Promise<Opened | Failed> {
  const file = fileOfAddress(address);
  if (file !== null) return await inSqlite(resolve(folder, file), true, options);
  if (isServer(address)) {
    const { initializePostgres } = await import('./postgres/connections.ts');
    const initialized = await initializePostgres(address);
    if (initialized.kind === 'failed') return initialized;
  } else if (!hasScheme(address) && !isBlank(address)) {
    const { createFault } = await import('./file/system-error.ts');
    try {
      mkdirSync(resolve(folder, address), { recursive: true });
    } catch (error) {
      return failed(createFault(error));
    }
  }
  return await openStore(address, folder);
}
