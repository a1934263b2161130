import type { Caveat } from './decision.ts';
import type { LedgerState } from './state.ts';

/** Said whenever a ledger of these terms is opened or read. */
export const caveatsOf = ({ terms, rule }: LedgerState): readonly Caveat[] => [
  terms.mode === 'odometer' ? 'threshold-fixed-before' : 'budget-is-the-guarantee',
  ...rule.caveats,
];
