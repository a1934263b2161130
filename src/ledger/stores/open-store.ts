import { join, resolve } from 'node:path';
import { failed, type Failed } from '../records/fault.ts';
import type { Store } from '../journal/store.ts';

/** A store by its address, or the file store of a folder. */
export interface Opened {
  readonly kind: 'opened';
  readonly store: Store;
}

/** The file of an address, where one file holds all ledgers of the store; null for other stores. */
export const fileOfAddress = (address: string): string | null =>
  address.startsWith('sqlite:') ? address.slice('sqlite:'.length) : null;

/** Whether an address is that of a server. */
export const isServer = (address: string): boolean => /^postgres(?:ql)?:/i.test(address);

/**
 * Whether an address begins with the name of a kind of store, as no folder does (a single letter is a drive), or has parts that only
 * the address of a server has.
 */
export const hasScheme = (address: string): boolean =>
  /^[a-z][a-z0-9+.-]+:/i.test(address) || /:\/\/|\bpassword\s*=/i.test(address);

/** Whether this is no address at all, as of a variable that was never set. */
export const isBlank = (address: string): boolean => address.trim() === '';

/** No kind of store is called as the address begins. */
export const unknownScheme = (): Failed => failed({ code: 'bad-address', problem: 'malformed', option: null });

/** The file that a ledger of this name is in, from the folder that paths are from; null where it is in no file. */
export function fileOfLedger(address: string, name: string): string | null {
  if (isServer(address)) return null;
  return fileOfAddress(address) ?? join(address, `${name}.jsonl`);
}

/**
 * Opens a store: `postgres://USER@HOST/DATABASE`, `sqlite:FILE`, or a folder of ledger files, whose names then end in `.jsonl` by
 * themselves. Paths are from `folder`. Drivers are loaded here, when they are needed (`no-driver` where one is not installed). `assumeLocks`: see `LockOptions` of the file store.
 */
export async function openStore(
  address: string,
  folder: string,
  { assumeLocks = false }: { readonly assumeLocks?: boolean } = {},
): Promise<Opened | Failed> {
  const file = fileOfAddress(address);
  if (file !== null) {
    const [{ openSqlite }, { lockFault }] = await Promise.all([
      import('../sqlite/store.ts'),
      import('../file/file-system.ts'),
    ]);
    const store = await openSqlite(resolve(folder, file), { objection: (path) => lockFault(path, { assumeLocks }) });
    return 'kind' in store ? store : { kind: 'opened', store };
  }
  if (isServer(address)) {
    const { postgresStore } = await import('../postgres/store.ts');
    const store = postgresStore(address);
    return 'kind' in store ? store : { kind: 'opened', store };
  }
  if (hasScheme(address) || isBlank(address)) return unknownScheme();
  const { fileStore } = await import('../file/store.ts');
  return { kind: 'opened', store: fileStore(resolve(folder, address), { suffix: '.jsonl', assumeLocks }) };
}
