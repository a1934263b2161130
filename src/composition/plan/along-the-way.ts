import { isEntry, type PlanNode } from '../core/plan-node.ts';
import type { AlongTheWay, Place } from '../core/uncovered.ts';
import { walk } from '../core/walk.ts';

function ownChoice(node: PlanNode): AlongTheWay | null {
  if (isEntry(node)) return node.kind === 'continual' ? 'continual' : null;
  return node.node === 'group' ? null : node.node;
}

/**
 * The first part of a plan in which something is created or chosen while mechanisms run, so that they cannot all be fixed
 * in advance together with their data: instances, the parts or users in which neighbours differ, the data of a continual
 * mechanism; null where everything is fixed. Questions to an interactive mechanism are about data that are.
 *
 * Composition of mechanisms fixed in advance (Dong, Durfee, Rogers 2020, Theorem 3) lets the adversary choose one pair of
 * neighbours for each mechanism beforehand. Whoever creates instances chooses their pairs by the answers so far, and may
 * reach more: of ten 0.1-bounded-range instances delta 1.197e-6 at the epsilon 0.6286368388 that Theorem 3 gives for 1e-6.
 */
export function firstAlongTheWay(nodes: readonly PlanNode[]): (Place & { readonly what: AlongTheWay }) | null {
  for (const { node, path } of walk(nodes)) {
    const what = ownChoice(node);
    if (what !== null) return { what, path, label: node.label };
  }
  return null;
}
