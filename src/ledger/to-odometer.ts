import type { Refused } from './core/decision.ts';
import { open, type Opened } from './open.ts';
import { carriedOver, type LedgerState } from './core/state.ts';
import type { OdometerTerms } from './core/terms.ts';

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
