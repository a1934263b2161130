import { goldenSection } from '../../numeric/convex/minimum.ts';
import { decimalFromDouble } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { Query } from '../../privacy/curve.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { isEntry, type PlanNode, type Structure } from '../core/plan-node.ts';
import { composeEntries, type ComposeOptions } from '../entries/compose-entries.ts';
import { concurrentFixed } from '../theorems/concurrent.ts';
import { asOne, dpOnce, entriesOf, costKey, type Cost } from './cost.ts';
import { alike, instancesTotal, type InstancesOf } from './instances-cost.ts';
import type { Context, ResolvedNode } from './resolved-node.ts';
import { conditionsOf, type Conduct } from './rules.ts';

/** More choices than this are not priced one by one: what dominates all of them is. */
const MOST = 64;

/** Whether no more than one instance of it differs. */
const atMostOneDiffers = (part: PlanNode): boolean => isEntry(part) || part.node !== 'parallel' || part.sparsity <= 1;

/** The kind of thing of which exactly one gets different data: an instance, or a part; null where that is not so. */
function singleDiffering(node: Structure): InstancesOf | 'parts' | null {
  switch (node.node) {
    case 'group':
      return null;
    case 'parallel':
      return node.sparsity === 1 ? { ...node, counted: 'instances' } : null;
    case 'partition':
      if (node.parts !== undefined) return node.sparsity === 1 ? alike({ sparsity: 1, instances: node.parts }) : null;
      return node.sparsity === 1 && (node.counted === 'parts' || node.of.every(atMostOneDiffers)) ? 'parts' : null;
    case 'local':
      if (node.differing !== 1) return null;
      return node.users.kind === 'different' ? 'parts' : alike({ sparsity: 1, instances: node.users.count }, 'users');
  }
}

/** The children that cost anything. */
const nonzeroCost = (children: readonly ResolvedNode[]): readonly ResolvedNode[] =>
  children.filter(({ cost }) => cost.differing.length > 0 || cost.created.length > 0);

function choicesOf({ node, cost, children, path, late }: ResolvedNode, context: Context): readonly Cost[] {
  const [first, ...others] = node === null || isEntry(node) || node.node === 'group' ? nonzeroCost(children) : children;
  if (first === undefined) return [cost];
  if (node === null || isEntry(node) || node.node === 'group') {
    return others.length === 0 ? alternatives(first, context) : [cost];
  }
  const single = singleDiffering(node);
  if (single === null) return [cost];
  if (single === 'parts') {
    const choices = children.flatMap((child) => alternatives(child, context));
    return choices.map(({ differing }) => ({ differing, created: cost.created }));
  }
  return alternatives(first, context).map(
    (partCost) => instancesTotal(single, partCost, late, { path, label: null }, context).cost,
  );
}

/**
 * The costs that a node may have on its own, choice by choice of the part of the data that differs: alone it costs as much as the
 * costliest. That choice is made before anything that depends on the data is seen, so the largest curve holds; beside
 * other mechanisms it may depend on their answers, and only what dominates all choices does.
 *
 * @param context - that of the resolution which found the node
 */
export function alternatives(resolvedNode: ResolvedNode, context: Context): readonly Cost[] {
  // There every instance pays, and the cost of one that differs is not apart.
  if (context.way.late === 'all') return [resolvedNode.cost];
  const all = choicesOf(resolvedNode, context);
  if (all.length === 1) return all;
  const choices = new Map(all.map((choice) => [costKey(choice), choice]));
  return choices.size > MOST ? [resolvedNode.cost] : [...choices.values()];
}

/** How finely a share of delta is looked for; every share gives a valid total. */
const SECTIONS = 6;
const SMALLEST_SHARE = 1e-15;

/**
 * The total of a plan whose parts are priced one by one: each part as one (e, d), then the optimal composition of all
 * these. A part whose losses are limited is priced at its largest loss and its chance of failure; of the others each is
 * priced at the same share of delta, chosen so that the total is small. null where there is nothing to group, or where no
 * bound covers a part, or where answers of interactive parts are not discrete, as they must be for that theorem.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 4.10, of nested compositions (Remark 4.2).
 *
 * @param withShares - whether shares of delta are looked for; where not, null where a part needs one
 */
export function groupedTotal(
  whole: ResolvedNode,
  context: Context,
  query: Query,
  options: ComposeOptions,
  withShares = true,
): Bracket | null {
  const { children } = whole;
  if (children.length < 2 || children.every(({ node }) => node !== null && isEntry(node))) return null;
  const { adaptivity, setting } = context.plan;
  if (setting.discrete === 'denied' && whole.conducts.some(({ measure }) => measure !== 'any')) return null;

  const total = (entries: readonly Entry[], partQuery: Query): Bracket | null => {
    const outcome = composeEntries({ entries, adaptivity }, partQuery, options);
    return outcome.kind === 'answer' ? outcome.answer[partQuery.solveFor] : null;
  };

  const singles = children.filter(({ node }) => node !== null && isEntry(node)).flatMap(({ cost }) => entriesOf(cost));
  const parts = children
    .filter(({ node }) => node !== null && !isEntry(node))
    .map((child) => {
      const choices = alternatives(child, context).map(entriesOf);
      return { label: child.path, choices, one: asOne(choices, child.path) };
    });
  const pricedEntries = [...singles, ...parts.flatMap(({ one }) => one ?? [])];
  const unlimited = parts.filter(({ one }) => one === null);
  if (unlimited.length === 0) return total(pricedEntries, query);
  if (!withShares) return null;

  const priced = (share: number): Bracket | null => {
    const delta = decimalFromDouble(share);
    const pairs = unlimited.flatMap(({ label, choices }) => {
      const epsilons = choices.map((entries) => total(entries, { solveFor: 'epsilon', delta })?.upper ?? Infinity);
      const epsilon = Math.max(...epsilons);
      return epsilon < Infinity ? [dpOnce(decimalFromDouble(epsilon), delta, 'interactive', label)] : [];
    });
    return pairs.length < unlimited.length ? null : total([...pricedEntries, ...pairs], query);
  };
  const largestShare = query.solveFor === 'epsilon' ? query.delta.toNumber() / unlimited.length : 0.5;
  if (!(largestShare > SMALLEST_SHARE)) return null;
  const share = goldenSection((x) => priced(x)?.upper ?? Infinity, SMALLEST_SHARE, largestShare, SECTIONS);
  return priced(share);
}

/** The whole of a plan by the theorem that leads to its grouped total, under which interactive parts are (e, d)-DP. */
export function asGrouped(whole: ResolvedNode, { plan }: Context): ResolvedNode {
  const theorems = [concurrentFixed];
  const conducts = whole.conducts.map((conduct): Conduct =>
    conduct.measure === 'any' ? conduct : { ...conduct, measure: 'approximate' },
  );
  return { ...whole, theorems, conditions: conditionsOf(theorems, conducts, plan.setting) };
}
