import { caveatsOf } from './core/caveats.ts';
import { open, type Opened } from './open.ts';
import { type Refused, carriedOver, type LedgerState } from './core/state.ts';
import type { Budgets, FilterTerms, OnExcess, RuleId, OdometerTerms, Terms } from './core/terms.ts';

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
  conversions?: FilterTerms['conversions'],
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
  const opened = open({
    ...terms,
    mode: 'filter',
    budget,
    onExcess,
    ...(conversions && { conversions }),
  } as FilterTerms);
  if (opened.kind === 'refused') return opened;
  const { rule } = opened.state;
  const excess = rule.excess(spent);
  if (excess) return { kind: 'refused', refusal: excess };
  const state: LedgerState = { ...opened.state, ...carriedOver(odometer) };
  return { kind: 'opened', state, caveats: caveatsOf(state) };
}

/**
 * The odometer that reads a filter's loss: the same rule with the same parameters and totals, and no budget any more
 * [Haney et al. 2023, Lemma 2.19]. From here on nothing enforces the budget, which the caveat
 * `budget-no-longer-enforced` says; a threshold that was fixed before the run gives a reading its meaning.
 *
 * Refused for anything but a filter, for a nested one, whose budget is what was paid for it, and for one whose terms forbid it
 * (`invalid-query`), and for one that has halted (`halted`).
 */
export function toOdometer(filter: LedgerState): Opened | Refused {
  const { terms, halted, provenance } = filter;
  if (terms.mode !== 'filter') return { kind: 'refused', refusal: { code: 'invalid-query', reason: 'wrong-mode' } };
  if (provenance === 'nested') return { kind: 'refused', refusal: { code: 'invalid-query', reason: 'nested' } };
  if (halted) return { kind: 'refused', refusal: { code: 'halted', because: halted } };
  if (terms.conversions === 'forbidden') {
    return { kind: 'refused', refusal: { code: 'invalid-query', reason: 'fixed-budget' } };
  }
  const { rule, concurrency, maxMechanisms, distance, neighbours, evidence, window, approvals, refusals } = terms;
  const asked = { ...(evidence && { evidence }), ...(window && { window }), ...(approvals && { approvals }) };
  const kept = { rule, concurrency, maxMechanisms, distance, neighbours, ...asked, ...(refusals && { refusals }) };
  const odometer: OdometerTerms = { mode: 'odometer', ...kept };
  const opened = open(odometer);
  if (opened.kind === 'refused') return opened;
  return {
    kind: 'opened',
    state: { ...opened.state, ...carriedOver(filter) },
    caveats: [...opened.caveats, 'budget-no-longer-enforced'],
  };
}

/** The ledger that another becomes which ends for one of these terms; refused where it cannot become it. */
export function heirOf(state: LedgerState, terms: Terms): Opened | Refused {
  if (terms.mode !== 'filter') return toOdometer(state);
  const { rule, budget, onExcess, conversions }: FilterTerms = terms;
  return toFilter(state, rule.id, budget, onExcess, conversions);
}
