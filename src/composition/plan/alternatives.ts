import { isEntry, type PlanNode, type Structure } from '../core/plan-node.ts';
import { costKey, type Cost } from './cost.ts';
import { alike, instancesTotal, type InstancesOf } from './instances-cost.ts';
import type { Context, ResolvedNode } from './resolved-node.ts';

/** More choices than this are not priced one by one: what dominates all of them is. */
const MOST = 64;

/** Whether no more than one instance of it differs. */
const isOne = (part: PlanNode): boolean => isEntry(part) || part.node !== 'parallel' || part.sparsity <= 1;

/** Of what one gets different data: of instances of the same, of parts that may differ; null where it is not one. */
function oneOf(node: Structure): InstancesOf | 'parts' | null {
  switch (node.node) {
    case 'group':
      return null;
    case 'parallel':
      return node.sparsity === 1 ? { ...node, counted: 'instances' } : null;
    case 'partition':
      if (node.parts !== undefined) return node.sparsity === 1 ? alike({ sparsity: 1, instances: node.parts }) : null;
      return node.sparsity === 1 && (node.counted === 'parts' || node.of.every(isOne)) ? 'parts' : null;
    case 'local':
      if (node.differing !== 1) return null;
      return node.users.kind === 'different' ? 'parts' : alike({ sparsity: 1, instances: node.users.count }, 'users');
  }
}

/** Those that cost anything: what says nothing is no company. */
const paying = (children: readonly ResolvedNode[]): readonly ResolvedNode[] =>
  children.filter(({ cost }) => cost.differing.length > 0 || cost.created.length > 0);

function choicesOf({ node, cost, children, path, late }: ResolvedNode, context: Context): readonly Cost[] {
  const [first, ...others] = node === null || isEntry(node) || node.node === 'group' ? paying(children) : children;
  if (first === undefined) return [cost];
  if (node === null || isEntry(node) || node.node === 'group') {
    return others.length === 0 ? alternatives(first, context) : [cost];
  }
  const one = oneOf(node);
  if (one === null) return [cost];
  if (one === 'parts') {
    const choices = children.flatMap((child) => alternatives(child, context));
    return choices.map(({ differing }) => ({ differing, created: cost.created }));
  }
  return alternatives(first, context).map(
    (each) => instancesTotal(one, each, late, { path, label: null }, context).cost,
  );
}

/**
 * The costs that a node may have on its own, choice by choice of the part of the data that differs: alone it costs as much as the
 * costliest. That choice is made before anything that depends on the data is seen, so the largest curve holds; beside
 * other mechanisms it may depend on their answers, and only what dominates all choices does.
 *
 * @param context - that of the resolution which found the node
 */
export function alternatives(found: ResolvedNode, context: Context): readonly Cost[] {
  // There every instance pays, and the cost of one that differs is not apart.
  if (context.way.late === 'all') return [found.cost];
  const all = choicesOf(found, context);
  if (all.length === 1) return all;
  const choices = new Map(all.map((choice) => [costKey(choice), choice]));
  return choices.size > MOST ? [found.cost] : [...choices.values()];
}
