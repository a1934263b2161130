import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { AppendOptions } from '../../ledger/file/append.ts';
import type { Rest } from '../../ledger/file/ends.ts';
import type { Failed } from '../../ledger/file/fault.ts';
import type { LaunchOptions } from '../../ledger/file/launch.ts';
import { UNENDED } from '../../report/ledger/unended.ts';
import { grouped, printable } from '../../report/kit/prose.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { styleFor } from '../kit/color.ts';
import type { Context } from '../kit/context.ts';
import { openDestination } from '../kit/destination.ts';
import { tell, type Destination, type Io } from '../kit/io.ts';
import { readNumberOption, type NumberRange } from '../kit/number-option.ts';
import { readFormat } from '../kit/format.ts';
import { printOptions } from '../kit/print-options.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { faultFailure } from './failure.ts';

/** The options of commands that add to a ledger. */
export interface WriteFlags {
  readonly at?: string;
  readonly wait?: string;
  readonly expect?: string;
}

const FORMATS = ['text', 'json'] as const;

/** The options of what is printed, where that is text or JSON; --format json stands for --json. */
export function withPrintOptions(command: Command): Command {
  return printOptions(command, FORMATS).hook('preAction', () => {
    const errors: InputError[] = [];
    const format = readFormat(command.opts<PrintFlags>(), FORMATS, errors);
    if (errors.length > 0) throw new UsageError(errors);
    if (format === 'json') command.setOptionValue('json', true);
  });
}

/** The options of how something is added to a ledger. */
export const withWriteOptions = (command: Command): Command =>
  command
    .optionsGroup('How it is recorded:')
    .option('--at <TIME>', 'the time that is noted, such as 2026-03-02T09:15Z, or none (now)')
    .option('--wait <SECONDS>', 'how long to wait for others who write (10)')
    .option('--expect <HASH>', 'only if this (or what it begins with) is the hash of the last record');

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** The time to note: as given, or that of the clock in whole seconds; null for none. */
export function readTime(text: string | undefined, { now }: Context, errors: InputError[]): string | null {
  if (text === undefined)
    return now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
  if (text === 'none') return null;
  if (TIME.test(text) && !Number.isNaN(Date.parse(text))) return text;
  const message = `must be a date, or a date and time with its zone, got ${quote(text)}`;
  errors.push({ code: 'malformed-time', path: '--at', message, hint: 'For example: --at 2026-03-02T09:15Z' });
  return null;
}

/** Seconds to wait for others who write. */
const PATIENCE = 10;

const WAIT: NumberRange = {
  flag: '--wait',
  allowed: 'a number of seconds from 0 to 86400',
  example: '30',
  contains: (value) => value.gte(0) && value.lte(86_400),
};

const HASH = /^[0-9a-f]{8,64}$/;

/** Reads a hash or what it begins with; what is wrong goes to `errors`. */
export function readHash(flag: string, text: string | undefined, errors: InputError[]): string | undefined {
  if (text === undefined || HASH.test(text)) return text;
  const message = `must be 8 to 64 hexadecimal digits, got ${quote(text)}`;
  errors.push({ code: 'malformed-hash', path: flag, message, hint: 'It is what "ledger status" shows as hash.' });
  return undefined;
}

/** Reads how something is recorded; what is wrong goes to `errors`. */
export function readWriteOptions(flags: WriteFlags, context: Context, errors: InputError[]): LaunchOptions {
  const expect = readHash('--expect', flags.expect, errors);
  const patience = readNumberOption(flags.wait, WAIT, errors)?.toNumber() ?? PATIENCE;
  const options: AppendOptions = { patience, ...(expect && { expect }) };
  return { ...options, at: readTime(flags.at, context, errors) };
}

const LONGEST_ID = 200;

/** Reads --id, or makes an id that no other ledger has; what is wrong goes to `errors`. */
export function readId(text: string | undefined, errors: InputError[]): string {
  if (text === undefined) return randomUUID();
  if (text.trim() !== '' && text.length <= LONGEST_ID) return text;
  const message = `must be 1 to ${LONGEST_ID} characters, got ${quote(text)}`;
  errors.push({ code: 'malformed-id', path: '--id', message, hint: 'Leave it out for a random one.' });
  return '';
}

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
