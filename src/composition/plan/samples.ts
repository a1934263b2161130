import type { Query } from '../../privacy/query.ts';
import { isEntry, type PlanNode } from '../core/plan-node.ts';
import type { SamplingRefusal } from '../core/sampling-refused.ts';
import { walk } from '../core/walk.ts';
import { samplingRefusal } from '../entries/sampling-refusal.ts';

/**
 * The refusal of a plan for the mechanisms on samples in it; null where there is none, and of a list, which is refused where it is
 * composed. They may stand in groups, and on disjoint
 * parts where a record is added or removed, which is in one part only; theorems on instances and on users say nothing of
 * samples.
 */
export function refusalOfSamples(nodes: readonly PlanNode[], query: Query): SamplingRefusal | null {
  const all = walk(nodes);
  if (all.every(({ node }) => isEntry(node))) return null;
  for (const { node, path, above } of all) {
    if (!isEntry(node) || node.mechanism.type !== 'sampled') continue;
    const isReplaced = node.mechanism.neighbours === 'replace-one';
    const isElsewhere = above.some(
      (each) =>
        each.node.node === 'parallel' || each.node.node === 'local' || (each.node.node === 'partition' && isReplaced),
    );
    if (isElsewhere) return { code: 'sampled-in-structure', path };
  }
  return samplingRefusal(
    all.flatMap(({ node }) => (isEntry(node) ? [node] : [])),
    query,
    () => null,
  );
}
