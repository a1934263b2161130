import { isEntry, withDescendants, type PlanNode } from '../../composition/core/plan-node.ts';
import type { Stated } from '../../composition/statement/state.ts';
import type { Specification } from '../../document/core/specification.ts';
import type { Query } from '../../privacy/query.ts';

/** A guarantee that is stated, and the specification it is of. */
export interface PrivacyStatement {
  readonly stated: Stated;
  readonly specification: Specification & { readonly target: Query };
}

/** Whether users send what is seen, each from a mechanism of their own. */
export const isLocal = (nodes: readonly PlanNode[]): boolean =>
  nodes.flatMap(withDescendants).some((node) => !isEntry(node) && node.node === 'local');
