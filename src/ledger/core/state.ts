import type { Decimal } from '../../numeric/decimal.ts';
import type { HaltReason, Refusal } from './refusal.ts';
import type { Hold, StoreTime } from './hold.ts';
import type { CompiledRule } from './rule.ts';
import type { Terms } from './terms.ts';
import type { Caveat } from './caveat.ts';

/**
 * The past as far as a decision depends on it, as plain JSON: the last record's totals and the new mechanism decide.
 */
export interface Totals {
  /** How many mechanisms were launched. */
  readonly launched: number;
  /**
   * The running total of each coordinate of the rule, by its name, as an exact decimal: `epsilon`, `delta`,
   * `epsilonSquared`, `rho`, `muSquared`, or `epsilon@ALPHA` for each order of a Renyi curve. In a compositor, how many
   * of each declared slot are taken: `slot0`, `slot1`, ... (those of which none is taken are left out).
   */
  readonly spent: Readonly<Record<string, string>>;
  /** Why the ledger has halted; null while it is open. */
  readonly halted: HaltReason | null;
  /** How many mechanisms were counted that ran without having been granted; left out where none was. */
  readonly incurred?: number;
  /** The latest moment that a decision depended on; left out where none did. */
  readonly clock?: StoreTime;
  /** What is held, in the order in which it was reserved; left out where nothing is. */
  readonly held?: readonly Hold[];
}

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

/** May this mechanism be run? A decision changes nothing; whoever acts on it must keep `totals`. */
export type Decision =
  | {
      readonly kind: 'accepted';
      readonly state: LedgerState;
      readonly totals: Totals;
      readonly caveats: readonly Caveat[];
    }
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      /** The ledger afterwards: the same, or halted. */
      readonly state: LedgerState;
      /** Whether this refusal halts the ledger, which must then be kept as well. */
      readonly halts: boolean;
    };

/** A refusal without a ledger to go on with. */
export interface Refused {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}
