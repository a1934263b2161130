import type { Caveat } from './caveat.ts';
import type { LedgerState } from './state.ts';

/** What a budget needs that was set when something had been launched already; nothing for other budgets. */
export const budgetCaveats = ({ terms, provenance }: LedgerState): readonly Caveat[] =>
  terms.mode !== 'odometer' && provenance === 'converted' ? ['threshold-fixed-before'] : [];

/** Said whenever a ledger of these terms is opened or read. */
export const caveatsOf = (state: LedgerState): readonly Caveat[] => [
  state.terms.mode === 'odometer' ? 'threshold-fixed-before' : 'budget-is-the-guarantee',
  ...budgetCaveats(state),
  ...state.rule.caveats,
];
