import type { Query } from '../../privacy/query.ts';
import type { ComposeOptions } from '../entries/compose-entries.ts';
import type { Problem } from '../compose/compose.ts';
import type { Refusal } from '../core/outcome.ts';
import { isEntry } from '../core/plan-node.ts';
import { pricePlan, type PricedPlan } from '../plan/price-plan.ts';
import { USUAL_SETTING } from '../core/setting.ts';
import { ofSubmechanisms } from '../theorems/design.ts';
import { checkDesign, isPrivate, type DesignCheck } from './check-design.ts';
import type { Design } from './design.ts';

/** A mechanism that runs others, and those. */
export interface DesignProblem extends Problem {
  readonly design: Design;
}

/** The cost of a design; or why it may be less private than its sub-mechanisms; or why those have no guarantee together. */
export type DesignOutcome = { readonly check: DesignCheck } &
  /** The tree begins with the theorem that leads from the sub-mechanisms to the mechanism. */
  (
    | { readonly kind: 'priced'; readonly plan: PricedPlan }
    | { readonly kind: 'fails' }
    | { readonly kind: 'refusal'; readonly refusal: Refusal }
  );

/**
 * The cost of a mechanism that runs others, which is the cost of those together as long as it has the destination, the response
 * and the f -> f' property.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 6.1 and Corollary 6.6.
 */
export function composeDesign(problem: DesignProblem, query: Query, options: ComposeOptions = {}): DesignOutcome {
  const { entries: nodes, adaptivity, order = 'any', setting = USUAL_SETTING, design } = problem;
  const check = checkDesign(design, nodes);
  if (!isPrivate(check)) return { kind: 'fails', check };
  if (adaptivity === 'parameters') {
    const code = nodes.every(isEntry) ? 'adaptive-parameters' : 'adaptive-parameters-in-parallel';
    return { kind: 'refusal', refusal: { code }, check };
  }
  const plan = pricePlan({ nodes, adaptivity, order, setting }, query, options);
  if (plan.kind === 'refusal') return { ...plan, check };
  const { answer, tree } = plan;
  const found = { ...tree.found, theorems: [ofSubmechanisms, ...tree.found.theorems] };
  return { kind: 'priced', plan: { answer, tree: { ...tree, found } }, check };
}
