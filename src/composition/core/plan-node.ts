import type { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';

/** A number of instances; unbounded: created along the way, without an end that is known in advance. */
export type Instances = number | 'unbounded';

/** Mechanisms that all run on the same data, at the same time or one after the other. */
export interface Group {
  readonly node: 'group';
  readonly label: string | null;
  /** At least one. */
  readonly nodes: readonly PlanNode[];
}

/**
 * Any number of instances of one mechanism, created along the way, of which at most `sparsity` ever get data in which
 * neighbours differ.
 */
export interface Parallel {
  readonly node: 'parallel';
  readonly label: string | null;
  /** A whole number from 1. */
  readonly sparsity: number;
  readonly instances: Instances;
  /** The most that 1 - prod(1 - d_j) over all instances ever created may be, which whoever creates them sees to. */
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
