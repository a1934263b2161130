import type { HaltReason } from './halt-reason.ts';
import type { Hold, StoreTime } from './hold.ts';

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
