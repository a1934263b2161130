import type { Caveat } from '../../ledger/rules/rule.ts';
import { caveatsOf, type LedgerState } from '../../ledger/state.ts';
import type { Present } from '../../ledger/present.ts';
import type { Folded } from '../../ledger/store.ts';
import { loss } from '../../ledger/loss.ts';
import { theoremOf } from '../../ledger/open.ts';
import type { Terms } from '../../ledger/rules/terms.ts';
import { shorten } from '../../document/core/quote.ts';
import { described, document, documentText, list, object, optional, choice } from '../kit/codec.ts';
import { COUNT, TEXT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { decimalText, givenText } from '../kit/number.ts';
import { heading, onTerminal, paragraph, quiet, stack, type Block, type Output, type Style } from '../kit/page.ts';
import { abridged, grouped, printable } from '../kit/prose.ts';
import { table } from '../kit/table.ts';
import { claimText, spentText } from './amounts.ts';
import { caveatMessage, caveatMessages, CAVEATS } from './caveats.ts';
import { LEDGER, percentText, standing, STANDING, TOTALS, shareOf, type Share } from './facts-json.ts';
import { EXCEEDED, exceededRows, exceededText, leftText } from './ledger-text.ts';
import { HOLDS, reservationRows, reservationsTable } from './reservation.ts';
import type { Item, Items } from './items.ts';
import { coordinateName } from './refusals.ts';
import { lossLines, LOSS, REMAINING, remainingText, type LossReport, type RemainingRow } from './status-questions.ts';

/** The means with which a bar is drawn. */
export interface BarLayout {
  /** Columns that it may take. */
  readonly width: number;
  /** Whether the terminal shows block characters. */
  readonly blocks: boolean;
  readonly style: Style;
}

const NEARLY_FULL = 0.9;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A share from 0 to 1 as a bar; something used always shows, and full is only what is full. */
export function bar(share: number, { width, blocks, style }: BarLayout): string {
  const mark = share >= NEARLY_FULL ? style.warning : style.best;
  if (!blocks) {
    const room = Math.max(1, width - 2);
    const filled = share >= 1 ? room : Math.min(room - 1, Math.ceil(share * room));
    return `[${mark('#'.repeat(filled))}${'.'.repeat(room - filled)}]`;
  }
  const eighths = share >= 1 ? 8 * width : Math.min(8 * width - 1, Math.ceil(share * 8 * width));
  const text = `${'█'.repeat(eighths >> 3)}${EIGHTHS[eighths & 7] ?? ''}`;
  return `${mark(text)}${style.quiet('░'.repeat(width - text.length))}`;
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
    ...(terms.mode === 'filter' && terms.conversions === undefined ? ['may become an odometer'] : []),
    ...(terms.refusals === 'recorded' ? ['denials are recorded'] : []),
    ...(terms.neighbours === null ? [] : [`neighbours: ${terms.neighbours}`]),
  ];
  const article = terms.mode === 'odometer' ? 'an' : 'a';
  return `${article} ${terms.mode}${of} by ${by}: ${name} [${reference}]${more.map((theorem) => `; ${theorem}`).join('')}`;
}

function identityText({ header, records, hash, at, rest, successor, movedTo }: Present): string {
  const count = `${grouped(records)} ${records === 1 ? 'record' : 'records'}`;
  const when = at === null ? [] : [`${records === 0 ? 'made' : 'last'} ${at}`];
  const facts = [`id ${header.id}`, count, ...when, `hash ${hash.slice(0, 12)}`];
  const unfinished =
    rest.kind === 'torn' ? [`an incomplete record (${grouped(rest.bytes)} bytes), which does not count`] : [];
  const away = movedTo === undefined ? [] : [`moved to ${movedTo.name} in ${movedTo.store}`];
  return [
    ...facts,
    ...unfinished,
    ...away,
    ...(successor === null ? [] : [`ended: continues as ${successor.id}`]),
  ].join(', ');
}

function barLine({ name, share }: Share, labelWidth: number, { width, blocks, style }: BarLayout): string {
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
    .map(([name, part]) => `${coordinateName(name)} ${decimalText(part, 'up')}`)
    .join(', ');
}

/** The heading of what each item used, by the mode. */
const USED = { filter: 'share of budget', compositor: 'share of declared', odometer: 'adds' } as const;

const itemsTable = (items: readonly Item[], state: LedgerState): Block =>
  table(items, [
    ['used for', ({ what }) => shorten(printable(what))],
    ['mechanisms', ({ mechanisms }) => grouped(mechanisms)],
    [USED[state.terms.mode], (item) => usedText(item, state)],
    ['last', ({ lastAt }) => lastAt?.slice(0, 10) ?? ''],
  ]);

/** `1 launch voided, still charged: record 3.`; null where none was. */
function voidedText({ voided }: Items): string | null {
  if (voided.length === 0) return null;
  const records = `record${voided.length === 1 ? '' : 's'} ${abridged(voided.map(grouped))}`;
  return `${grouped(voided.length)} launch${voided.length === 1 ? '' : 'es'} voided, still charged: ${records}.`;
}

/** What is asked of a ledger beside where it stands. */
export interface StatusAnswers {
  /** Why nothing is granted, whatever is left; null where it is. */
  readonly standstill: string | null;
  readonly remaining?: readonly RemainingRow[];
  readonly loss?: LossReport;
}

/** Where a ledger stands. */
export const LEDGER_STATUS = document('ledger-status', 'The status of a ledger.', {
  ledger: LEDGER,
  ...STANDING,
  items: list(object({ what: TEXT, mechanisms: COUNT, added: TOTALS, lastAt: TEXT_OR_NULL })),
  incurred: described('The number of mechanisms that ran without a grant and are charged.', COUNT),
  exceeded: described('The totals that exceed the budget, which then guarantees nothing.', EXCEEDED),
  holds: HOLDS,
  caveats: CAVEATS,
  standstill: described(
    'Why all requests are denied, whatever the remaining budget; null if they are not.',
    TEXT_OR_NULL,
  ),
  remaining: optional(described('How much more may be launched, for each question.', REMAINING)),
  loss: optional(described('The privacy loss at the distance, delta or epsilon of the question.', LOSS)),
});

/** Where a ledger stands: its budget as bars, of block characters or not, what was spent on what, and what is left, in words. */
export function statusOutput(
  { present, sum }: Folded<Items>,
  file: string,
  answers: StatusAnswers,
  blocks: boolean,
): Output {
  const { state, header } = present;
  const { standstill, remaining = [], loss: lossReport } = answers;
  const { spent, guarantee } = loss(state);
  const items = [...sum.items.values()];
  return {
    page: () => [
      heading(`${file}: ${kindText(header.terms, state)}`),
      quiet(identityText(present)),
      bars(state, blocks),
      paragraph(state.terms.mode === 'compositor' ? null : `Used: ${spentText(spent, guarantee)}.`),
      paragraph(exceededText(state)),
      reservationsTable(state),
      items.length === 0 ? onTerminal(() => 'No mechanism has been launched.') : itemsTable(items, state),
      paragraph(voidedText(sum)),
      paragraph(standstill ?? leftText(state, sum.last)),
      stack((standstill === null ? remaining.map(remainingText) : []).map(paragraph)),
      stack((lossReport === undefined ? [] : lossLines(lossReport)).map(paragraph)),
      stack(caveatMessages(caveatsOf(state)).map(quiet)),
    ],
    json: (version) =>
      documentText(LEDGER_STATUS, {
        version,
        ledger: { present, file },
        ...standing(state),
        items,
        incurred: state.incurred,
        exceeded: exceededRows(state),
        holds: reservationRows(state),
        caveats: caveatsOf(state),
        ...answers,
      }),
  };
}

/** A ledger that was made. */
export interface Made {
  readonly command: 'init' | 'convert';
  readonly file: string;
  readonly present: Present;
  readonly caveats: readonly Caveat[];
}

/** A new ledger. */
export const LEDGER_MADE = document('ledger-made', 'A ledger that was created.', {
  command: choice('init', 'convert', 'to-filter', 'to-odometer'),
  ledger: LEDGER,
  ...STANDING,
  caveats: CAVEATS,
});

/** A new ledger: what it is. */
export function madeOutput(report: Made): Output {
  const { file, present, caveats } = report;
  const { header, state, hash } = present;
  return {
    page: () => [
      stack(
        [
          `${file} is ${kindText(header.terms, state)}.`,
          `id ${header.id}, hash ${hash.slice(0, 12)}`,
          ...caveats.map(caveatMessage),
        ].map(paragraph),
      ),
    ],
    json: (version) => documentText(LEDGER_MADE, { ...report, version, ledger: report, ...standing(state) }),
  };
}
