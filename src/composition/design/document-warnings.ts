import type { Decimal } from '../../numeric/decimal.ts';
import { failureProbability } from '../../privacy/failure.ts';
import type { Design } from './design.ts';
import type { Warning } from '../core/outcome.ts';
import { childrenOf, isEntry, type Parallel, type PlanNode } from '../core/plan-node.ts';

/** What a document composes. */
export interface Documented {
  readonly entries: readonly PlanNode[];
  readonly design: Design | null;
}

/** The deltas of all continual mechanisms that one instance of a node runs. */
const deltasOf = (node: PlanNode): { readonly delta: Decimal; readonly count: number }[] => {
  if (!isEntry(node)) return childrenOf(node).flatMap(deltasOf);
  const { mechanism, count, kind } = node;
  return kind === 'continual' && mechanism.type === 'dp' ? [{ delta: mechanism.delta, count }] : [];
};

function tooSmallCap(node: Parallel, path: string): Warning[] {
  const { deltaCap, of, label, sparsity } = node;
  if (deltaCap === null || sparsity === 0) return [];
  const delta = failureProbability(deltasOf(of)).lower;
  return delta.gt(deltaCap) ? [{ code: 'cap-below-instance', path, label, deltaCap, delta }] : [];
}

/** Caps on delta that not even one instance keeps; of nested elements, those that are not in others. */
function capWarnings(nodes: readonly PlanNode[], path: string): Warning[] {
  return nodes.flatMap((node, index) => {
    if (isEntry(node)) return [];
    const here = `${path}[${index}]`;
    switch (node.node) {
      case 'group':
        return capWarnings(node.nodes, `${here}.mechanisms`);
      case 'parallel':
        return tooSmallCap(node, here);
      case 'partition':
        return capWarnings(node.of, `${here}.of`);
      case 'local':
        return node.users.kind === 'different' ? capWarnings(node.users.each, `${here}.each`) : [];
    }
  });
}

/** What a document says of caps that is of no use. */
export const documentWarnings = ({ entries }: Pick<Documented, 'entries'>): Warning[] =>
  capWarnings(entries, 'mechanisms');

/** The same where the design of a document, if it has one, is left unchecked. */
export const uncheckedWarnings = (document: Documented): Warning[] => [
  ...(document.design === null ? [] : [{ code: 'design-not-checked' } as const]),
  ...documentWarnings(document),
];
