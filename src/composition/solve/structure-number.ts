import type { Budget } from '../compose/budget.ts';
import type { Problem } from '../compose/compose.ts';
import { isEntry, partsOf, type Instances, type PlanNode, type Structure } from '../core/plan-node.ts';
import type { PlacedNode } from '../core/walk.ts';
import type { End, SearchOptions } from './largest.ts';
import { largestWhole } from './largest-count.ts';
import { withNode } from './mechanisms.ts';

/** Numbers of nodes that hold others: of instances or users, and of those with different data. */
export const STRUCTURE_NUMBERS = ['instances', 'sparsity', 'users', 'differing'] as const;

export type StructureNumber = (typeof STRUCTURE_NUMBERS)[number];

/** A number of a node that may vary. */
interface OwnNumber {
  readonly value: Instances;
  /** More than this makes no difference. */
  readonly most: Instances;
  readonly replaced: (value: number) => Structure;
}

/** The number of that name that a node has; null where it has none. */
export function structureNumber(node: PlanNode, name: StructureNumber): OwnNumber | null {
  if (isEntry(node)) return null;
  switch (name) {
    case 'instances':
      if (node.node !== 'parallel') return null;
      return { value: node.instances, most: 'unbounded', replaced: (instances) => ({ ...node, instances }) };
    case 'sparsity': {
      if (node.node !== 'parallel' && node.node !== 'partition') return null;
      const most = node.node === 'parallel' ? node.instances : node.counted === 'parts' ? partsOf(node) : 'unbounded';
      return { value: node.sparsity, most, replaced: (sparsity) => ({ ...node, sparsity }) };
    }
    case 'users': {
      if (node.node !== 'local' || node.users.kind === 'different') return null;
      const { users } = node;
      return { value: users.count, most: 'unbounded', replaced: (count) => ({ ...node, users: { ...users, count } }) };
    }
    case 'differing': {
      if (node.node !== 'local') return null;
      const most = node.users.kind === 'different' ? node.users.each.length : node.users.count;
      return { value: node.differing, most, replaced: (differing) => ({ ...node, differing }) };
    }
  }
}

/** Where a number of a node ceases to fit into a budget, all else held; a node without that number is a mistake. */
export function largestStructureNumber(
  problem: Problem,
  { node, path }: PlacedNode,
  name: StructureNumber,
  budget: Budget,
  options: SearchOptions = {},
): End<number> {
  const own = structureNumber(node, name);
  if (own === null) throw new RangeError(`${path} has no ${name}`);
  const start = own.value === 'unbounded' ? 1 : own.value;
  const last = own.most === 'unbounded' ? {} : { last: own.most };
  const mayBeZero = name === 'sparsity' || name === 'differing';
  const problemAt = (value: number): Problem => ({
    ...problem,
    entries: withNode(problem.entries, path, own.replaced(value)),
  });
  return largestWhole({ start, ...last, ...(mayBeZero && { zero: 0 }), problemAt }, budget, options);
}
