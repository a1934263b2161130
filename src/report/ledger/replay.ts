import type { Kept, Scanned } from '../../ledger/file/history.ts';
import type { LedgerState } from '../../ledger/core/state.ts';
import { loss } from '../../ledger/loss.ts';
import { totalsOf } from '../../ledger/core/state.ts';
import type { Layout } from '../kit/columns.ts';
import { shorten } from '../../document/core/quote.ts';
import { jsonDocument, type Json } from '../kit/json-value.ts';
import { pageText, paragraph } from '../kit/page.ts';
import { counted, grouped, printable } from '../kit/prose.ts';
import { table } from '../kit/table.ts';
import { spentText } from './amounts.ts';
import { guaranteeJson, standingJson, totalsJson } from './facts-json.ts';
import { nameOf } from './items.ts';

/** A ledger after one of its records. */
export interface Step {
  readonly kept: Kept;
  readonly after: LedgerState;
}

/** All decisions of a ledger, made again. */
export interface ReplayReport {
  readonly file: string;
  readonly scanned: Scanned;
  /** The ledger after the last record. */
  readonly end: LedgerState;
  /** Every step, where they are to be shown. */
  readonly steps: readonly Step[] | null;
}

function stepJson({ kept, after }: Step): Json {
  const { place, hash, recorded } = kept;
  return {
    record: place.record,
    at: recorded.at,
    event: recorded.event,
    what: nameOf(recorded),
    launched: after.launched,
    totals: totalsJson(totalsOf(after)),
    spent: guaranteeJson(loss(after).spent, 'up'),
    halted: after.halted,
    hash,
  };
}

/** A replay as `dpcompose.ledger-replay/1`. */
export const replayJson = ({ file, scanned, end, steps }: ReplayReport, version: string): string =>
  jsonDocument({
    schema: 'dpcompose.ledger-replay/1',
    version,
    file,
    id: scanned.header.id,
    records: scanned.count,
    hash: scanned.hash,
    agrees: true,
    ...(standingJson(end) as Record<string, Json>),
    steps: steps?.map(stepJson) ?? null,
  });

/** A replay for a person. */
export function replayText({ file, scanned, end, steps }: ReplayReport, layout: Layout): string {
  const { spent, guarantee } = loss(end);
  const standing = end.terms.mode === 'compositor' ? `${grouped(end.launched)} launched` : spentText(spent, guarantee);
  return pageText(
    [
      table(steps ?? [], [
        ['record', ({ kept }) => grouped(kept.place.record)],
        ['at', ({ kept }) => kept.recorded.at ?? ''],
        ['event', ({ kept }) => kept.recorded.event],
        ['mechanisms', ({ after }) => grouped(after.launched)],
        ['loss so far', ({ after }) => (after.terms.mode === 'compositor' ? '' : spentText(loss(after).spent, null))],
        ['what', ({ kept }) => shorten(printable(nameOf(kept.recorded)))],
      ]),
      paragraph(`${file}: ${counted(scanned.count, 'record')} decided again, as recorded. In the end: ${standing}.`),
    ],
    layout,
  );
}
