import type { Fault } from './fault.ts';
import type { Present } from './present.ts';

/** A ledger among several; a fault where it cannot be read. */
export type LedgerSummary = { readonly name: string } & (
  | { readonly kind: 'readable'; readonly present: Present; readonly isCopy?: boolean }
  | { readonly kind: 'fault'; readonly fault: Fault }
);

/** All that comes from a ledger: what is nested in it or goes on from it, and what comes from these. */
export interface DescendantTotals {
  readonly ledgers: number;
  readonly launched: number;
  /** The latest time that a record of them has. */
  readonly lastAt: string | null;
}

/** A ledger with its place in the tree of all. */
export interface LedgerNode {
  readonly summary: LedgerSummary;
  /** The ledger that it comes from, where that is among them. */
  readonly parent: string | null;
  /** How many steps it is below one that comes from none of them. */
  readonly depth: number;
  readonly descendants: DescendantTotals;
}

const later = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && Date.parse(b) > Date.parse(a)) ? b : a;

/** The mechanisms that a ledger has launched by itself, without those that it went on from. */
const launchedIn = ({ state, header: { origin } }: Present): number =>
  state.launched - (origin?.kind === 'converted' ? origin.totals.launched : 0);

const NOTHING: DescendantTotals = { ledgers: 0, launched: 0, lastAt: null };

/**
 * Ledgers in the order of a tree: after each those that it paid for or that go on from it, by the ids in their headers, which stand for
 * a record of the other one (`verifyOrigin` sets the two side by side). Of several ledgers of one id the first is taken.
 */
export function ledgerTree(summaries: readonly LedgerSummary[]): readonly LedgerNode[] {
  const byId = new Map<string, LedgerSummary>();
  for (const summary of summaries) {
    if (summary.kind === 'readable' && !byId.has(summary.present.header.id))
      byId.set(summary.present.header.id, summary);
  }
  const parentOf = (summary: LedgerSummary): LedgerSummary | null => {
    const id = summary.kind === 'readable' ? summary.present.header.origin?.id : undefined;
    const parent = id === undefined ? undefined : byId.get(id);
    return parent === undefined || parent === summary ? null : parent;
  };
  const children = new Map<LedgerSummary | null, LedgerSummary[]>();
  for (const summary of summaries) {
    const parent = parentOf(summary);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [summary]);
    else siblings.push(summary);
  }
  const all: LedgerNode[] = [];
  const visitedSummaries = new Set<LedgerSummary>();
  const place = (summary: LedgerSummary, parent: LedgerSummary | null, depth: number): DescendantTotals => {
    visitedSummaries.add(summary);
    const at = all.length;
    all.push({ summary, parent: parent?.name ?? null, depth, descendants: NOTHING });
    let descendants = NOTHING;
    for (const child of children.get(summary) ?? []) {
      if (visitedSummaries.has(child)) continue;
      const under = place(child, summary, depth + 1);
      const present = child.kind === 'readable' ? child.present : null;
      descendants = {
        ledgers: descendants.ledgers + 1 + under.ledgers,
        launched: descendants.launched + (present === null ? 0 : launchedIn(present)) + under.launched,
        lastAt: later(later(descendants.lastAt, present?.at ?? null), under.lastAt),
      };
    }
    all[at] = { ...all[at]!, descendants };
    return descendants;
  };
  for (const summary of children.get(null) ?? []) place(summary, null, 0);
  // Headers that name each other in a circle were written by hand.
  for (const summary of summaries) if (!visitedSummaries.has(summary)) place(summary, null, 0);
  return all;
}
