import { type Decision, type LedgerState, amountsOf, type Reservation } from '../../ledger/state.ts';
import type { Ended } from '../../ledger/spend-in.ts';
import type { Present } from '../../ledger/present.ts';
import type { LaunchRequest } from '../../ledger/record.ts';
import { fitHint, leftOver } from './fitting.ts';
import { shorten } from '../../document/core/quote.ts';
import { choice, described, document, documentText, orNull, list, object, type ValueOf } from '../kit/codec.ts';
import { FLAG, TEXT, TEXT_OR_NULL, COUNT, FORM } from '../kit/codecs.ts';
import { decimalText } from '../kit/number.ts';
import { grouped, printable } from '../kit/prose.ts';
import { briefAfter, LEDGER_BRIEF, RECORD_REFERENCE, TOTALS } from './facts-json.ts';
import { coordinateName, ENDED, refusalCode, refusalText } from './refusals.ts';
import { filledIn, type Message } from '../kit/message.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { unbroken, type Block, type Output } from '../kit/page.ts';
import { table } from '../kit/table.ts';

/** Open holds in a document. */
export const HOLDS = described(
  'Open reservations: neither spent nor remaining. Nothing may run on them before "ledger commit".',
  list(object({ hold: TEXT, until: TEXT, launched: COUNT, mechanisms: list(FORM), adds: TOTALS })),
);

export const reservationRows = ({ held }: LedgerState): ValueOf<typeof HOLDS> =>
  held.map(({ id, until, launched, mechanisms, spent }) => ({
    hold: id,
    until,
    launched,
    mechanisms: mechanisms as ValueOf<typeof HOLDS>[number]['mechanisms'],
    adds: Object.fromEntries(Object.entries(spent).map(([name, amount]) => [name, new Decimal(amount)])),
  }));

const labelOf = ({ mechanisms }: Reservation): string => {
  const labels = mechanisms.flatMap((mechanism) => {
    const label = (mechanism as { readonly label?: unknown }).label;
    return typeof label === 'string' ? [label] : [];
  });
  return [...new Set(labels)].join(', ');
};

const addsText = (state: LedgerState, hold: Reservation): string =>
  amountsOf(state, hold)
    .flatMap((amount, i) =>
      amount.isZero() ? [] : [`${coordinateName(state.rule.names[i] ?? '')} ${decimalText(amount, 'up')}`],
    )
    .join(', ');

/** Open holds for a person. */
export const reservationsTable = (state: LedgerState): Block =>
  table(state.held, [
    ['reservation', ({ id }) => id],
    ['until', ({ until }) => until],
    ['mechanisms', ({ launched }) => grouped(launched)],
    ['adds', (hold) => addsText(state, hold)],
    ['for', (hold) => shorten(printable(labelOf(hold)))],
  ]);

/** A part of the budget that is held, or given back, and what came of it. */
export interface ReservationReport {
  readonly command: 'reserve' | 'release';
  readonly file: string;
  readonly hold: string;
  readonly until: string | null;
  /** Whether it was held before under the same key, and has expired since, or was committed or released. */
  readonly isOver: boolean;
  readonly before: Present;
  /** The mechanisms of a reservation that is asked for. */
  readonly request: LaunchRequest;
  readonly decision: Decision | Ended;
  readonly record: { readonly number: number; readonly hash: string } | null;
}

/** Why something was not done. */
interface Reason extends Message {
  readonly code: string;
}

/** The same; null where it was. */
function reason({ file, request, before, hold, isOver, decision, record }: ReservationReport): Reason | null {
  switch (decision.kind) {
    case 'accepted': {
      if (!isOver) return null;
      const place = record === null ? '' : ` in record ${grouped(record.number)}`;
      return {
        code: 'no-such-hold',
        message: `${hold} was reserved${place} under this key and is no longer reserved: it expired, or was committed or released`,
        hint: 'Run "ledger status", then reserve again under another key.',
      };
    }
    case 'ended':
      return { code: 'converted', ...filledIn(ENDED, decision) };
    case 'refused':
      return {
        code: refusalCode(decision.refusal),
        message: refusalText(decision.refusal).message,
        hint: `${leftOver(before.state, decision.refusal).trimStart()} ${fitHint({ file, request, before }, decision.refusal)}`.trim(),
      };
  }
}

/** A part of the budget that is held, or given back. */
export const LEDGER_HOLD = document('ledger-hold', 'A part of the budget that is reserved, or returned.', {
  command: choice('reserve', 'release'),
  ledger: LEDGER_BRIEF,
  hold: TEXT,
  until: described('When it expires, by the clock of the store; null if nothing is reserved.', TEXT_OR_NULL),
  done: described('Whether it is reserved or returned; it authorizes nothing.', FLAG),
  code: TEXT_OR_NULL,
  message: TEXT_OR_NULL,
  record: orNull(RECORD_REFERENCE),
  holds: HOLDS,
});

function holdText({ command, hold, until, record }: ReservationReport, why: Reason | null): string {
  if (why !== null) return `denied: ${why.message}. ${why.hint}`;
  const place = record === null ? '' : `, in record ${grouped(record.number)}`;
  return command === 'reserve'
    ? `reserved as ${hold} until ${until ?? ''}${place}. Run nothing before "ledger commit" has ended with exit code 0.`
    : `released: ${hold} is returned to the budget${place}.`;
}

/** The answer in a sentence or two. */
export function reservationOutput(report: ReservationReport): Output {
  const { before, decision } = report;
  const why = reason(report);
  const after = decision.kind === 'ended' ? before.state : decision.state;
  return {
    page: () => [unbroken([holdText(report, why)])],
    json: (version) =>
      documentText(LEDGER_HOLD, {
        ...report,
        version,
        ledger: briefAfter(report, after),
        done: why === null,
        code: why?.code ?? null,
        message: why?.message ?? null,
        holds: reservationRows(after),
      }),
  };
}
