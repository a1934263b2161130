import type { Caveat } from './caveat.ts';
import type { Refusal } from './refusal.ts';
import type { LedgerState } from './state.ts';
import type { Totals } from './totals.ts';

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
