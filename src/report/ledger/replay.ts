import type { Kept, Scanned } from '../../ledger/file/history.ts';
import type { LedgerState } from '../../ledger/core/state.ts';
import { loss } from '../../ledger/loss.ts';
import { totalsOf } from '../../ledger/core/state.ts';
import { columns, blocks, type Layout, type Line } from '../kit/columns.ts';
import { shorten } from '../../document/core/quote.ts';
import { jsonDocument, type Json } from '../kit/json-value.ts';
import { grouped, printable, wrapped } from '../kit/prose.ts';
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

function stepLine({ kept, after }: Step): Line {
  const { place, recorded } = kept;
  const { spent } = loss(after);
  const cells = [
    grouped(place.record),
    recorded.at ?? '',
    recorded.event,
    grouped(after.launched),
    after.terms.mode === 'compositor' ? '' : spentText(spent, null),
    shorten(printable(nameOf(recorded))),
  ];
  return { cells, best: false };
}

const HEAD = ['record', 'at', 'event', 'mechanisms', 'loss so far', 'what'];

/** A replay for a person. */
export function replayText({ file, scanned, end, steps }: ReplayReport, layout: Layout): string {
  const count = `${grouped(scanned.count)} ${scanned.count === 1 ? 'record' : 'records'}`;
  const { spent, guarantee } = loss(end);
  const standing = end.terms.mode === 'compositor' ? `${grouped(end.launched)} launched` : spentText(spent, guarantee);
  const summary = `${file}: ${count} decided again, as recorded. In the end: ${standing}.`;
  const lines = steps?.map(stepLine) ?? [];
  const table = lines.length === 0 ? '' : `${columns(HEAD, lines, layout) ?? blocks(HEAD, lines, layout)}\n\n`;
  return `${table}${wrapped(printable(summary), layout.width)}\n`;
}
