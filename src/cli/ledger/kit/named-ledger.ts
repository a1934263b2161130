import type { Failed } from '../../../ledger/records/fault.ts';
import type { Settled, Store } from '../../../ledger/journal/store.ts';
import { printable } from '../../../report/kit/prose.ts';
import { styleFor } from '../../kit/color.ts';
import { openDestination } from '../../kit/destination.ts';
import { noteInput } from '../../kit/run-files.ts';
import { tell, type Destination, type Io } from '../../kit/io.ts';
import type { PrintFlags } from '../../kit/shared-options.ts';
import { faultFailure } from './failure.ts';

/** A ledger as it was named, and where it is. */
export interface Named {
  /** As it is called in messages: as it was typed. */
  readonly file: string;
  readonly store: Store;
  /** The file that it is in, where it is in one. */
  readonly path: string | null;
}

/** Notes that a command is about these ledgers: nothing else is written into their files. */
export function noteLedgers(ledgers: readonly Named[], io: Io): void {
  for (const { path } of ledgers) if (path !== null) noteInput(path, io);
}

/** Where the result goes, ready to be written; null for nowhere. It never goes into a ledger. */
export async function openBeside(ledgers: readonly Named[], flags: PrintFlags, io: Io): Promise<Destination | null> {
  noteLedgers(ledgers, io);
  return await openDestination(flags, io);
}

/** The result of reading or writing ledgers; throws where that failed, with the name of the one at fault. */
export function succeeded<T extends { readonly kind: string }>(result: T | Failed, { file }: Pick<Named, 'file'>): T {
  if (isFailed(result)) throw faultFailure(result.fault, result.ledger ?? file);
  return result;
}

const isFailed = (result: { readonly kind: string }): result is Failed => result.kind === 'failed';

const SETTLED: Readonly<Record<Exclude<Settled, 'none'>, string>> = {
  finished: 'ended in a record that its writer had not finished; it counts, and was finished.',
  removed: 'ended in a record of a transaction that was never completed; it does not count, and was removed.',
};

/** Says what was done about what an earlier writer had left behind. */
export async function tellSettled(
  settled: Settled,
  { file }: Pick<Named, 'file'>,
  flags: PrintFlags,
  io: Io,
): Promise<void> {
  if (settled === 'none' || flags.quiet === true) return;
  const style = await styleFor({ flag: flags.color, env: io.env, output: io.stderr });
  await tell(io, `${style.warning('note:')} ${printable(`${file} ${SETTLED[settled]}`)}\n`);
}
