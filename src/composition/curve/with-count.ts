import type { Entry } from '../../privacy/mechanism.ts';
import { isEntry, type PlanNode } from '../core/plan-node.ts';

/** The same nodes with another count of `entry`, which is one of them or stands anywhere below them. */
export function withCount(nodes: readonly PlanNode[], entry: Entry, count: number): readonly PlanNode[] {
  return nodes.map((node) => changed(node, entry, count));
}

function changed(node: PlanNode, entry: Entry, count: number): PlanNode {
  if (isEntry(node)) return node === entry ? { ...entry, count } : node;
  switch (node.node) {
    case 'group':
      return { ...node, nodes: withCount(node.nodes, entry, count) };
    case 'parallel':
      return { ...node, of: changed(node.of, entry, count) };
    case 'partition':
      return { ...node, of: withCount(node.of, entry, count) };
    case 'local': {
      const { users } = node;
      return {
        ...node,
        users:
          users.kind === 'alike'
            ? { ...users, of: changed(users.of, entry, count) }
            : { ...users, each: withCount(users.each, entry, count) },
      };
    }
  }
}
