import { caveatsOf } from './core/caveats.ts';
import { open, type Opened } from './open.ts';
import type { Refused } from './core/decision.ts';
import { carriedOver, type LedgerState } from './core/state.ts';
import type { Budgets, FilterTerms, OnExcess, RuleId } from './core/terms.ts';

/**
 * The filter that lets an odometer's mechanisms run while its reading is within the budget [Haney et al. 2023, Lemma
 * 2.19]. Mechanisms launched before count, by the same rule with the same parameters; the budget must be of that rule.
 *
 * The filter's guarantee is the budget only if that was fixed before the run, or does not depend on its answers: the caveat
 * `threshold-fixed-before` says so where something was launched.
 *
 * Refused where the reading is beyond the budget already (`insufficient-budget`), for anything but an odometer and for a
 * nested ledger (`invalid-query`), and where the terms are not sound.
 */
export function toFilter<Id extends RuleId>(
  odometer: LedgerState,
  id: Id,
  budget: Budgets[Id],
  onExcess: OnExcess,
): Opened | Refused {
  const { terms, spent, provenance } = odometer;
  if (terms.mode !== 'odometer') return { kind: 'refused', refusal: { code: 'invalid-query', reason: 'wrong-mode' } };
  if (provenance === 'nested') return { kind: 'refused', refusal: { code: 'invalid-query', reason: 'nested' } };
  if (terms.rule.id !== id) {
    return {
      kind: 'refused',
      refusal: { code: 'invalid-terms', path: 'budget', allowed: `a budget of ${terms.rule.id}` },
    };
  }
  const opened = open({ ...terms, mode: 'filter', budget, onExcess } as FilterTerms);
  if (opened.kind === 'refused') return opened;
  const { rule } = opened.state;
  const excess = rule.excess(spent);
  if (excess) return { kind: 'refused', refusal: excess };
  const state: LedgerState = { ...opened.state, ...carriedOver(odometer) };
  return { kind: 'opened', state, caveats: caveatsOf(state) };
}
