import * as z from 'zod/mini';
import { inTexts } from '../../document/core/exact-value.ts';
import { totalsOf, type Totals } from '../../ledger/state.ts';
import type { Fold } from '../../ledger/store.ts';
import type { LaunchRequest, LedgerRecord } from '../../ledger/record.ts';
import { entry as entryCodec } from '../../ledger/terms-codec.ts';
import { Decimal, ZERO } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { entryText } from './amounts.ts';

/** All that was launched under one label. */
export interface Item {
  readonly what: string;
  readonly mechanisms: number;
  /** The amount that it added to each total. */
  readonly added: Readonly<Record<string, Decimal>>;
  /** When it was launched last; null where that is not known. */
  readonly lastAt: string | null;
}

/** A label, unless there is nothing to read in it. */
const labelText = (label: string | null): string | null => (label?.trim() ? label : null);

function askedName(request: LaunchRequest): string {
  if ('entries' in request) {
    const names = request.entries.map((entry) => labelText(entry.label) ?? entryText({ ...entry, count: 1 }));
    return [...new Set(names)].join(', ');
  }
  const { ids } = request.nested;
  return labelText(request.label) ?? `nested ledger${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`;
}

/** The name of a launch: its labels, or else what it is. */
export function nameOf(recorded: LedgerRecord): string {
  switch (recorded.event) {
    case 'spend':
    case 'nest':
    case 'commit':
      return askedName(recorded);
    case 'incurred':
      return `not granted: ${askedName(recorded)}`;
    case 'hold':
      return `reserved as ${recorded.hold}: ${askedName(recorded)}`;
    case 'release':
      return `released ${recorded.hold}${labelText(recorded.label) === null ? '' : `: ${recorded.label}`}`;
    case 'void':
      return `record ${recorded.voids} never ran: ${recorded.label}`;
    case 'halt':
      return `denied: ${askedName(recorded.asked)}`;
    case 'refuse':
      return `denied (${recorded.code}): ${askedName(recorded.asked)}`;
    case 'query':
    case 'close':
      return labelText(recorded.label) ?? `mechanism ${recorded.mechanism}`;
    case 'convert':
      return `continues as ${recorded.to.id}`;
    case 'move':
      return `${recorded.arrived ? 'arrived as' : 'moved to'} ${recorded.to.name} in ${recorded.to.store}`;
    case 'recover':
      return labelText(recorded.label) ?? `${recorded.aside.bytes} bytes set aside`;
    case 'adopt':
      return labelText(recorded.label) ?? 'continues in another location';
    case 'note':
      return recorded.label;
  }
}

/** The amount that a record added to each total that it changed. */
function addedBy(totals: Totals, before: Totals): Readonly<Record<string, Decimal>> {
  const changes = Object.entries(totals.spent).map(([name, value]): [string, Decimal] => [
    name,
    new Decimal(value).minus(before.spent[name] ?? 0),
  ]);
  return Object.fromEntries(changes.filter(([, change]) => !change.isZero()));
}

/** The last mechanism that a record launched; null where it launched none. */
function lastOf(recorded: LedgerRecord): Entry | null {
  const { event } = recorded;
  const launches = event === 'spend' || event === 'commit' || event === 'incurred';
  return launches ? (recorded.entries.at(-1) ?? null) : null;
}

/** All that was launched, by its labels, in the order of the first launch of each; and what was launched last. */
export interface Items {
  readonly items: ReadonlyMap<string, Item>;
  /** The last mechanism that is no nested ledger; null where there is none. */
  readonly last: Entry | null;
  /** The totals by now. */
  readonly totals: Totals;
  /** The records of launches that are noted as never run, each once. */
  readonly voided: readonly number[];
}

/** The sum while it is made. */
interface Growing extends Items {
  readonly items: Map<string, Item>;
}

function withLaunch(items: Map<string, Item>, recorded: LedgerRecord, before: Totals): void {
  const { totals, at } = recorded;
  const what = nameOf(recorded);
  const item = items.get(what);
  const added = Object.entries(addedBy(totals, before)).map(([name, change]): [string, Decimal] => [
    name,
    change.plus(item?.added[name] ?? ZERO),
  ]);
  items.set(what, {
    what,
    mechanisms: totals.launched - before.launched + (item?.mechanisms ?? 0),
    added: { ...item?.added, ...Object.fromEntries(added) },
    lastAt: at ?? item?.lastAt ?? null,
  });
}

/** Whether items add up to what was launched since a ledger began. */
function addUp(items: readonly Item[], totals: Totals, start: Totals): boolean {
  const count = items.reduce((sum, { mechanisms }) => sum + mechanisms, start.launched);
  const names = new Set([...items.flatMap(({ added }) => Object.keys(added)), ...Object.keys(totals.spent)]);
  const isWhole = (name: string): boolean =>
    items
      .reduce((sum, { added }) => sum.plus(added[name] ?? ZERO), new Decimal(start.spent[name] ?? 0))
      .eq(totals.spent[name] ?? 0);
  return count === totals.launched && [...names].every(isWhole);
}

const WRITTEN = z.object({
  items: z.array(
    z.object({
      what: z.string(),
      mechanisms: z.number(),
      added: z.record(z.string(), z.string()),
      lastAt: z.nullable(z.string()),
    }),
  ),
  last: z.nullable(entryCodec.schema),
  voided: z.array(z.number()),
});

/** Sums up by labels what was launched. */
export const ITEMS: Fold<Items> = {
  name: 'items/2',
  begin: (start): Growing => ({ items: new Map(), last: null, totals: totalsOf(start), voided: [] }),
  add: ({ items, last, totals: before, voided }, recorded): Growing => {
    const { totals } = recorded;
    const growing = items as Map<string, Item>;
    if (totals.launched > before.launched) withLaunch(growing, recorded, before);
    const isNew = recorded.event === 'void' && !voided.includes(recorded.voids);
    return {
      items: growing,
      last: lastOf(recorded) ?? last,
      totals,
      voided: isNew ? [...voided, recorded.voids] : voided,
    };
  },
  write: ({ items, last, voided }) => ({
    items: [...items.values()].map(({ added, ...item }) => ({
      ...item,
      added: Object.fromEntries(Object.entries(added).map(([name, value]) => [name, value.toString()])),
    })),
    last: last && inTexts(entryCodec.exact(last)!),
    voided: [...voided],
  }),
  read: (json, { totals }, start): Growing | null => {
    const parsing = z.safeParse(WRITTEN, json);
    if (!parsing.success) return null;
    try {
      const items = parsing.data.items.map(({ added, ...item }): Item => ({
        ...item,
        added: Object.fromEntries(Object.entries(added).map(([name, text]) => [name, new Decimal(text)])),
      }));
      if (!addUp(items, totals, totalsOf(start))) return null;
      const { last, voided } = parsing.data;
      return { items: new Map(items.map((item) => [item.what, item])), last, totals, voided };
    } catch {
      // A text that is no number.
      return null;
    }
  },
};
