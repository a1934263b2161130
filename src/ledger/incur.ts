import type { Entry } from '../privacy/mechanism.ts';
import { caveatsOf } from './core/caveats.ts';
import { type Decision, totalsOf, type LedgerState } from './core/state.ts';
import type { Refusal } from './core/refusal.ts';
import { launchOf, tooMany } from './spend.ts';

const refuse = (state: LedgerState, refusal: Refusal): Decision => ({ kind: 'refused', refusal, state, halts: false });

/**
 * The ledger with mechanisms that ran without having been granted: they count, also beyond the budget, the number of
 * mechanisms and the end of a ledger, and beside what is held.
 *
 * A filter guarantees its budget because it enforces it on every path, and it did not enforce this. Within the budget, the
 * guarantee still stands if what ran would have kept within the budget whatever had been answered: then the filter would have
 * granted it (`not-granted-beforehand`). Beyond it, the path itself refutes that: the budget guarantees nothing (`budget-exceeded`),
 * and what is left is the sum, as an odometer reads it, against a threshold that was fixed before the first launch
 * [Haney et al. 2023, Sec 1.3]. A compositor beyond what was declared has no such reading: its bound is for what was declared.
 * From then on nothing fits.
 *
 * Refused is only what the rule cannot count (`unverified`, `no-theorem`).
 */
export function incur(state: LedgerState, entries: readonly Entry[]): Decision {
  let next = state;
  for (const entry of entries) {
    const wanted = launchOf(entry, state.terms);
    if ('code' in wanted) return refuse(state, wanted);
    const uncountable = tooMany(next.launched, wanted);
    if (uncountable) return refuse(state, uncountable);
    const added = next.rule.extend(next.spent, wanted);
    if ('refusal' in added) return refuse(state, added.refusal);
    const { launched, incurred } = next;
    next = { ...next, spent: added.spent, launched: launched + wanted.count, incurred: incurred + wanted.count };
  }
  return { kind: 'accepted', state: next, totals: totalsOf(next), caveats: caveatsOf(next) };
}
