import type { Decimal } from '../../numeric/decimal.ts';
import type { HaltReason } from './halt-reason.ts';
import type { Hold, StoreTime } from './hold.ts';
import type { CompiledRule } from './rule.ts';
import type { Terms } from './terms.ts';
import type { Totals } from './totals.ts';

/**
 * Where a ledger comes from, as far as that decides what may be made of it and claimed for it: it was opened by itself;
 * its budget was paid for in another one; or it goes on from what was launched in another one, before its own terms
 * were chosen.
 */
export type Provenance = 'opened' | 'nested' | 'converted';

/** A ledger at one moment: a value, never changed in place. Made by `open`, `resume` and decisions. */
export interface LedgerState {
  readonly terms: Terms;
  /** The terms' rule and budget, ready for decisions. */
  readonly rule: CompiledRule;
  readonly launched: number;
  /** The running total of each coordinate of the rule. */
  readonly spent: readonly Decimal[];
  readonly halted: HaltReason | null;
  readonly provenance: Provenance;
  /** How many mechanisms were counted that ran without having been granted. */
  readonly incurred: number;
  /** The latest moment that a decision depended on; null where none did. */
  readonly clock: StoreTime | null;
  /** What is held beside what was spent, and may have expired since. */
  readonly held: readonly Hold[];
}

/** What of a ledger stays with the one that it becomes; what is held in it is given back. */
export const carriedOver = ({
  launched,
  spent,
  incurred,
  clock,
}: LedgerState): Pick<LedgerState, 'launched' | 'spent' | 'incurred' | 'clock' | 'held' | 'provenance'> => ({
  launched,
  spent,
  incurred,
  clock,
  held: [],
  provenance: goesOn(launched),
});

/** The provenance of a ledger that goes on from another with so many launches. */
export const goesOn = (launched: number): Provenance => (launched > 0 ? 'converted' : 'opened');

/** The totals that a record keeps of a ledger: enough to go on from. */
export function totalsOf({ terms, rule, launched, spent, halted, incurred, clock, held }: LedgerState): Totals {
  const named = rule.names.map((name, i): [string, string] => [name, spent[i]!.toString()]);
  const kept = terms.mode === 'compositor' ? named.filter(([, text]) => text !== '0') : named;
  return {
    launched,
    spent: Object.fromEntries(kept),
    halted,
    ...(incurred > 0 && { incurred }),
    ...(clock !== null && { clock }),
    ...(held.length > 0 && { held }),
  };
}
