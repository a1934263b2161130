import type { Decision, Refused, LedgerState } from './core/state.ts';
import type { Refusal } from './core/refusal.ts';
import type { Guarantee } from './core/guarantee.ts';
import { open } from './open.ts';
import { launch } from './spend.ts';
import type { FixedParameterTerms, Terms } from './core/terms.ts';

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
