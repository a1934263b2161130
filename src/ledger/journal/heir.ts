import type { Refused } from '../core/decision.ts';
import type { LedgerState } from '../core/state.ts';
import type { FilterTerms, Terms } from '../core/terms.ts';
import type { Opened } from '../open.ts';
import { toFilter } from '../to-filter.ts';
import { toOdometer } from '../to-odometer.ts';

/** The ledger that another becomes which ends for one of these terms; refused where it cannot become it. */
export function heirOf(state: LedgerState, terms: Terms): Opened | Refused {
  if (terms.mode !== 'filter') return toOdometer(state);
  const { rule, budget, onExcess }: FilterTerms = terms;
  return toFilter(state, rule.id, budget, onExcess);
}
