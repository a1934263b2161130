import type { Entry } from '../../privacy/mechanism.ts';
import { isEntry, type PlanNode } from '../plan-node.ts';

/** A mechanism of a plan, and its place in the document. */
export interface PlacedEntry {
  readonly entry: Entry;
  /** `mechanisms[2].of`. */
  readonly path: string;
}

/** A node with each mechanism in it, from first to last, replaced by what `change` makes of it. */
function mapNode(node: PlanNode, path: string, change: (placed: PlacedEntry) => Entry): PlanNode {
  if (isEntry(node)) return change({ entry: node, path });
  const each = (nodes: readonly PlanNode[], key: string): PlanNode[] =>
    nodes.map((child, index) => mapNode(child, `${path}.${key}[${index}]`, change));
  switch (node.node) {
    case 'group':
      return { ...node, nodes: each(node.nodes, 'mechanisms') };
    case 'parallel':
      return { ...node, of: mapNode(node.of, `${path}.of`, change) };
    case 'partition':
      return { ...node, of: each(node.of, 'of') };
    case 'local': {
      const { users } = node;
      return users.kind === 'different'
        ? { ...node, users: { ...users, each: each(users.each, 'each') } }
        : { ...node, users: { ...users, of: mapNode(users.of, `${path}.of`, change) } };
    }
  }
}

const mapNodes = (nodes: readonly PlanNode[], change: (placed: PlacedEntry) => Entry): PlanNode[] =>
  nodes.map((node, index) => mapNode(node, `mechanisms[${index}]`, change));

/** All mechanisms of a plan, in the order of the document; a list without structure gives itself. */
export function mechanismsIn(nodes: readonly PlanNode[]): PlacedEntry[] {
  const found: PlacedEntry[] = [];
  mapNodes(nodes, (placed) => {
    found.push(placed);
    return placed.entry;
  });
  return found;
}

/** A plan with some mechanisms, counted as {@link mechanismsIn} lists them, replaced. */
export function withMechanisms(nodes: readonly PlanNode[], replacements: ReadonlyMap<number, Entry>): PlanNode[] {
  let at = 0;
  return mapNodes(nodes, ({ entry }) => replacements.get(at++) ?? entry);
}

/** A plan with one mechanism replaced. */
export const withMechanism = (nodes: readonly PlanNode[], index: number, replacement: Entry): PlanNode[] =>
  withMechanisms(nodes, new Map([[index, replacement]]));
