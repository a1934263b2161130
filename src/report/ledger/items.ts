import type { Kept } from '../../ledger/file/history.ts';
import type { Asked, Recorded } from '../../ledger/file/record.ts';
import type { Totals } from '../../ledger/core/totals.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { entryText } from './entry-text.ts';

/** All that was launched under one label. */
export interface Item {
  readonly what: string;
  readonly mechanisms: number;
  /** The amount that it added to each total. */
  readonly added: Readonly<Record<string, Decimal>>;
  /** When it was launched last; null where that is not known. */
  readonly lastAt: string | null;
}

const ZERO = new Decimal(0);

function askedName(asked: Asked): string {
  if ('entries' in asked) {
    const names = asked.entries.map((entry) => entry.label ?? entryText({ ...entry, count: 1 }));
    return [...new Set(names)].join(', ');
  }
  const { ids } = asked.nested;
  return asked.label ?? `nested ledger${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`;
}

/** The name of a launch: its labels, or else what it is. */
export function nameOf(recorded: Recorded): string {
  switch (recorded.event) {
    case 'spend':
    case 'nest':
      return askedName(recorded);
    case 'halt':
      return `refused: ${askedName(recorded.asked)}`;
    case 'query':
    case 'close':
      return recorded.label ?? `mechanism ${recorded.mechanism}`;
    case 'convert':
      return `goes on as ${recorded.to}`;
  }
}

/** The amount that a record added to each total that it changed. */
export function addedBy(totals: Totals, before: Totals): Readonly<Record<string, Decimal>> {
  const changes = Object.entries(totals.spent).map(([name, value]): [string, Decimal] => [
    name,
    new Decimal(value).minus(before.spent[name] ?? 0),
  ]);
  return Object.fromEntries(changes.filter(([, change]) => !change.isZero()));
}

/** All that was launched, by its labels, in the order of the first launch of each. */
export function itemsOf(records: readonly Kept[], start: Totals): readonly Item[] {
  const items = new Map<string, Item>();
  let before = start;
  for (const { recorded } of records) {
    const { totals, at } = recorded;
    if (totals.launched > before.launched) {
      const what = nameOf(recorded);
      const known = items.get(what);
      const added = Object.entries(addedBy(totals, before)).map(([name, change]): [string, Decimal] => [
        name,
        change.plus(known?.added[name] ?? ZERO),
      ]);
      items.set(what, {
        what,
        mechanisms: totals.launched - before.launched + (known?.mechanisms ?? 0),
        added: { ...known?.added, ...Object.fromEntries(added) },
        lastAt: at ?? known?.lastAt ?? null,
      });
    }
    before = totals;
  }
  return [...items.values()];
}
