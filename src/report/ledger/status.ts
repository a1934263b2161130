import { caveatsOf } from '../../ledger/core/caveats.ts';
import type { Present } from '../../ledger/file/present.ts';
import type { Kept } from '../../ledger/file/history.ts';
import type { LedgerState } from '../../ledger/core/state.ts';
import { loss } from '../../ledger/loss.ts';
import { theoremOf } from '../../ledger/theorem.ts';
import type { Totals } from '../../ledger/core/totals.ts';
import type { Terms } from '../../ledger/core/terms.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { shorten } from '../../document/core/quote.ts';
import type { Layout } from '../kit/columns.ts';
import { document, documentText, list, object } from '../kit/codec.ts';
import { COUNT, TEXT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { givenText } from '../kit/number.ts';
import { heading, onTerminal, pageText, paragraph, quiet, stack, type Block } from '../kit/page.ts';
import { grouped, printable } from '../kit/prose.ts';
import { table } from '../kit/table.ts';
import { amountText, claimText, spentText } from './amounts.ts';
import { bar } from './bar.ts';
import { caveatMessage } from './caveat-message.ts';
import { CAVEATS, LEDGER, standing, STANDING, TOTALS } from './facts-json.ts';
import { itemsOf, type Item } from './items.ts';
import { leftText } from './left-text.ts';
import { coordinateName } from './refusal-message.ts';
import { shareOf, type Share } from './shares.ts';

/** How a status is shown. */
export interface StatusLayout extends Layout {
  /** Whether the terminal shows block characters. */
  readonly blocks: boolean;
}

const WIDEST_BAR = 40;
const NARROWEST_BAR = 10;

/** `a filter of (1, 1e-6)-DP by zcdp-optimal, sequential`. */
export function kindText(terms: Terms, state: LedgerState): string {
  const { guarantee } = state.rule;
  const of = guarantee === null ? '' : ` of ${claimText(guarantee)}`;
  const by = terms.mode === 'compositor' ? terms.bound : terms.rule.id;
  const { name, reference } = theoremOf(terms);
  const more = [
    ...(terms.concurrency === 'sequential' ? ['sequential'] : []),
    ...(terms.mode !== 'odometer' && terms.onExcess === 'halt' ? ['halts on excess'] : []),
    ...(terms.maxMechanisms === null ? [] : [`at most ${grouped(terms.maxMechanisms)} mechanisms`]),
    ...(terms.distance.eq(1) ? [] : [`at distance ${givenText(terms.distance)}`]),
    ...(terms.evidence === 'required' ? ['evidence required'] : []),
    ...(terms.neighbours === null ? [] : [`neighbours: ${terms.neighbours}`]),
  ];
  const article = terms.mode === 'odometer' ? 'an' : 'a';
  return `${article} ${terms.mode}${of} by ${by}: ${name} [${reference}]${more.map((each) => `; ${each}`).join('')}`;
}

function identityText({ header, records, hash, at, rest, successor }: Present): string {
  const count = `${grouped(records)} ${records === 1 ? 'record' : 'records'}`;
  const when = at === null ? [] : [`${records === 0 ? 'made' : 'last'} ${at}`];
  const facts = [`id ${header.id}`, count, ...when, `hash ${hash.slice(0, 12)}`];
  const unfinished =
    rest.kind === 'torn' ? [`an unfinished record (${grouped(rest.bytes)} bytes), which does not count`] : [];
  return [...facts, ...unfinished, ...(successor === null ? [] : [`ended: goes on as ${successor}`])].join(', ');
}

const percentText = (share: number): string => `${(100 * share).toFixed(1)}%`;

function barLine({ name, share }: Share, labelWidth: number, { width, blocks, style }: StatusLayout): string {
  const label = coordinateName(name).padEnd(labelWidth);
  const percent = percentText(share).padStart(6);
  const room = Math.min(WIDEST_BAR, width - labelWidth - percent.length - 4);
  if (room < NARROWEST_BAR) return `${label}  ${percent.trim()}`;
  return `${label}  ${bar(share, { width: room, blocks, style })}  ${percent}`;
}

const bars = (state: LedgerState, blocks: boolean): Block =>
  onTerminal((layout) => {
    const shares = shareOf(state);
    const labelWidth = Math.max(0, ...shares.map(({ name }) => coordinateName(name).length));
    const lines = shares.map((share) => barLine(share, labelWidth, { ...layout, blocks }));
    return lines.length === 0 ? null : lines.join('\n');
  });

/** The amount that an item used up: the largest of its shares of the budget; without one, what it added. */
function usedText({ added, mechanisms }: Item, state: LedgerState): string {
  const { rule } = state;
  const [declared] = state.terms.mode === 'compositor' ? shareOf(state) : [];
  if (declared !== undefined) return percentText(mechanisms / declared.limit.toNumber());
  const shares = rule.names.flatMap((name, i) => {
    const [limit, initial, part] = [rule.limits[i], rule.initial[i], added[name]];
    const room = limit && initial && limit.minus(initial);
    return room?.gt(0) === true && part !== undefined ? [part.div(room).toNumber()] : [];
  });
  if (shares.length > 0) return percentText(Math.max(...shares));
  return Object.entries(added)
    .map(([name, part]) => `${coordinateName(name)} ${amountText(part, 'up')}`)
    .join(', ');
}

const itemsTable = (items: readonly Item[], state: LedgerState): Block =>
  table(items, [
    ['spent on', ({ what }) => shorten(printable(what))],
    ['mechanisms', ({ mechanisms }) => grouped(mechanisms)],
    [state.terms.mode === 'odometer' ? 'adds' : 'uses', (item) => usedText(item, state)],
    ['last', ({ lastAt }) => lastAt?.slice(0, 10) ?? ''],
  ]);

const lastEntry = (records: readonly Kept[]): Entry | null => {
  const launch = records.findLast(({ recorded }) => recorded.event === 'spend');
  return launch?.recorded.event === 'spend' ? (launch.recorded.entries.at(-1) ?? null) : null;
};

/** Where a ledger stands, for a person: its budget as bars, what was spent on what, and what is left, in words. */
export function statusReport(
  present: Present,
  records: readonly Kept[],
  start: Totals,
  file: string,
  layout: StatusLayout,
): string {
  const { state, header } = present;
  const { spent, guarantee } = loss(state);
  const items = itemsOf(records, start);
  return pageText(
    [
      heading(`${file}: ${kindText(header.terms, state)}`),
      quiet(identityText(present)),
      bars(state, layout.blocks),
      paragraph(state.terms.mode === 'compositor' ? null : `Spent: ${spentText(spent, guarantee)}.`),
      items.length === 0 ? onTerminal(() => 'Nothing was launched yet.') : itemsTable(items, state),
      paragraph(leftText(state, lastEntry(records))),
      stack(caveatsOf(state).map((caveat) => quiet(caveatMessage(caveat)))),
    ],
    layout,
  );
}

/** Where a ledger stands. */
export const LEDGER_STATUS = document('ledger-status', 'Where a ledger stands.', {
  ledger: LEDGER,
  ...STANDING,
  items: list(object({ what: TEXT, mechanisms: COUNT, added: TOTALS, lastAt: TEXT_OR_NULL })),
  caveats: CAVEATS,
});

/** Where a ledger stands as `dpcompose.ledger-status/1`. */
export const statusJson = (
  present: Present,
  records: readonly Kept[],
  start: Totals,
  file: string,
  version: string,
): string =>
  documentText(LEDGER_STATUS, {
    version,
    ledger: { present, file },
    ...standing(present.state),
    items: itemsOf(records, start),
    caveats: caveatsOf(present.state),
  });
