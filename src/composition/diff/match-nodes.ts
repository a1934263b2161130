import { valueKey } from '../../privacy/mechanism-key.ts';
import { groupBy } from '../core/collections.ts';
import { isEntry, type PlanNode } from '../core/plan-node.ts';

/** An element of a specification, and its place in the list, from 0. */
export interface PlacedNode {
  readonly index: number;
  readonly node: PlanNode;
}

/** An element before and after a change: null where it was added or removed. */
export interface MatchedNodes {
  readonly before: PlacedNode | null;
  readonly after: PlacedNode | null;
}

/** The type of an element, whatever its parameters. */
const typeOf = (node: PlanNode): string => (isEntry(node) ? node.mechanism.type : node.node);

/** The content of an element, whatever its label. */
const contentOf = (node: PlanNode): string => valueKey({ ...node, label: null });

/** The same, however many of it there are. */
const kindOf = (node: PlanNode): string => valueKey({ ...node, label: null, ...(isEntry(node) ? { count: 0 } : {}) });

/** By what elements are matched, the surest first; those that have no key (null) are not. */
const WAYS: readonly ((node: PlanNode) => string | null)[] = [({ label }) => label, contentOf, kindOf, typeOf];

/** Whether two elements say by their labels that they are different ones. */
const rivals = (a: PlanNode, b: PlanNode): boolean => a.label !== null && b.label !== null && a.label !== b.label;

/** Whether an element is as it was, but perhaps for its label. */
export const isUnchanged = ({ before, after }: MatchedNodes): boolean =>
  before !== null && after !== null && contentOf(before.node) === contentOf(after.node);

/**
 * The elements of two lists, matched by label, then as they are, then but for their count, then by type; of several that
 * match, the first with the first. Elements of different labels are matched only where they are the same.
 *
 * In the order of the list after the change, those removed last.
 */
export function matchNodes(before: readonly PlanNode[], after: readonly PlanNode[]): MatchedNodes[] {
  const place = (nodes: readonly PlanNode[]): PlacedNode[] => nodes.map((node, index) => ({ index, node }));
  let left = place(before);
  let right = place(after);
  const matched: (MatchedNodes & { readonly after: PlacedNode })[] = [];
  for (const [way, keyOf] of WAYS.entries()) {
    const known = groupBy(left, ({ node }) => keyOf(node));
    const taken = new Set<PlacedNode>();
    right = right.filter((placed) => {
      const key = keyOf(placed.node);
      const candidates = key === null ? [] : (known.get(key) ?? []);
      const found = candidates.find((other) => !taken.has(other) && (way <= 1 || !rivals(other.node, placed.node)));
      if (found === undefined) return true;
      taken.add(found);
      matched.push({ before: found, after: placed });
      return false;
    });
    left = left.filter((placed) => !taken.has(placed));
  }
  const kept = [...matched, ...right.map((placed) => ({ before: null, after: placed }))];
  kept.sort((a, b) => a.after.index - b.after.index);
  return [...kept, ...left.map((placed) => ({ before: placed, after: null }))];
}
