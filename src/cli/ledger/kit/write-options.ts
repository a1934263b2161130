import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { LaunchOptions } from '../../../ledger/journal/launch.ts';
import { quote } from '../../../document/core/quote.ts';
import { isTime } from '../../../document/core/time-text.ts';
import type { InputError } from '../../../document/core/specification.ts';
import type { Context } from '../../kit/context.ts';
import { withLocksOption } from './store-option.ts';
import { readNumberOption, type NumberRange } from '../../kit/number-option.ts';

/** The options of commands that add to a ledger. */
export interface WriteFlags {
  readonly at?: string;
  readonly wait?: string;
  readonly expect?: string;
  readonly actor?: string;
  readonly key?: string;
}

/** The options of how something is added to a ledger. */
export const withWriteOptions = (command: Command): Command =>
  withLocksOption(command.optionsGroup('How it is recorded:'))
    .option('--at <TIME>', 'the time that is noted, such as 2026-03-02T09:15Z, or none (now)')
    .option('--wait <SECONDS>', 'how long to wait for others who write (10)')
    .option('--actor <NAME>', 'who asks for it, noted with the record')
    .option('--key <TEXT>', 'a name for this request: asked again under it, it is not charged twice')
    .option('--expect <HASH>', 'only if this (or what it begins with) is the hash of the last record');

/** The time to note: as given, or that of the clock in whole seconds; null for none. */
export function readTime(text: string | undefined, { now }: Context, errors: InputError[]): string | null {
  if (text === undefined)
    return now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
  if (text === 'none') return null;
  if (isTime(text)) return text;
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

/** Reads how many seconds are waited for others who write; what is wrong goes to `errors`. */
export const readWait = (text: string | undefined, errors: InputError[]): number =>
  readNumberOption(text, WAIT, errors)?.toNumber() ?? PATIENCE;

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
  const patience = readWait(flags.wait, errors);
  const { actor = null, key = null } = flags;
  if (key?.trim() === '') {
    const hint = 'Give it a name that no other request has: --key 2026-03-visits';
    errors.push({ code: 'missing-option', path: '--key', message: 'nothing names the request', hint });
  }
  return { patience, ...(expect && { expect }), actor, key, at: readTime(flags.at, context, errors) };
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
