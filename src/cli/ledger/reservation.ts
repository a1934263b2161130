import { Argument } from 'commander';
import { at } from '../../ledger/state.ts';
import type { StoreTime } from '../../ledger/rules/terms.ts';
import { reservationOf } from '../../ledger/decide.ts';
import type { ReservationResult, ReservationRequest } from '../../ledger/reservation.ts';
import { type RecordOptions, isAnswer } from '../../ledger/spend-in.ts';
import { reservationOutput } from '../../output/ledger/reservation.ts';
import type { InputError } from '../../document/core/specification.ts';
import { specArgument } from '../kit/shared-options.ts';
import { EXIT } from '../kit/io.ts';
import { inGroup, parsedOption, textOption, switchOption } from '../kit/option.ts';
import { decisionResult, ledgerRefusal, requireFitting } from './answer.ts';
import { ledgerCommand, type Run, type CommandResult } from './kit/ledger-command.ts';
import { readRequest, REQUESTED } from './kit/mechanisms.ts';
import {
  ledgerError,
  recordedText,
  recordReference,
  type Named,
  type RecordReference,
  LEDGER,
  WHERE,
} from './kit/store-option.ts';
import { RECORD, recordOptions } from './kit/write-options.ts';
import { quote } from '../../document/core/quote.ts';
import { momentOf } from '../../document/core/time-text.ts';
import { incurredOutput } from '../../output/ledger/incurred.ts';
import { conflict, lacking } from '../kit/usage-error.ts';

/** Reads a time that is compared with the clock of the store; null where it is wrong, which goes to `errors`. */
function readMoment(text: string, errors: InputError[]): StoreTime | null {
  const moment = momentOf(text);
  if (moment !== null) return moment;
  const message = `must be a date, or a date and time with its zone, got ${quote(text)}`;
  errors.push({ code: 'malformed-time', path: '--until', message, hint: 'For example: --until 2026-03-02T09:15Z' });
  return null;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const LONGEST_DAYS = 366;

/** Reads how long something lasts, in milliseconds; null where it is wrong, which goes to `errors`. */
function readDuration(text: string, errors: InputError[]): number | null {
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNITS[unit] ?? 0);
  if (seconds > 0 && seconds <= LONGEST_DAYS * 86_400) return 1000 * seconds;
  const message = `must be a whole number with s, m, h or d, at most ${LONGEST_DAYS}d, got ${quote(text)}`;
  errors.push({ code: 'malformed-time', path: '--expires-in', message, hint: 'For example: --expires-in 15m' });
  return null;
}

/** What came of a request about a reservation. */
interface Held {
  readonly answer: ReservationResult;
  readonly reference: RecordReference | null;
  readonly settled: 'none' | 'finished' | 'removed';
}

/** An answer that no reservation of this name is open, with what became of it. */
async function explained(
  answer: ReservationResult,
  { store, file }: Pick<Named, 'store' | 'file'>,
): Promise<ReservationResult> {
  const { decision } = answer;
  if (decision.kind !== 'refused' || decision.refusal.code !== 'no-such-hold') return answer;
  const { pastReservation } = await import('../../ledger/past-reservation.ts');
  const past = await pastReservation(store, file, decision.refusal.hold);
  return past === null ? answer : { ...answer, decision: { ...decision, refusal: { ...decision.refusal, past } } };
}

/** Asks a ledger about a reservation. */
async function ask(
  { store, file }: Named,
  request: ReservationRequest,
  options: RecordOptions,
  run: Pick<Run, 'settled'>,
): Promise<Held> {
  const { reservationIn } = await import('../../ledger/reservation.ts');
  const { value, records, settled } = await run.settled(await reservationIn(store, [file], request, options), { file });
  const [answer] = value;
  if (answer === undefined) throw new Error('One ledger was asked, and none has answered.');
  return {
    answer: await explained(answer, { store, file }),
    reference: recordReference(answer.again ?? records[0]),
    settled,
  };
}

/** Whether what was held before, under the same key, still is. */
const isOpenHold = ({ before, event }: ReservationResult, now: Date): boolean =>
  event !== null && reservationOf(at(before.state, now.toISOString()), event.hold) !== null;

/** Says what came of a reservation, or of giving it back. */
function heldAnswer(
  command: 'reserve' | 'release',
  { hold, ...typed }: { readonly file: string; readonly hold: string; readonly launch?: string },
  { answer, reference }: Held,
  now: Date,
): CommandResult {
  const { before, decision, event } = answer;
  if (decision.kind === 'refused' && !isAnswer(decision)) throw ledgerRefusal(decision.refusal, typed);
  const { file } = typed;
  const accepted = decision.kind === 'accepted';
  const isOver = command === 'reserve' && accepted && answer.again !== undefined && !isOpenHold(answer, now);
  const until = accepted && !isOver && event?.event === 'hold' ? event.until : null;
  const request = { entries: event?.event === 'hold' ? event.entries : [], evidence: null };
  const report = {
    command,
    file,
    hold: event?.hold ?? hold,
    until,
    isOver,
    before,
    request,
    decision,
    record: reference,
  };
  return {
    ...reservationOutput(report),
    recordNote: reference && recordedText(reference),
    exit: accepted && !isOver ? EXIT.done : EXIT.no,
  };
}

const RESERVE = `
A reservation withholds a part of the budget from others and authorizes nothing.
Run nothing before "ledger commit" has ended with exit code 0. When a
reservation expires, its budget is returned, and you can no longer commit it.
Times are those of the clock of the store.

Examples:
  dpcompose ledger reserve budget.jsonl -m dp:epsilon=0.1 --expires-in 15m
  dpcompose ledger reserve budget.jsonl job.json --until 2026-03-02T18:00Z`;

const HOUR = 3_600_000;

const RESERVED = 'Reservation:';

/** `dpcompose ledger reserve`: holds a part of the budget. */
export const reserveCommand = ledgerCommand({
  name: 'reserve',
  summary: 'reserve budget; authorizes nothing',
  about: 'Reserves a part of the budget for mechanisms that you may launch later. It authorizes nothing.',
  operands: [LEDGER, specArgument()],
  options: {
    ...REQUESTED(RESERVED, 'purpose, for people to read'),
    ...inGroup(RESERVED, {
      expiresIn: parsedOption('--expires-in <TIME>', 'duration, such as 15m, 2h or 1d (default: 1h)', readDuration),
      until: parsedOption('--until <TIME>', 'expiry time, such as 2026-03-02T18:00Z', readMoment),
    }),
    ...RECORD,
    ...WHERE,
  },
  examples: RESERVE,
  async run(run, file: string, source: string | undefined) {
    const { flags, errors, context } = run;
    const { expiresIn: duration, until } = flags;
    if (duration != null && until != null) {
      errors.push(conflict('--expires-in', 'conflicts with --until', 'Give one of them.'));
    }
    const { requested, launchRequest, launch } = await readRequest(run, source);
    const ledger = await run.ledger(file);
    await requireFitting(requested, ledger);
    const { newReservationId } = await import('../../ledger/reservation.ts');
    const hold = newReservationId();
    const request = { event: 'hold' as const, hold, until: until ?? duration ?? HOUR, ...launchRequest };
    const result = await ask(ledger, request, recordOptions(run), run);
    return heldAnswer('reserve', { file, hold, launch }, result, context.now());
  },
});

const RESERVATION = new Argument('<RESERVATION>', 'name that "ledger reserve" printed');

/** `dpcompose ledger commit`: launches what is held. */
export const commitCommand = ledgerCommand({
  name: 'commit',
  summary: 'launch a reservation; authorizes',
  about: 'Launches a reservation. This authorizes: run the mechanisms after exit code 0, and only then.',
  operands: [LEDGER, RESERVATION],
  options: { ...RECORD, ...WHERE },
  examples: `
You cannot commit an expired reservation. Give each request a key (--key) of its
own, and repeat it when you retry: nothing is launched twice.

Example:
  dpcompose ledger commit budget.jsonl 5f0c3a9be117`,
  async run(run, file: string, hold: string) {
    const ledger = await run.ledger(file);
    const options = recordOptions(run);
    const { answer, reference, settled } = await ask(ledger, { event: 'commit', hold }, options, run);
    const { before, decision, event, again } = answer;
    const request =
      event?.event === 'commit'
        ? { entries: event.entries, evidence: event.evidence ?? null }
        : { entries: [], evidence: null };
    const report = { command: 'commit' as const, file, request, before, decision, settled, again: again !== undefined };
    return decisionResult({ ...report, record: reference, store: run.flags.store });
  },
});

/** `dpcompose ledger release`: gives back what is held. */
export const releaseCommand = ledgerCommand({
  name: 'release',
  summary: 'return a reservation to the budget',
  about: 'Returns a reservation that was not committed to the budget.',
  operands: [LEDGER, RESERVATION],
  options: {
    ...inGroup('Description:', { label: textOption('--label <TEXT>', 'reason, for people to read') }),
    ...RECORD,
    ...WHERE,
  },
  examples: `
This assumes that nothing ran on the reservation, which authorizes nothing.
Committed budget is never returned.

Example:
  dpcompose ledger release budget.jsonl 5f0c3a9be117`,
  async run(run, file: string, hold: string) {
    const { flags, context } = run;
    const ledger = await run.ledger(file);
    const request = { event: 'release' as const, hold, label: flags.label ?? null };
    const result = await ask(ledger, request, recordOptions(run), run);
    return heldAnswer('release', { file, hold }, result, context.now());
  },
});

const EXAMPLES = `
Record mechanisms that ran without a grant, even if they exceed the budget. If
they exceed it, the budget of a filter is no guarantee any more, and all further
requests are denied. Otherwise it is a guarantee only if they would have stayed
within it for every possible result. Use "ledger spend" before you run anything.

Examples:
  dpcompose ledger record budget.jsonl --incurred -m dp:epsilon=0.3 \\
      --label "ran on Monday without asking"`;

const RAN = 'Mechanisms that ran:';

/** `dpcompose ledger record`: counts what ran without having been granted. */
export const recordCommand = ledgerCommand({
  name: 'record',
  summary: 'record mechanisms run without a grant',
  about: 'Records mechanisms that ran without a grant, even beyond the budget.',
  operands: [LEDGER, specArgument()],
  options: {
    ...REQUESTED(RAN, 'purpose, for people to read'),
    ...inGroup(RAN, { incurred: switchOption('--incurred', 'confirm that the mechanisms have run') }),
    ...RECORD,
    ...WHERE,
  },
  examples: EXAMPLES,
  async run(run, file: string, source: string | undefined) {
    const { errors } = run;
    if (!run.flags.incurred) {
      const hint = 'If the mechanisms have run, add --incurred. If they have not, use "ledger spend".';
      errors.push(lacking('--incurred', 'is missing', hint));
    }
    const { requested, launchRequest, launch } = await readRequest(run, source);
    const ledger = await run.ledger(file);
    await requireFitting(requested, ledger);
    const { incurIn } = await import('../../ledger/spend-in.ts');
    const incurred = await incurIn(ledger.store, file, launchRequest, recordOptions(run));
    const { value, records } = await run.settled(incurred, ledger);
    const { before, decision } = value;
    if (decision.kind === 'ended') throw ledgerError({ code: 'converted', successor: decision.successor }, file);
    if (decision.kind === 'refused') throw ledgerRefusal(decision.refusal, { file, launch });
    const record = recordReference(records[0]);
    const report = { command: 'record' as const, file, ...launchRequest, before, after: decision.state, record };
    return { ...incurredOutput(report), recordNote: record && recordedText(record) };
  },
});
