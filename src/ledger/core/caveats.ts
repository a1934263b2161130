import type { Caveat } from './caveat.ts';
import type { LedgerState } from './state.ts';

/** The caveats of a budget that was set when something had been launched already; none for other budgets. */
export const budgetCaveats = ({ terms, provenance }: LedgerState): readonly Caveat[] =>
  terms.mode !== 'odometer' && provenance === 'converted' ? ['threshold-fixed-before'] : [];

/** The caveats that stand with a ledger of these terms whenever it is opened or read. */
export const caveatsOf = (state: LedgerState): readonly Caveat[] => [
  state.terms.mode === 'odometer' ? 'threshold-fixed-before' : 'budget-is-the-guarantee',
  ...budgetCaveats(state),
  ...state.rule.caveats,
];
