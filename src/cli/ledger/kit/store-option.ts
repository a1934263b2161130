import { resolve } from 'node:path';
import { Argument } from 'commander';
import type { Store } from '../../../ledger/journal/store.ts';
import type { InputError } from '../../../document/core/specification.ts';
import type { Io } from '../../kit/io.ts';
import { inGroup, switchOption, textOption } from '../../kit/option.ts';
import { UsageError } from '../../kit/usage-error.ts';
import { succeeded, type Named } from './named-ledger.ts';

/** The options that say where ledgers are kept. */
export interface StoreFlags {
  readonly store?: string | undefined;
  readonly assumeLocks?: boolean | undefined;
}

/** An option that names where ledgers are kept. */
export const storeOption = (flags: string, about: string) =>
  textOption(flags, `${about}: a folder, sqlite:FILE, or postgres://... (DPCOMPOSE_STORE, or the current folder)`);

/** The option --store. */
export const WHERE = inGroup('Where it is:', { store: storeOption('--store <ADDRESS>', 'where ledgers are kept') });

/** The option --assume-locks, of commands that write. */
export const LOCKS = {
  assumeLocks: switchOption('--assume-locks', 'write to a file system whose locks other machines need not see'),
};

/** The operands of a command that is about one ledger. */
export const LEDGER = new Argument('<FILE>', 'the ledger');

/** The operands of a command that is about several ledgers, or all. */
export const LEDGERS = new Argument(
  '[FILE...]',
  'the ledgers; none: all of the store that --store (or DPCOMPOSE_STORE) then has to name',
);

/** Without names, all ledgers of a store are meant, which must be named then. */
export function requireLedgers(names: readonly string[], flags: StoreFlags, io: Io, errors: InputError[]): void {
  if (names.length > 0 || (flags.store ?? io.env.DPCOMPOSE_STORE ?? '') !== '') return;
  const hint = 'Name ledgers, or a store: --store budgets.';
  errors.push({ code: 'missing-option', path: 'FILE', message: 'nothing says which ledgers', hint });
}

/** The store that commands about the ledgers of budgets have to name; null where DPCOMPOSE_STORE names it. */
export const storeToName = (flags: StoreFlags, io: Io): string | null =>
  flags.store ?? ((io.env.DPCOMPOSE_STORE ?? '') === '' ? '.' : null);

/** The name of a ledger; throws where it is empty, or the address of a store, of which nothing is said again, as there may be a password in it. */
function noAddress(name: string): string {
  if (name === '') {
    const path = 'FILE';
    throw new UsageError([{ code: 'bad-name', path, message: 'no ledger has an empty name', hint: 'Name a ledger.' }]);
  }
  if (!name.includes('://')) return name;
  const message = 'this is the address of a store, and not the name of a ledger';
  const hint = 'Give it with --store, without a password in it.';
  throw new UsageError([{ code: 'bad-address', path: 'FILE', message, hint }]);
}

/** A store that is open as long as a command runs; it closes itself (`await using`). */
export interface OpenStore extends AsyncDisposable {
  readonly store: Store;
  /** The ledger of this name in it. */
  readonly named: (name: string) => Named;
}

/**
 * The store of --store, or else of DPCOMPOSE_STORE, or `otherwise`; without that the current folder, in which ledgers are named by
 * their paths. `flag`: what names the store in messages.
 */
export async function openStoreOf(
  flags: StoreFlags,
  io: Io,
  { otherwise = '', flag = '--store' }: { readonly otherwise?: string | undefined; readonly flag?: string } = {},
): Promise<OpenStore> {
  const { DPCOMPOSE_STORE: usual = '' } = io.env;
  const address = flags.store ?? (usual === '' ? otherwise : usual);
  const locks = { assumeLocks: flags.assumeLocks === true };
  const close = (store: Store): Pick<OpenStore, typeof Symbol.asyncDispose> => ({
    [Symbol.asyncDispose]: () => store.close(),
  });
  if (address === '' && flags.store === undefined) {
    const { fileStore } = await import('../../../ledger/file/store.ts');
    const store = fileStore(io.cwd(), locks);
    const named = (name: string): Named => ({ file: noAddress(name), store, path: resolve(io.cwd(), name) });
    return { store, named, ...close(store) };
  }
  const { fileOfLedger, openStore } = await import('../../../ledger/stores/open-store.ts');
  const { store } = succeeded(await openStore(address, io.cwd(), locks), { file: flag });
  const pathOf = (name: string): string | null => {
    const file = fileOfLedger(address, name);
    return file === null ? null : resolve(io.cwd(), file);
  };
  return { store, named: (name) => ({ file: noAddress(name), store, path: pathOf(name) }), ...close(store) };
}
