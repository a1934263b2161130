import { lacking } from '../../kit/usage-error.ts';
import { randomUUID } from 'node:crypto';
import type { RecordOptions } from '../../../ledger/spend-in.ts';
import { quote } from '../../../document/core/quote.ts';
import { isTime } from '../../../document/core/time-text.ts';
import type { InputError } from '../../../document/core/specification.ts';
import type { Context } from '../../kit/io.ts';
import { inGroup, parsedOption, switchOption, textOption, type Options, type ValuesOf } from '../../kit/option.ts';
import { readNumberOption, type NumberRange } from '../../kit/number-option.ts';
import { LOCKS } from './store-option.ts';

/** Reads the time to note; null for none. */
export function readTime(text: string, errors: InputError[]): string | null {
  if (text === 'none') return null;
  if (isTime(text)) return text;
  const message = `must be a date, or a date and time with its zone, got ${quote(text)}`;
  errors.push({ code: 'malformed-time', path: '--at', message, hint: 'For example: --at 2026-03-02T09:15Z' });
  return null;
}

/** The time to note: as given, or that of the clock in whole seconds; null for none. */
export const timeOf = (at: string | null | undefined, { now }: Pick<Context, 'now'>): string | null =>
  at === undefined
    ? now()
        .toISOString()
        .replace(/\.\d+Z$/, 'Z')
    : at;

/** Seconds to wait for others who write. */
export const PATIENCE = 10;

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

/** An option that takes a hash, or what it begins with. */
export const hashOption = (name: string, about: string) =>
  parsedOption(`${name} <HASH>`, about, (text, errors) => {
    if (HASH.test(text)) return text;
    const message = `must be 8 to 64 hexadecimal digits, got ${quote(text)}`;
    errors.push({ code: 'malformed-hash', path: name, message, hint: '"ledger status" prints it as hash.' });
    return undefined;
  });

function readKey(text: string, errors: InputError[]): string {
  if (text.trim() === '') {
    const hint = 'Give each request its own key: --key 2026-03-visits';
    errors.push(lacking('--key', 'the key must not be empty', hint));
  }
  return text;
}

/** The time that is noted. */
export const AT = {
  at: parsedOption('--at <TIME>', 'time of the record, such as 2026-03-02T09:15Z, or none (default: now)', readTime),
};

/** How something is noted in a ledger. */
export const NOTE = {
  ...AT,
  wait: parsedOption('--wait <SECONDS>', 'seconds to wait for other writers (default: 10)', readWait),
  actor: textOption('--actor <NAME>', 'who requests it, stored in the record'),
  acceptClock: switchOption('--accept-clock', 'accept a clock more than a day behind the ledger'),
};

/** The options of how something is added to a ledger. */
export const RECORD = inGroup('Recording:', {
  ...LOCKS,
  ...NOTE,
  key: parsedOption('--key <TEXT>', 'name of this request: a retry with it is charged once', readKey),
  expect: hashOption('--expect', 'proceed only if the last record has this hash (or prefix)'),
});

type NoteOptions = Pick<RecordOptions, 'patience' | 'acceptClock'> & {
  readonly actor: string | null;
  readonly at: string | null;
};

/** A command line with these options. */
interface Typed<O extends Options> {
  readonly flags: ValuesOf<O>;
  readonly context: Context;
}

/** How something is noted. */
export const noteOptions = ({ flags, context }: Typed<typeof NOTE>): NoteOptions => ({
  patience: flags.wait ?? PATIENCE,
  actor: flags.actor ?? null,
  at: timeOf(flags.at, context),
  // Who says what time is noted does not rely on the clock.
  acceptClock: flags.acceptClock || flags.at !== undefined,
});

/** How something is recorded. */
export const recordOptions = ({ flags, context }: Typed<typeof RECORD>): RecordOptions => ({
  ...noteOptions({ flags, context }),
  ...(flags.expect !== undefined && { expect: flags.expect }),
  key: flags.key ?? null,
});

const LONGEST_ID = 200;

/** An option that names a new ledger; `more` for several. */
export const idOption = (more = '') =>
  parsedOption('--id <TEXT>', `unique id of the ledger (default: random)${more}`, (text, errors) => {
    if (text.trim() !== '' && text.length <= LONGEST_ID) return text;
    const message = `must be 1 to ${LONGEST_ID} characters, got ${quote(text)}`;
    errors.push({ code: 'malformed-id', path: '--id', message, hint: 'Omit it for a random one.' });
    return '';
  });

/** The name of a new ledger, by default one that no other has. */
export const idOf = (id: string | undefined): string => id ?? randomUUID();
