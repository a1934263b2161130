import type { Caveat } from './caveat.ts';
import type { LedgerState } from './state.ts';

/** The caveats of a budget that was set when something had been launched already; none for other budgets. */
export const budgetCaveats = ({ terms, provenance }: LedgerState): readonly Caveat[] =>
  terms.mode !== 'odometer' && provenance === 'converted' ? ['threshold-fixed-before'] : [];

/** Whether a ledger is beyond its budget, which only what ran without having been granted brings about. */
export const isExceeded = ({ rule, spent }: LedgerState): boolean => rule.excess(spent) !== null;

/** The caveats of what was counted without having been granted; an odometer only counts. */
function incurredCaveats(state: LedgerState): readonly Caveat[] {
  if (state.incurred === 0 || state.terms.mode === 'odometer') return [];
  if (!isExceeded(state)) return ['not-granted-beforehand'];
  return ['budget-exceeded', ...(state.provenance === 'nested' ? (['more-than-was-paid'] as const) : [])];
}

/** The caveats that stand with a ledger of these terms whenever it is opened or read. */
export const caveatsOf = (state: LedgerState): readonly Caveat[] => [
  ...incurredCaveats(state),
  ...(isExceeded(state)
    ? []
    : [state.terms.mode === 'odometer' ? ('threshold-fixed-before' as const) : ('budget-is-the-guarantee' as const)]),
  ...budgetCaveats(state),
  ...state.rule.caveats,
];
