import type { Fault } from './fault.ts';
import type { Present } from './present.ts';

/** A ledger among several; a fault where it cannot be read. */
export type Stand = { readonly name: string } & (
  | { readonly kind: 'stands'; readonly present: Present; readonly isCopy?: boolean }
  | { readonly kind: 'fault'; readonly fault: Fault }
);

/** All that comes from a ledger: what is nested in it or goes on from it, and what comes from these. */
export interface Below {
  readonly ledgers: number;
  readonly launched: number;
  /** The latest time that a record of them has. */
  readonly lastAt: string | null;
}

/** A ledger with its place in the tree of all. */
export interface Placed {
  readonly stand: Stand;
  /** The ledger that it comes from, where that is among them. */
  readonly parent: string | null;
  /** How many steps it is below one that comes from none of them. */
  readonly depth: number;
  readonly below: Below;
}

const later = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && Date.parse(b) > Date.parse(a)) ? b : a;

/** The mechanisms that a ledger has launched by itself, without those that it went on from. */
const launchedIn = ({ state, header: { origin } }: Present): number =>
  state.launched - (origin?.kind === 'converted' ? origin.totals.launched : 0);

const NOTHING: Below = { ledgers: 0, launched: 0, lastAt: null };

/**
 * Ledgers in the order of a tree: after each those that it paid for or that go on from it, by the ids in their headers, which stand for
 * a record of the other one (`verifyOrigin` sets the two side by side). Of several ledgers of one id the first is taken.
 */
export function rolledUp(stands: readonly Stand[]): readonly Placed[] {
  const byId = new Map<string, Stand>();
  for (const stand of stands) {
    if (stand.kind === 'stands' && !byId.has(stand.present.header.id)) byId.set(stand.present.header.id, stand);
  }
  const parentOf = (stand: Stand): Stand | null => {
    const id = stand.kind === 'stands' ? stand.present.header.origin?.id : undefined;
    const parent = id === undefined ? undefined : byId.get(id);
    return parent === undefined || parent === stand ? null : parent;
  };
  const children = new Map<Stand | null, Stand[]>();
  for (const stand of stands) {
    const parent = parentOf(stand);
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [stand]);
    else known.push(stand);
  }
  const all: Placed[] = [];
  const seen = new Set<Stand>();
  const place = (stand: Stand, parent: Stand | null, depth: number): Below => {
    seen.add(stand);
    const at = all.length;
    all.push({ stand, parent: parent?.name ?? null, depth, below: NOTHING });
    let below = NOTHING;
    for (const child of children.get(stand) ?? []) {
      if (seen.has(child)) continue;
      const under = place(child, stand, depth + 1);
      const present = child.kind === 'stands' ? child.present : null;
      below = {
        ledgers: below.ledgers + 1 + under.ledgers,
        launched: below.launched + (present === null ? 0 : launchedIn(present)) + under.launched,
        lastAt: later(later(below.lastAt, present?.at ?? null), under.lastAt),
      };
    }
    all[at] = { ...all[at]!, below };
    return below;
  };
  for (const stand of children.get(null) ?? []) place(stand, null, 0);
  // Headers that name each other in a circle were written by hand.
  for (const stand of stands) if (!seen.has(stand)) place(stand, null, 0);
  return all;
}
