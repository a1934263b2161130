import type { Query } from '../../privacy/query.ts';
import type { Neighbours } from '../../privacy/mechanism.ts';
import { isEntry, type PlanNode, type Structure } from '../core/plan-node.ts';
import type { SamplingRefusal } from '../core/sampling-refused.ts';
import { walk } from '../core/walk.ts';
import { samplingRefusal } from '../entries/sampling-refusal.ts';

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
    const uncovered = above.find((each) => isUncovered(each.node, neighbours));
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
