import { isEntry, type PlanNode, type Structure } from './plan-node.ts';

/** A node of a plan, and its place in the document. */
export interface PlacedNode<N extends PlanNode = PlanNode> {
  readonly node: N;
  /** `mechanisms[2].of`. */
  readonly path: string;
}

/** The same with the nodes that hold it, outermost first. */
export interface NestedNode<N extends PlanNode = PlanNode> extends PlacedNode<N> {
  readonly above: readonly NestedNode<Structure>[];
}

/** A node directly below another, and the keys and indices that lead to it from there: `['of', 2]`. */
interface Child {
  readonly node: PlanNode;
  readonly steps: readonly [string] | readonly [string, number];
}

/** The nodes directly below a node, from first to last. */
export function childrenOf(node: PlanNode): Child[] {
  const list = (nodes: readonly PlanNode[], key: string): Child[] =>
    nodes.map((child, index) => ({ node: child, steps: [key, index] }));
  if (isEntry(node)) return [];
  switch (node.node) {
    case 'group':
      return list(node.nodes, 'mechanisms');
    case 'parallel':
      return [{ node: node.of, steps: ['of'] }];
    case 'partition':
      return list(node.of, 'of');
    case 'local':
      return node.users.kind === 'different' ? list(node.users.each, 'each') : [{ node: node.users.of, steps: ['of'] }];
  }
}

/** A structure with other nodes, as many, directly below it. */
function withChildren(node: Structure, children: readonly PlanNode[]): Structure {
  switch (node.node) {
    case 'group':
      return { ...node, nodes: children };
    case 'parallel':
      return { ...node, of: children[0]! };
    case 'partition':
      return { ...node, of: children };
    case 'local': {
      const { users } = node;
      return {
        ...node,
        users: users.kind === 'different' ? { ...users, each: children } : { ...users, of: children[0]! },
      };
    }
  }
}

/** A node and all nodes below it. */
export const withDescendants = (node: PlanNode): PlanNode[] => [
  node,
  ...childrenOf(node).flatMap((child) => withDescendants(child.node)),
];

/** The nodes directly below a placed node, at their places. */
export const childrenAt = ({ node, path }: PlacedNode): PlacedNode[] =>
  childrenOf(node).map(({ node: child, steps: [key, index] }) => ({
    node: child,
    path: index === undefined ? `${path}.${key}` : `${path}.${key}[${index}]`,
  }));

const top = (nodes: readonly PlanNode[]): NestedNode[] =>
  nodes.map((node, index) => ({ node, path: `mechanisms[${index}]`, above: [] }));

/** A nested node, and all nodes below it. */
export function below(nested: NestedNode): NestedNode[] {
  const { node } = nested;
  if (isEntry(node)) return [nested];
  const above = [...nested.above, { ...nested, node }];
  return [nested, ...childrenAt(nested).flatMap((child) => below({ ...child, above }))];
}

/** All nodes of a plan, each before those that it holds. */
export const walk = (nodes: readonly PlanNode[]): NestedNode[] => top(nodes).flatMap(below);

/** A plan with each node, from first to last and from the inside out, replaced by what `change` makes of it. */
export function mapNodes(nodes: readonly PlanNode[], change: (node: PlanNode, path: string) => PlanNode): PlanNode[] {
  const mapped = (placed: PlacedNode): PlanNode => {
    const { node, path } = placed;
    return change(isEntry(node) ? node : withChildren(node, childrenAt(placed).map(mapped)), path);
  };
  return top(nodes).map(mapped);
}
