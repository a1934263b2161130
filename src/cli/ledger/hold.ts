import { Command } from 'commander';
import { at } from '../../ledger/core/held.ts';
import { holdOf } from '../../ledger/reserve.ts';
import type { HoldAnswer, HoldRequest } from '../../ledger/journal/hold.ts';
import { type LaunchOptions, isAnswer } from '../../ledger/journal/launch.ts';
import { holdJson, holdText } from '../../report/ledger/hold.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { specArgument } from '../kit/document-options.ts';
import { EXIT } from '../kit/exit.ts';
import type { Destination } from '../kit/io.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { tellAnswer, tellLedgerRefusal, tellDenied } from './answer.ts';
import {
  deliver,
  recordedText,
  type Written,
  openBeside,
  succeeded,
  tellSettled,
  type Named,
} from './kit/named-ledger.ts';
import {
  readEvidence,
  withEvidence,
  type EvidenceFlags,
  checkNeighbours,
  mayNotFit,
  readMechanisms,
  withDocument,
  type MechanismFlags,
} from './kit/mechanisms.ts';
import { withPrintOptions, openStoreOf, type StoreFlags } from './kit/store-option.ts';
import { readWriteOptions, withWriteOptions, type WriteFlags } from './kit/write-options.ts';
import { quote } from '../../document/core/quote.ts';
import type { StoreTime } from '../../ledger/core/hold.ts';
import { momentOf } from '../../document/core/time-text.ts';

/** Reads a time that is compared with the clock of the store; null where none is given. What is wrong goes to `errors`. */
export function readMoment(flag: string, text: string | undefined, errors: InputError[]): StoreTime | null {
  if (text === undefined) return null;
  const moment = momentOf(text);
  if (moment !== null) return moment;
  const message = `must be a date, or a date and time with its zone, got ${quote(text)}`;
  errors.push({ code: 'malformed-time', path: flag, message, hint: `For example: ${flag} 2026-03-02T09:15Z` });
  return null;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const LONGEST_DAYS = 366;

/** Reads how long something lasts, in milliseconds; null where nothing is given. What is wrong goes to `errors`. */
export function readDuration(flag: string, text: string | undefined, errors: InputError[]): number | null {
  if (text === undefined) return null;
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNITS[unit] ?? 0);
  if (seconds > 0 && seconds <= LONGEST_DAYS * 86_400) return 1000 * seconds;
  const message = `must be a whole number with s, m, h or d, at most ${LONGEST_DAYS}d, got ${quote(text)}`;
  errors.push({ code: 'malformed-time', path: flag, message, hint: `For example: ${flag} 15m` });
  return null;
}

type HoldFlags = WriteFlags & PrintFlags & StoreFlags & { readonly label?: string };
type ReserveFlags = MechanismFlags &
  EvidenceFlags &
  HoldFlags & { readonly expiresIn?: string; readonly until?: string };

const RESERVE = `
A reservation takes a part of the budget away from others, and authorises
nothing: run nothing before "ledger commit" has ended with 0. What was not
committed when it expires is given back, and can never be committed. Times are
those of the clock of the store.

Examples:
  dpcompose ledger reserve budget.jsonl -m dp:epsilon=0.1 --expires-in 15m
  dpcompose ledger reserve budget.jsonl job.json --until 2026-03-02T18:00Z`;

const HOUR = 3_600_000;

/** `dpcompose ledger reserve`: holds a part of the budget. */
export function reserveCommand(context: Context): Command {
  const command = new Command('reserve')
    .summary('reserve a part of the budget for a while: this authorises nothing')
    .description('Reserves a part of the budget for mechanisms that may be launched later. It authorises nothing.')
    .argument('<FILE>', 'the ledger')
    .addArgument(specArgument())
    .optionsGroup('What is reserved:');
  withEvidence(withDocument(command, 'a mechanism (repeatable)').option('--label <TEXT>', 'what it is for'))
    .option('--expires-in <TIME>', 'how long, such as 15m, 2h or 1d (1h)')
    .option('--until <TIME>', 'when it expires, such as 2026-03-02T18:00Z');
  return withPrintOptions(withWriteOptions(command))
    .addHelpText('after', RESERVE)
    .action(async (file: string, source: string | undefined, flags: ReserveFlags) => {
      context.ends(await reserve(file, source, flags, context));
    });
}

/** Asks a ledger about a hold. */
async function ask(
  { store, file }: Named,
  request: HoldRequest,
  options: LaunchOptions,
  { flags, context: { io } }: { readonly flags: HoldFlags; readonly context: Context },
): Promise<{
  readonly answer: HoldAnswer;
  readonly written: Written | null;
  readonly settled: 'none' | 'finished' | 'removed';
}> {
  const { holdIn } = await import('../../ledger/journal/hold.ts');
  const { value, records, settled } = succeeded(await holdIn(store, [file], request, options), { file });
  await tellSettled(settled, { file }, flags, io);
  const [answer] = value;
  if (answer === undefined) throw new Error('One ledger was asked, and none has answered.');
  const record = answer.again ?? records[0];
  return { answer, written: record == null ? null : { number: Number(record.fields.seq), hash: record.hash }, settled };
}

/** Whether what was held before, under the same key, still is. */
const isOpenHold = ({ before, held }: HoldAnswer, now: Date): boolean =>
  held !== null && holdOf(at(before.state, now.toISOString()), held.hold) !== null;

/** Delivers what came of a reservation, or of giving it back, and returns the exit code. */
async function tellHold(
  command: 'reserve' | 'release',
  { file, hold, answer, written }: { file: string; hold: string; answer: HoldAnswer; written: Written | null },
  put: Destination | null,
  { flags, context }: { readonly flags: HoldFlags; readonly context: Context },
): Promise<number> {
  const { before, decision, held } = answer;
  if (decision.kind === 'refused' && !isAnswer(decision)) {
    return await tellLedgerRefusal(decision.refusal, flags, context, { file });
  }
  const accepted = decision.kind === 'accepted';
  const isOver = command === 'reserve' && accepted && answer.again !== undefined && !isOpenHold(answer, context.now());
  const until = accepted && !isOver && held?.event === 'hold' ? held.until : null;
  const name = held?.hold ?? hold;
  const report = { command, file, hold: name, until, isOver, before, decision, record: written };
  const text = flags.json === true ? holdJson(report, context.version) : holdText(report);
  await deliver(put, text, written && recordedText(written));
  return accepted && !isOver ? EXIT.done : EXIT.no;
}

async function reserve(
  file: string,
  source: string | undefined,
  flags: ReserveFlags,
  context: Context,
): Promise<number> {
  const { io } = context;
  const errors: InputError[] = [];
  const options = readWriteOptions(flags, context, errors);
  const [duration, until] = [
    readDuration('--expires-in', flags.expiresIn, errors),
    readMoment('--until', flags.until, errors),
  ];
  if (duration !== null && until !== null) {
    const hint = 'Leave one of them out.';
    errors.push({ code: 'conflicting-options', path: '--expires-in', message: 'stands beside --until', hint });
  }
  const evidence = await readEvidence(flags, errors, io);
  const requested = await readMechanisms(source, flags, errors, 'ledger spend', io);
  if (typeof requested === 'number') return requested;
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const put = await openBeside([ledger], flags, io);
  const [{ newHold }, { readPresent }] = await Promise.all([
    import('../../ledger/journal/hold.ts'),
    import('../../ledger/journal/present.ts'),
  ]);
  if (mayNotFit(requested)) {
    const { terms } = succeeded(await readPresent(ledger.store, file), ledger).header;
    checkNeighbours(requested, terms.neighbours);
    const refused = await tellDenied(requested, [{ terms, file }], flags, context);
    if (refused !== null) return refused;
  }
  const { entries } = requested;
  const hold = newHold();
  const request = {
    event: 'hold' as const,
    hold,
    until: until ?? duration ?? HOUR,
    entries,
    evidence,
  };
  const here = { flags, context };
  const { answer, written } = await ask(ledger, request, options, here);
  return await tellHold('reserve', { file, hold, answer, written }, put, here);
}

/** `dpcompose ledger commit`: launches what is held. */
export function commitCommand(context: Context): Command {
  const command = new Command('commit')
    .summary('launch what is reserved: this authorises')
    .description('Launches what is reserved under a name. This authorises: run it after exit code 0, and only then.')
    .argument('<FILE>', 'the ledger')
    .argument('<RESERVATION>', 'the name that "ledger reserve" gave it');
  return withPrintOptions(withWriteOptions(command))
    .addHelpText(
      'after',
      `
What has expired cannot be committed. The key of a retry (--key) is one of its
own: asked again under it, nothing is launched twice.

Example:
  dpcompose ledger commit budget.jsonl 5f0c3a9be117`,
    )
    .action(async (file: string, hold: string, flags: HoldFlags) => {
      context.ends(await commit(file, hold, flags, context));
    });
}

async function commit(file: string, hold: string, flags: HoldFlags, context: Context): Promise<number> {
  const { io } = context;
  const errors: InputError[] = [];
  const options = readWriteOptions(flags, context, errors);
  if (errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const put = await openBeside([ledger], flags, io);
  const here = { flags, context };
  const { answer, written, settled } = await ask(ledger, { event: 'commit', hold }, options, here);
  const { before, decision, held, again } = answer;
  const asked =
    held?.event === 'commit'
      ? { entries: held.entries, evidence: held.evidence ?? null }
      : { entries: [], evidence: null };
  const known = { command: 'commit' as const, file, asked, before, decision, settled, again: again !== undefined };
  return await tellAnswer({ ...known, record: written }, put, flags, context);
}

/** `dpcompose ledger release`: gives back what is held. */
export function releaseCommand(context: Context): Command {
  const command = new Command('release')
    .summary('give back what is reserved')
    .description('Gives back what is reserved under a name, and was not committed.')
    .argument('<FILE>', 'the ledger')
    .argument('<RESERVATION>', 'the name that "ledger reserve" gave it')
    .optionsGroup('What it is:')
    .option('--label <TEXT>', 'why, for people to read');
  return withPrintOptions(withWriteOptions(command))
    .addHelpText(
      'after',
      `
This takes for granted that nothing ran on the reservation, which authorises
nothing. What was committed is never given back.

Example:
  dpcompose ledger release budget.jsonl 5f0c3a9be117`,
    )
    .action(async (file: string, hold: string, flags: HoldFlags) => {
      context.ends(await release(file, hold, flags, context));
    });
}

async function release(file: string, hold: string, flags: HoldFlags, context: Context): Promise<number> {
  const { io } = context;
  const errors: InputError[] = [];
  const options = readWriteOptions(flags, context, errors);
  if (errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const put = await openBeside([ledger], flags, io);
  const here = { flags, context };
  const request = { event: 'release' as const, hold, label: flags.label ?? null };
  const { answer, written } = await ask(ledger, request, options, here);
  return await tellHold('release', { file, hold, answer, written }, put, here);
}
