import { caveatsOf, type Refused, carriedOver, type LedgerState, type Decision } from './core/state.ts';
import { open, type Opened } from './open.ts';
import type {
  Budgets,
  FilterTerms,
  OnExcess,
  RuleId,
  OdometerTerms,
  Terms,
  FixedParameterTerms,
} from './core/terms.ts';
import type { Refusal } from './core/refusal.ts';
import type { Guarantee } from './core/rule.ts';
import { launch } from './spend.ts';

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

export type Nested =
  | {
      readonly kind: 'accepted';
      /** The parent's decision, whose totals must be kept first. */
      readonly parent: Extract<Decision, { kind: 'accepted' }>;
      /** The new ledgers, in the order of their terms. */
      readonly children: readonly LedgerState[];
    }
  | Extract<Decision, { kind: 'refused' }>
  /** A child that cannot be opened; the parent is as it was. */
  | Refused;

const refused = (refusal: Refusal): Refused => ({ kind: 'refused', refusal });

/** Why a child has no place in its parent. */
function mismatch(parent: Terms, child: Terms): Refusal | null {
  if (parent.concurrency === 'sequential') return { code: 'no-theorem', reason: 'nested-in-sequential' };
  if (!child.distance.eq(parent.distance)) return { code: 'unverified', reason: 'other-distance' };
  if (child.neighbours !== parent.neighbours) return { code: 'unverified', reason: 'other-neighbours' };
  const isLaxer = parent.evidence === 'required' && child.evidence !== 'required';
  return isLaxer ? { code: 'unverified', reason: 'no-evidence-in-child' } : null;
}

/**
 * Opens ledgers inside a ledger. Each child is an interactive mechanism with its budget for a guarantee, and the parent
 * pays for it at once, whatever is spent in it [Haney et al. 2023, Algorithm 12]. Nested sums cost what a flat ledger
 * would; nested rules that convert to (epsilon, delta)-DP cost more.
 *
 * Several children are parallel: each sees a part of the data, the parts are disjoint, and neighbours differ in one part
 * only. For two given neighbours all but one of them can be simulated, so the parent pays the largest charge, coordinate by
 * coordinate [derived; Haney et al. 2023, Sec 5]. Where neighbours may differ in two parts, as when a record is replaced by
 * one that belongs elsewhere, they are not parallel: the caveat `disjoint-parts` says so.
 *
 * Refused: an odometer as a child, which has no budget, and any child of a sequential ledger, as what is spent in a child
 * is a query to it that nothing keeps from coming after the next launch (`no-theorem`); a child at another distance or with other
 * neighbours, or without the evidence that its parent asks for (`unverified`), terms that cannot be opened, and what the parent refuses.
 */
export function nest(
  parent: LedgerState,
  children: readonly [Terms | FixedParameterTerms, ...(Terms | FixedParameterTerms)[]],
): Nested {
  const states: LedgerState[] = [];
  const guarantees: Guarantee[] = [];
  for (const terms of children) {
    const child = open(terms);
    if (child.kind === 'refused') return child;
    const { rule, terms: opened } = child.state;
    if (!rule.guarantee) return refused({ code: 'no-theorem', reason: 'unbounded-child' });
    const other = mismatch(parent.terms, opened);
    if (other) return refused(other);
    states.push({ ...child.state, provenance: 'nested' });
    guarantees.push(rule.guarantee);
  }
  const [first, ...rest] = guarantees;
  if (!first) return refused({ code: 'invalid-terms', path: 'children', allowed: 'at least one ledger' });
  const decision = launch(parent, { guarantees: [first, ...rest], kind: 'interactive', count: 1 });
  if (decision.kind === 'refused') return decision;
  const caveats = rest.length === 0 ? decision.caveats : [...decision.caveats, 'disjoint-parts' as const];
  return { kind: 'accepted', parent: { ...decision, caveats }, children: states };
}
