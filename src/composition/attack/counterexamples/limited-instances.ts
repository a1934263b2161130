import { asLower, type LowerBound } from '../../../numeric/enclosure.ts';
import type { Query } from '../../../privacy/query.ts';
import { isEntry, type PlanNode } from '../../core/plan-node.ts';
import { gatedFloor } from './gated-answer.ts';

/** Instances of one continual mechanism, some of which may differ and may do so late. */
interface Gated {
  readonly node: PlanNode;
  readonly instances: number;
}

function gatedIn(node: PlanNode): Gated[] {
  if (isEntry(node)) return [];
  switch (node.node) {
    case 'group':
      return node.nodes.flatMap(gatedIn);
    case 'parallel': {
      const { of, instances, sparsity, firstPairConsistent } = node;
      if (sparsity === 0 || firstPairConsistent) return [];
      return instances === 'unbounded' ? gatedIn(of) : [{ node: of, instances }, ...gatedIn(of)];
    }
    case 'partition':
      return node.sparsity === 0 ? [] : node.of.flatMap(gatedIn);
    case 'local': {
      if (node.differing === 0) return [];
      const { users } = node;
      if (users.kind === 'different') return users.each.flatMap(gatedIn);
      return users.count === 'unbounded' ? gatedIn(users.of) : [{ node: users.of, instances: users.count }];
    }
  }
}

/**
 * What no claim for a plan can go below because of its limited numbers of continual instances: the highest of what each of
 * them gives alone (see {@link gatedFloor}), everything else being silent; null where there are none.
 */
export function limitedInstancesFloor(nodes: readonly PlanNode[], query: Query): LowerBound | null {
  const floors = nodes
    .flatMap(gatedIn)
    .flatMap(({ node, instances }) =>
      isEntry(node) && node.kind === 'continual' ? (gatedFloor(node.mechanism, instances, query) ?? []) : [],
    );
  return floors.length === 0 ? null : asLower(Math.max(...floors));
}
