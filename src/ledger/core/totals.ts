import type { HaltReason } from './halt-reason.ts';

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
}
