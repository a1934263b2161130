import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Rest } from '../../ledger/file/ends.ts';
import type { Failed } from '../../ledger/file/fault.ts';
import { UNENDED } from '../../report/ledger/unended.ts';
import { grouped, printable } from '../../report/kit/prose.ts';
import { styleFor } from '../kit/color.ts';
import { openDestination } from '../kit/destination.ts';
import { tell, type Destination, type Io } from '../kit/io.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { faultFailure } from './failure.ts';

/** A ledger file as it was named, and where it is. */
export interface Named {
  readonly file: string;
  readonly path: string;
}

export const named = (file: string, io: Io): Named => ({ file, path: resolve(io.cwd(), file) });

/** Whether two names are of one file. */
function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    const [one, other] = [a, b].map((path) => statSync(path, { bigint: true }));
    return one?.ino === other?.ino && one?.dev === other?.dev;
  } catch {
    return false;
  }
}

/** Where the result goes, ready to be written; null for nowhere. It never goes into a ledger. */
export async function openBeside(ledgers: readonly Named[], flags: PrintFlags, io: Io): Promise<Destination | null> {
  const { output } = flags;
  const target = output === undefined || output === '-' ? null : resolve(io.cwd(), output);
  if (target !== null && ledgers.some(({ path }) => isSame(path, target))) {
    const message = 'this is the ledger itself, which the result would overwrite';
    throw new UsageError([{ code: 'conflicting-options', path: '--output', message, hint: 'Name another file.' }]);
  }
  return await openDestination(flags, io);
}

/** The result of reading or writing a ledger; throws where that failed. */
export function succeeded<T extends { readonly kind: string }>(result: T | Failed, { file }: Named): T {
  if (isFailed(result)) throw faultFailure(result.fault, file);
  return result;
}

const isFailed = (result: { readonly kind: string }): result is Failed => result.kind === 'failed';

/** Says what an earlier writer had left behind. */
export async function tellRecovery(rest: Rest, { file }: Named, flags: PrintFlags, io: Io): Promise<void> {
  if (rest.kind === 'none' || flags.quiet === true) return;
  const style = await styleFor({ flag: flags.color, env: io.env, output: io.stderr });
  const text =
    rest.kind === 'torn'
      ? `${file} ended in a record without its end (${grouped(rest.bytes)} bytes), which does not count; it was removed. Either ${UNENDED}`
      : `${file} ended in a record without a newline; it counts, and the newline was added.`;
  await tell(io, `${style.warning('note:')} ${printable(text)}\n`);
}
