import { fstatSync, statSync, type BigIntStats } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { quote } from '../../document/core/quote.ts';
import type { Io } from './io.ts';
import { UsageError, conflict } from './usage-error.ts';

/** An input or an output of a command, as it was named; `flag` is the option of an output. */
interface Use {
  readonly file: string;
  readonly flag: string | null;
}

/** What the command that runs reads and writes, by the files themselves. */
const USES = new WeakMap<Io, Map<string, Use>>();

const idOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** Tells a file from all others, whatever it is called; of one that is not there, its folder and its name in any case. */
function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found !== undefined) return found.isFile() || found.isDirectory() ? idOf(found) : null;
  return `${identityOf(dirname(path)) ?? ''}/${basename(path).normalize().toLowerCase()}`;
}

/** The identity of a file, or of the one that a standard stream goes to or comes from; null where it is none. */
function identityIn(file: string, flag: string | null, io: Io): string | null {
  try {
    if (file !== '-') return identityOf(resolve(io.cwd(), file));
    const { fd } = flag === null ? io.stdin : io.stdout;
    const found = fd === undefined ? null : fstatSync(fd, { bigint: true });
    return found?.isFile() === true ? idOf(found) : null;
  } catch {
    return null;
  }
}

function note(use: Use, io: Io): void {
  const identity = identityIn(use.file, use.flag, io);
  if (identity === null) return;
  const uses = USES.get(io) ?? new Map<string, Use>();
  USES.set(io, uses);
  const other = uses.get(identity);
  const output = use.flag === null ? other : use;
  if (other === undefined || output?.flag == null) {
    uses.set(identity, use);
    return;
  }
  const name = output.file === '-' ? 'this' : quote(output.file);
  const message =
    use.flag !== null && other.flag !== null
      ? `${name} would be written twice`
      : `${name} is a file that this command reads, which the result would overwrite`;
  throw new UsageError([conflict(output.flag, message, 'Name another file.')]);
}

/** Forgets what an earlier command read and wrote. */
export const forgetFiles = (io: Io): boolean => USES.delete(io);

/** Notes a file that is read, `-` for standard input; throws where it is one that is written. */
export function noteInput(file: string, io: Io): void {
  note({ file, flag: null }, io);
}

/** Notes the file of an option that is written, `-` for standard output; throws where it is read, or written twice. */
export function noteOutput(file: string, flag: string, io: Io): void {
  note({ file, flag }, io);
}
