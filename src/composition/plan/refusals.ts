import { isEntry, walk, type PlanNode, type Structure } from '../core/plan-node.ts';
import type { AdaptiveChoice, Place, SamplingRefusal } from '../core/outcome.ts';
import type { Query } from '../../privacy/curve.ts';
import type { Neighbours } from '../../privacy/mechanism.ts';
import { samplingRefusal } from '../entries/sampling-refusal.ts';

function ownChoice(node: PlanNode): AdaptiveChoice | null {
  if (isEntry(node)) return node.kind === 'continual' ? 'continual' : null;
  return node.node === 'group' ? null : node.node;
}

/**
 * The first part of a plan in which something is created or chosen while mechanisms run, so that they cannot all be fixed
 * in advance together with their data: instances, the parts or users in which neighbours differ, the data of a continual
 * mechanism; null where everything is fixed. Questions to an interactive mechanism are about data that are.
 *
 * Composition of mechanisms fixed in advance (Dong, Durfee, Rogers 2020, Theorem 3) lets the adversary choose one pair of
 * neighbours for each mechanism beforehand. An adversary who creates instances chooses their pairs by the answers so far,
 * and may reach more: of ten 0.1-bounded-range instances delta 1.197e-6 at the epsilon 0.6286368388 that Theorem 3 gives for 1e-6.
 */
export function firstAdaptiveChoice(nodes: readonly PlanNode[]): (Place & { readonly what: AdaptiveChoice }) | null {
  for (const { node, path } of walk(nodes)) {
    const what = ownChoice(node);
    if (what !== null) return { what, path, label: node.label };
  }
  return null;
}

/** Whether several instances or users inside an element may differ, each by a record that is added or by one that is removed. */
function severalDiffer(node: Structure): boolean {
  if (node.node === 'group') return false;
  if (node.node === 'local') return node.differing > 1;
  return node.sparsity > 1 && !(node.node === 'partition' && node.counted === 'parts');
}

/**
 * Whether no theorem says what a mechanism on samples costs inside an element. Its losses are composed in one order of
 * neighbours throughout, which holds for one instance or user that differs, and for parts of data of which one has a
 * record more. A record that is replaced may leave one part for another, and change the sizes of both.
 */
const isUncovered = (node: Structure, neighbours: Neighbours): boolean =>
  severalDiffer(node) || (node.node === 'partition' && neighbours === 'replace-one');

/** The refusal of a plan for the mechanisms on samples in it; null where there is none, and of a list, which is refused where it is composed. */
export function refusalOfSamples(nodes: readonly PlanNode[], query: Query): SamplingRefusal | null {
  const all = walk(nodes);
  if (all.every(({ node }) => isEntry(node))) return null;
  for (const { node, path, above } of all) {
    if (!isEntry(node) || node.mechanism.type !== 'sampled') continue;
    const { neighbours } = node.mechanism;
    const uncovered = above.find((ancestor) => isUncovered(ancestor.node, neighbours));
    if (uncovered !== undefined) {
      return {
        code: 'sampled-in-structure',
        path,
        within: uncovered.path,
        element: uncovered.node.node,
        several: severalDiffer(uncovered.node),
      };
    }
  }
  return samplingRefusal(
    all.flatMap(({ node }) => (isEntry(node) ? [node] : [])),
    query,
    () => null,
  );
}
