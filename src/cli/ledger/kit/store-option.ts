import { type Failed, type Fault, type FaultCode, Interrupted } from '../../../ledger/fault.ts';
import type { Settled, Store, Listed } from '../../../ledger/store.ts';
import { clockFault } from '../../../ledger/prepare.ts';
import { printable } from '../../../output/kit/prose.ts';
import { openDestination, styleFor } from '../../kit/destination.ts';
import { noteInput } from '../../kit/source.ts';
import { writeStderr, type Destination, type Io } from '../../kit/io.ts';
import type { PrintFlags } from '../../kit/shared-options.ts';
import { faultExit, faultMessage } from '../../../output/ledger/faults.ts';
import type { InputError } from '../../../document/core/specification.ts';
import { UsageError, lacking } from '../../kit/usage-error.ts';
import type { SpendResult } from '../../../ledger/spend-in.ts';
import type { Sealed } from '../../../ledger/line.ts';
import type { LedgerDecision } from '../../../output/ledger/decisions.ts';
import { resolve } from 'node:path';
import { Argument } from 'commander';
import { inGroup, switchOption, textOption } from '../../kit/option.ts';

/** A record that was written, before its writer could say so. */
export interface RecordReference {
  readonly number: number;
  readonly hash: string;
}

/** `it WAS recorded, as record 5, hash 3fa9...` */
export const recordedText = ({ number, hash }: RecordReference, what = 'it'): string =>
  `${what} WAS recorded, as record ${number}, hash ${hash}.`;

/** The number and the hash of a record; null where nothing was recorded. */
export const recordReference = (record: Sealed | null | undefined): RecordReference | null =>
  record == null ? null : { number: Number(record.fields.seq), hash: record.hash };

/** Standard input in the place of a ledger. */
const PIPED = { message: 'a ledger cannot be read from a pipe', hint: 'Name its file.' };

/** A fault in the form of all errors, with its place in the file. */
export function faultError(fault: Fault, file: string): InputError<FaultCode> {
  const message = file === '-' && fault.code === 'no-such-file' ? PIPED : faultMessage(fault);
  if (!('line' in fault)) return { code: fault.code, path: file, ...message };
  const { line, record } = fault;
  return { code: fault.code, path: record === 0 ? 'the header' : `record ${record}`, ...message, line, column: 1 };
}

/** The error that ends a command because of a fault of a file. */
export const ledgerError = (fault: Fault, file: string): UsageError =>
  new UsageError([faultError(fault, file)], { source: file, exit: faultExit(fault.code) });

/** A ledger as it was named, and where it is. */
export interface Named {
  /** As it is called in messages: as it was typed. */
  readonly file: string;
  readonly store: Store;
  /** The file that it is in, where it is in one. */
  readonly path: string | null;
}

/** Where the result goes, ready to be written; null for nowhere. It never goes into a ledger. */
export async function openDestinationBeside(
  ledgers: readonly Named[],
  flags: PrintFlags,
  io: Io,
): Promise<Destination | null> {
  for (const { path } of ledgers) if (path !== null) noteInput(path, io);
  return await openDestination(flags, io);
}

/** Ledgers of a store by their names, each with its two ends. */
export async function* namedLedgers(store: Store, files: readonly string[]): AsyncGenerator<Listed> {
  for (const name of files) yield { name, ends: orThrow(await store.ends(name), { file: name }) };
}

/** The result of reading or writing ledgers; throws where that failed, with the name of the one at fault. */
export function orThrow<T extends { readonly kind: string }>(result: T | Failed, { file }: Pick<Named, 'file'>): T {
  if (isFailed(result)) throw ledgerError(result.fault, result.ledger ?? file);
  return result;
}

const isFailed = (result: { readonly kind: string }): result is Failed => result.kind === 'failed';

const SETTLED: Readonly<Record<Exclude<Settled, 'none'>, string>> = {
  finished: 'ended with a record that its writer had not completed; it counts, and was completed.',
  removed: 'ended with a record of an incomplete transaction; it does not count, and was removed.',
};

/** Says what was done about what an earlier writer had left behind. */
export async function noteSettled(
  settled: Settled,
  { file }: Pick<Named, 'file'>,
  flags: PrintFlags,
  io: Io,
): Promise<void> {
  if (settled === 'none' || flags.quiet === true) return;
  const style = await styleFor({ flag: flags.color, env: io.env, output: io.stderr });
  await writeStderr(io, `${style.warning('note:')} ${printable(`${file} ${SETTLED[settled]}`)}\n`);
}

/** Warns of a record that is dated so far ahead of the clock that later commands are refused. */
export async function noteAhead(at: string | null | undefined, now: Date, flags: PrintFlags, io: Io): Promise<void> {
  if (at == null || flags.quiet === true || clockFault([[at, null]], now.toISOString()) === null) return;
  const style = await styleFor({ flag: flags.color, env: io.env, output: io.stderr });
  const text = `The record is dated ${at}, more than a day ahead of the clock. Later commands without --at will be refused (clock-behind).`;
  await writeStderr(io, `${style.warning('warning:')} ${text}\n`);
}

/** Every ledger of a store, one after the other; throws what ends the command where the list breaks off. */
export async function* listedLedgers(store: Store): AsyncGenerator<Listed> {
  const batches = await store.list();
  if ('kind' in batches) orThrow(batches, { file: store.address });
  else {
    try {
      for await (const batch of batches) yield* batch;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      throw ledgerError(error.failed.fault, error.failed.ledger ?? store.address);
    }
  }
}

/** The answer of a ledger to a request that was made, with the record that says so. */
export function ledgerDecision(
  file: string,
  { before, decision, again }: SpendResult,
  record: Sealed | null | undefined,
): LedgerDecision {
  return { file, before, decision, record: recordReference(again ?? record), again: again !== undefined };
}

/** The options that say where ledgers are kept. */
export interface StoreFlags {
  readonly store?: string | undefined;
  readonly assumeLocks?: boolean | undefined;
}

/** An option that names where ledgers are kept. */
export const storeOption = (flags: string, about: string) =>
  textOption(
    flags,
    `${about}: a folder, sqlite:FILE or postgres://... (default: DPCOMPOSE_STORE, or the current folder)`,
  );

/** The option --store. */
export const WHERE = inGroup('Location:', { store: storeOption('--store <ADDRESS>', 'location of the ledgers') });

/** The option --assume-locks, of commands that write. */
export const LOCKS = {
  assumeLocks: switchOption('--assume-locks', 'write to a file system whose locks other machines may not see'),
};

/** The operands of a command that is about one ledger. */
export const LEDGER = new Argument('<FILE>', 'the ledger');

/** The operands of a command that is about several ledgers, or all. */
export const LEDGERS = new Argument('[FILE...]', 'ledgers (default: all ledgers of --store or DPCOMPOSE_STORE)');

/** Without names, all ledgers of a store are meant, which must be named then. */
export function requireLedgers(names: readonly string[], flags: StoreFlags, io: Io, errors: InputError[]): void {
  if (names.length > 0 || (flags.store ?? io.env.DPCOMPOSE_STORE ?? '') !== '') return;
  errors.push(lacking('FILE', 'no ledger is named', 'Name ledgers, or a store: --store budgets.'));
}

/** The store that commands about the ledgers of budgets have to name; null where DPCOMPOSE_STORE names it. */
export const storeHint = (flags: StoreFlags, io: Io): string | null =>
  flags.store ?? ((io.env.DPCOMPOSE_STORE ?? '') === '' ? '.' : null);

/** The name of a ledger; throws where it is empty, or the address of a store, of which nothing is said again, as there may be a password in it. */
function noAddress(name: string): string {
  if (name === '') {
    const path = 'FILE';
    throw new UsageError([
      { code: 'bad-name', path, message: 'the name of a ledger must not be empty', hint: 'Name a ledger.' },
    ]);
  }
  if (!name.includes('://')) return name;
  const message = 'the address of a store, not the name of a ledger';
  const hint = 'Give it with --store, without a password.';
  throw new UsageError([{ code: 'bad-address', path: 'FILE', message, hint }]);
}

/** A store that is open as long as a command runs; it closes itself (`await using`). */
export interface OpenStore extends AsyncDisposable {
  readonly store: Store;
  /** The ledger of this name in it. */
  readonly ledgerNamed: (name: string) => Named;
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
    const { fileStore } = await import('../../../ledger/stores/file/store.ts');
    const store = fileStore(io.cwd(), locks);
    const ledgerNamed = (name: string): Named => ({ file: noAddress(name), store, path: resolve(io.cwd(), name) });
    return { store, ledgerNamed, ...close(store) };
  }
  const { fileOfLedger, openStore } = await import('../../../ledger/stores/open-store.ts');
  const { store } = orThrow(await openStore(address, io.cwd(), locks), { file: flag });
  const pathOf = (name: string): string | null => {
    const file = fileOfLedger(address, name);
    return file === null ? null : resolve(io.cwd(), file);
  };
  return { store, ledgerNamed: (name) => ({ file: noAddress(name), store, path: pathOf(name) }), ...close(store) };
}
