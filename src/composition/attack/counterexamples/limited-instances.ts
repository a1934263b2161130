import { asLower, type LowerBound } from '../../../numeric/enclosure.ts';
import type { Query } from '../../../privacy/query.ts';
import { isEntry, type PlanNode } from '../../core/plan-node.ts';
import { childrenOf } from '../../core/walk.ts';
import { gatedBound } from './gated-answer.ts';

/** Instances of one continual mechanism, some of which may differ and may do so late. */
interface Gated {
  readonly node: PlanNode;
  readonly instances: number;
}

function gatedIn(node: PlanNode): Gated[] {
  const inside = (): Gated[] => childrenOf(node).flatMap((child) => gatedIn(child.node));
  if (isEntry(node)) return [];
  switch (node.node) {
    case 'group':
      return inside();
    case 'parallel': {
      const { of, instances, sparsity, firstPairConsistent } = node;
      if (sparsity === 0 || firstPairConsistent) return [];
      return instances === 'unbounded' ? inside() : [{ node: of, instances }, ...inside()];
    }
    case 'partition':
      if (node.sparsity === 0) return [];
      return node.parts === undefined ? inside() : [{ node: node.of[0]!, instances: node.parts }, ...inside()];
    case 'local': {
      const { users, differing } = node;
      if (differing === 0) return [];
      if (users.kind === 'different' || users.count === 'unbounded') return inside();
      return [{ node: users.of, instances: users.count }];
    }
  }
}

/**
 * The impossibility lower bound of a plan that comes of its limited numbers of continual instances: the highest of what each of
 * them gives alone (see {@link gatedBound}), everything else having zero loss; null where there are none.
 */
export function limitedInstancesBound(nodes: readonly PlanNode[], query: Query): LowerBound | null {
  const bounds = nodes
    .flatMap(gatedIn)
    .flatMap(({ node, instances }) =>
      isEntry(node) && node.kind === 'continual' ? (gatedBound(node.mechanism, instances, query) ?? []) : [],
    );
  return bounds.length === 0 ? null : asLower(Math.max(...bounds));
}
