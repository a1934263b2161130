import type { Design } from '../../composition/design/design.ts';
import { isPure } from '../../composition/plan/measure.ts';
import { isEntry, type PlanNode } from '../../composition/core/plan-node.ts';
import { USUAL_SETTING, type Setting } from '../../composition/core/setting.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { isZeroLoss } from '../../privacy/zero-loss.ts';
import { printable } from '../kit/prose.ts';

/** The document that is refused, as far as its fixes depend on that. */
export interface RefusedDocument {
  readonly entries: readonly PlanNode[];
  readonly setting: Setting;
  /** The pseudocode that runs its mechanisms. */
  readonly design: Design | null;
  /** The ready design that it is, by name. */
  readonly example?: string | null;
}

/** A document of which nothing is known. */
export const UNKNOWN_DOCUMENT: RefusedDocument = { entries: [], setting: USUAL_SETTING, design: null };

/** An element at its place in a document, and those that hold it, outermost first. */
export interface Held<N extends PlanNode = PlanNode> {
  readonly node: N;
  readonly path: string;
  readonly above: readonly Held[];
}

const heldIn = (nodes: readonly PlanNode[], path: string, above: readonly Held[]): Held[] =>
  nodes.map((node, index) => ({ node, path: `${path}[${index}]`, above }));

/** The elements directly in another. */
export function childrenOf(held: Held): Held[] {
  const { node, path } = held;
  if (isEntry(node)) return [];
  const above = [...held.above, held];
  switch (node.node) {
    case 'group':
      return heldIn(node.nodes, `${path}.mechanisms`, above);
    case 'parallel':
      return [{ node: node.of, path: `${path}.of`, above }];
    case 'partition':
      return heldIn(node.of, `${path}.of`, above);
    case 'local':
      return node.users.kind === 'different'
        ? heldIn(node.users.each, `${path}.each`, above)
        : [{ node: node.users.of, path: `${path}.of`, above }];
  }
}

/** The elements of a document that are in no other. */
export const elementsOf = ({ entries }: Pick<RefusedDocument, 'entries'>): Held[] => heldIn(entries, 'mechanisms', []);

/** The element at a place; null where it is not known. */
export function elementAt(document: RefusedDocument, path: string): Held | null {
  let level = elementsOf(document);
  for (;;) {
    const next = level.find((held) => held.path === path || path.startsWith(`${held.path}.`));
    if (next === undefined || next.path === path) return next ?? null;
    level = childrenOf(next);
  }
}

const isHeldEntry = (held: Held): held is Held<Entry> => isEntry(held.node);

/**
 * The continual mechanisms in an element that are not (epsilon, 0)-DP, and so must be paid whether their data differ or
 * not; without those whose data are settled by their first message.
 */
export function lateMechanisms(held: Held): Held<Entry>[] {
  if (isHeldEntry(held)) {
    const { node } = held;
    return node.kind === 'continual' && !isPure(node) && !isZeroLoss(node.mechanism) ? [held] : [];
  }
  return childrenOf(held).flatMap((child) => {
    const settled = !isEntry(child.node) && child.node.node === 'parallel' && child.node.firstPairConsistent;
    return settled ? [] : lateMechanisms(child);
  });
}

/** Whether a continual mechanism stands in instances, or users, without end, not all of which differ. */
export function isWithoutEnd({ node, above }: Held): boolean {
  if (!isEntry(node) || node.kind !== 'continual') return false;
  return above.some(({ node: holder }) => {
    if (isEntry(holder)) return false;
    if (holder.node === 'parallel') return holder.instances === 'unbounded' && !holder.firstPairConsistent;
    return holder.node === 'local' && holder.users.kind === 'alike' && holder.users.count === 'unbounded';
  });
}

/** `mechanisms[2] ("svt")`, or `mechanisms[2].of (in "svt")` where only what holds it has a label. */
export function placeOf(
  { path, label }: { readonly path: string; readonly label: string | null },
  held: Held | null,
): string {
  if (label !== null) return `${path} ("${printable(label)}")`;
  const holder = held?.above.findLast(({ node }) => node.label !== null)?.node.label ?? null;
  return holder === null ? path : `${path} (in "${printable(holder)}")`;
}
