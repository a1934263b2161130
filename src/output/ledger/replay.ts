import type { StoredRecord, Scanned } from '../../ledger/history.ts';
import { type LedgerState, totalsOf } from '../../ledger/state.ts';
import { loss } from '../../ledger/loss.ts';
import { shorten } from '../../document/core/quote.ts';
import { document, documentText, from, is, list, object } from '../kit/codec.ts';
import { COUNT, TEXT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { paragraph, type Output } from '../kit/page.ts';
import { counted, grouped, printable } from '../kit/prose.ts';
import { table } from '../kit/table.ts';
import { spentText } from './amounts.ts';
import { EVENT, GUARANTEE, HASH, SPENT, standing, STANDING } from './facts-json.ts';
import { nameOf } from './items.ts';

/** A ledger after one of its records. */
export interface Step {
  readonly record: StoredRecord;
  readonly after: LedgerState;
}

/** All decisions of a ledger, made again. */
export interface ReplayReport {
  readonly file: string;
  readonly scanned: Scanned;
  /** The ledger after the last record. */
  readonly end: LedgerState;
  readonly steps: readonly Step[];
}

const STEP = from(
  object({
    record: COUNT,
    at: TEXT_OR_NULL,
    actor: TEXT_OR_NULL,
    key: TEXT_OR_NULL,
    event: EVENT,
    what: TEXT,
    launched: COUNT,
    totals: SPENT,
    spent: GUARANTEE,
    halted: TEXT_OR_NULL,
    hash: HASH,
  }),
  ({ record, after }: Step) => ({
    record: record.place.record,
    at: record.recorded.at,
    actor: record.recorded.actor,
    key: record.recorded.key,
    event: record.recorded.event,
    what: nameOf(record.recorded),
    launched: after.launched,
    totals: totalsOf(after),
    spent: loss(after).spent,
    halted: after.halted,
    hash: record.hash,
  }),
);

/** A replay. */
export const LEDGER_REPLAY = document('ledger-replay', 'Every decision of a ledger, repeated and compared.', {
  file: TEXT,
  id: TEXT,
  records: COUNT,
  hash: HASH,
  agrees: is(true),
  ...STANDING,
  steps: list(STEP),
});

/** A replay: every record, with the loss after it. */
export function replayOutput({ file, scanned, end, steps }: ReplayReport): Output {
  const { spent, guarantee } = loss(end);
  const last = end.terms.mode === 'compositor' ? `${grouped(end.launched)} launched` : spentText(spent, guarantee);
  return {
    page: () => [
      table(steps, [
        ['record', ({ record }) => grouped(record.place.record)],
        ['at', ({ record }) => record.recorded.at ?? ''],
        ['event', ({ record }) => record.recorded.event],
        ['mechanisms', ({ after }) => grouped(after.launched)],
        ['loss so far', ({ after }) => (after.terms.mode === 'compositor' ? '' : spentText(loss(after).spent, null))],
        ['what', ({ record }) => shorten(printable(nameOf(record.recorded)))],
      ]),
      paragraph(`${file}: ${counted(scanned.count, 'record')} decided again, as recorded. In the end: ${last}.`),
    ],
    json: (version) =>
      documentText(LEDGER_REPLAY, {
        version,
        file,
        id: scanned.header.id,
        records: scanned.count,
        hash: scanned.hash,
        agrees: true,
        ...standing(end),
        steps,
      }),
  };
}
