import type { ComposeOptions } from '../composition/compose/compose.ts';
import type { Outcome } from '../composition/core/outcome.ts';
import { pricePlan as priceResolved, type PricedPlan } from '../composition/plan/price-plan.ts';
import type { Plan } from '../composition/plan/resolved-node.ts';
import type { Query } from '../privacy/query.ts';
import { Arguments, oneOf, record } from './arguments.ts';
import { composeOptions } from './read-options.ts';
import * as read from './read-problem.ts';

const readPlan = record<Plan>(
  'a plan',
  { nodes: read.nodes, adaptivity: oneOf(['adaptive', 'nonadaptive']), order: read.order, setting: read.setting },
  "{ nodes: [...], adaptivity: 'adaptive', order: 'any', setting: USUAL_SETTING }",
);

/**
 * The cost of a plan, and of each of its nodes alone: the same question asked of the node as if it were the whole
 * plan. Refused as `compose` refuses.
 *
 * @example
 * ```js
 * import { pricePlan, readSpecification } from 'dpcompose';
 *
 * const { specification } = readSpecification(
 *   `{"dpcompose": 1, "target": {"epsilon": "1"}, "mechanisms": [{"type": "parallel", "sparsity": 1, "deltaCap": "1e-3",
 *     "of": {"type": "dp", "epsilon": "1", "delta": "1e-6", "kind": "continual"}}]}`,
 * );
 * const { entries: nodes, adaptivity, order, setting, target } = specification;
 * const priced = pricePlan({ nodes, adaptivity, order, setting }, target);
 * console.log(priced.answer.delta.upper); // 0.001
 * console.log(priced.tree.children[0].found.theorems[0].number); // Thm 5.4
 * console.log(priced.tree.children[0].room.instances); // 1000
 * ```
 */
export function pricePlan(
  plan: Plan,
  query: Query,
  options: ComposeOptions = {},
): ({ readonly kind: 'priced' } & PricedPlan) | Extract<Outcome, { kind: 'refusal' }> {
  const given = new Arguments('pricePlan');
  return priceResolved(
    given.read('plan', plan, readPlan),
    given.read('query', query, read.query),
    given.read('options', options, composeOptions),
  );
}
