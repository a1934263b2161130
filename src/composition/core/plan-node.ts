import type { Decimal } from '../../numeric/decimal.ts';
import type { Entry, Sampled } from '../../privacy/mechanism.ts';

/** A number of instances; unbounded: created during the run, without an end that is known in advance. */
export type Instances = number | 'unbounded';

/** Mechanisms that all run on the same data, at the same time or one after the other. */
export interface Group {
  readonly node: 'group';
  readonly label: string | null;
  /** At least one. */
  readonly nodes: readonly PlanNode[];
}

/**
 * Any number of instances of one mechanism, created during the run, of which at most `sparsity` ever get data in which
 * neighbours differ.
 */
export interface Parallel {
  readonly node: 'parallel';
  readonly label: string | null;
  /** A whole number from 1. */
  readonly sparsity: number;
  readonly instances: Instances;
  /** The most that 1 - prod(1 - d_j) over all instances ever created may be; their creator sees to it. */
  readonly deltaCap: Decimal | null;
  /** Neighbours that agree on the first message to an instance agree on all that follow. */
  readonly firstPairConsistent: boolean;
  /** The node that one instance runs. */
  readonly of: PlanNode;
}

/** The unit in which those that differ are counted: parts, or instances inside them, a part without instances being one. */
export type Counted = 'parts' | 'instances';

/** Mechanisms on disjoint parts of the data, of which neighbours differ in at most `sparsity`. */
export interface Partition {
  readonly node: 'partition';
  readonly label: string | null;
  /** A whole number from 1. */
  readonly sparsity: number;
  /** Nothing says `sparsity`: it is 2 where records are replaced, as one may leave a part for another, and else 1. */
  readonly impliedSparsity?: true | undefined;
  /** The unit of `sparsity`; with instances, parts are families of them and need not be disjoint. */
  readonly counted: Counted;
  /** The node that runs on each part; at least one, and only one where all parts run the same. */
  readonly of: readonly PlanNode[];
  /** How many parts there are that all run the same. */
  readonly parts?: number;
}

/** How many parts, or families of instances, a partition has. */
export const partsOf = ({ of, parts = of.length }: Partition): number => parts;

/** Users who answer a server from their own data (local model); neighbours differ in the data of at most `differing`. */
export interface Local {
  readonly node: 'local';
  readonly label: string | null;
  /** A whole number from 1. */
  readonly differing: number;
  readonly users: LocalUsers;
}

/** Users who all run the same, or what each of them runs (at least one). */
export type LocalUsers =
  | { readonly kind: 'alike'; readonly count: Instances; readonly of: PlanNode }
  | { readonly kind: 'different'; readonly each: readonly PlanNode[] };

/** A node with nodes below it. */
export type Structure = Group | Parallel | Partition | Local;

/** An element of a composition: a mechanism (`count` of them), or a structure of such. */
export type PlanNode = Entry | Structure;

/** Whether a node is a mechanism. */
export const isEntry = (node: PlanNode): node is Entry => 'mechanism' in node;

/** The mechanisms of a plan without structure, the very same list; null where there is structure. */
export const flatEntries = (nodes: readonly PlanNode[]): readonly Entry[] | null =>
  nodes.every(isEntry) ? nodes : null;

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

const recordsIn = ({ mechanism }: Entry): number => {
  if (mechanism.type === 'selection') return Math.max(...mechanism.of.map(recordsIn));
  return mechanism.type === 'sampled' ? (mechanism.records?.toNumber() ?? 1) : 1;
};

const hasSample = ({ mechanism }: Entry, is: (sampled: Sampled) => boolean): boolean =>
  mechanism.type === 'selection'
    ? mechanism.of.some((entry) => hasSample(entry, is))
    : mechanism.type === 'sampled' && is(mechanism);

const hasSamples = (nodes: readonly PlanNode[], is: (sampled: Sampled) => boolean): boolean =>
  walk(nodes).some(({ node }) => isEntry(node) && hasSample(node, is));

/** Whether a Poisson sample of replaced records is among mechanisms: its sensitivity is what one record adds. */
export const hasReplacedSamples = (nodes: readonly PlanNode[]): boolean =>
  hasSamples(nodes, ({ scheme, neighbours }) => scheme === 'poisson' && neighbours === 'replace-one');

/** Whether a sample with replacement is: its sensitivity is what one draw changes. */
export const hasDrawsWithReplacement = (nodes: readonly PlanNode[]): boolean =>
  hasSamples(nodes, ({ scheme }) => scheme === 'with-replacement');

/** At most how many records of one person mechanisms are for, those of a selection too. */
export const mostRecords = (nodes: readonly PlanNode[]): number =>
  walk(nodes).reduce((most, { node }) => Math.max(most, isEntry(node) ? recordsIn(node) : 1), 1);
