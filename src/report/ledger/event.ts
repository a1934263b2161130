import type { Conversed } from '../../ledger/journal/converse.ts';
import { quote } from '../../document/core/quote.ts';
import { choice, document, documentText, orNull } from '../kit/codec.ts';
import { COUNT, FLAG, TEXT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { grouped, printable } from '../kit/prose.ts';
import { RECORD_REFERENCE } from './facts-json.ts';
import { refusalCode, refusalText } from './refusal-message.ts';

/** A query to a mechanism, or its end, and what came of it. */
export interface EventReport {
  readonly command: 'query' | 'close';
  readonly file: string;
  readonly mechanism: number;
  readonly conversed: Conversed;
  readonly record: { readonly number: number; readonly hash: string } | null;
}

/** Why it was not allowed; null where it was. */
function reason({ conversed }: EventReport): { readonly code: string; readonly message: string } | null {
  switch (conversed.kind) {
    case 'accepted':
      return null;
    case 'ended':
      return { code: 'converted', message: `the ledger has ended: it goes on as ${quote(conversed.successor.id)}` };
    case 'refused':
      return { code: refusalCode(conversed.refusal), message: refusalText(conversed.refusal).message };
  }
}

/** A query to a mechanism, or its end. */
export const LEDGER_EVENT = document('ledger-event', 'A query to an interactive mechanism, or its end.', {
  command: choice('query', 'close'),
  file: TEXT,
  mechanism: COUNT,
  granted: FLAG,
  code: TEXT_OR_NULL,
  message: TEXT_OR_NULL,
  record: orNull(RECORD_REFERENCE),
});

/** The event as `dpcompose.ledger-event/1`. */
export function eventJson(report: EventReport, version: string): string {
  const why = reason(report);
  return documentText(LEDGER_EVENT, {
    ...report,
    version,
    granted: why === null,
    code: why?.code ?? null,
    message: why?.message ?? null,
  });
}

/** The event in a sentence. */
export function eventText(report: EventReport): string {
  const { command, mechanism, record } = report;
  const why = reason(report);
  if (why !== null) return `${printable(`no: ${why.message}.`)}\n`;
  const number = `mechanism ${grouped(mechanism)}`;
  const place = record === null ? '' : `, in record ${grouped(record.number)}`;
  return command === 'query'
    ? `granted: ${number} may be asked; it costs nothing${place}.\n`
    : `closed: ${number}${place}. Nothing is refunded.\n`;
}
