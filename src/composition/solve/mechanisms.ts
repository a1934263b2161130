import type { Entry } from '../../privacy/mechanism.ts';
import type { Problem } from '../compose/compose.ts';
import { flatEntries, isEntry, mapNodes, type PlanNode, type PlacedNode } from '../core/plan-node.ts';

/** A mechanism of a plan, and its place in the document. */
export interface PlacedEntry {
  readonly entry: Entry;
  /** `mechanisms[2].of`. */
  readonly path: string;
}

/** All nodes of a plan, each after those in it. */
export function nodesIn(nodes: readonly PlanNode[]): PlacedNode[] {
  const placedNodes: PlacedNode[] = [];
  mapNodes(nodes, (node, path) => {
    placedNodes.push({ node, path });
    return node;
  });
  return placedNodes;
}

/** A plan with the node at one place replaced. */
export const withNode = (nodes: readonly PlanNode[], path: string, replacement: PlanNode): PlanNode[] =>
  mapNodes(nodes, (node, at) => (at === path ? replacement : node));

/** All mechanisms of a plan, in the order of the document. */
export const mechanismsIn = (nodes: readonly PlanNode[]): PlacedEntry[] =>
  nodesIn(nodes).flatMap(({ node, path }) => (isEntry(node) ? [{ entry: node, path }] : []));

/** A plan with some mechanisms, counted as {@link mechanismsIn} lists them, replaced. */
export function withMechanisms(nodes: readonly PlanNode[], replacements: ReadonlyMap<number, Entry>): PlanNode[] {
  let at = 0;
  return mapNodes(nodes, (node) => (isEntry(node) ? (replacements.get(at++) ?? node) : node));
}

/** The mechanisms at some indices. */
export function entriesAt({ entries }: Problem, indices: readonly number[]): Entry[] {
  const placed = mechanismsIn(entries);
  return indices.map((index) => {
    const placedEntry = placed[index];
    if (placedEntry === undefined) throw new RangeError(`there is no mechanism of index ${index}`);
    return placedEntry.entry;
  });
}

/** A problem with the mechanisms at some indices replaced, one by one. */
export const problemWith = (problem: Problem, indices: readonly number[], entries: readonly Entry[]): Problem => ({
  ...problem,
  entries: withMechanisms(problem.entries, new Map(indices.map((index, at) => [index, entries[at]!]))),
});

/** A list without the mechanisms at some indices; null where there is structure, or nothing is left. */
export function heldFrom(problem: Problem, indices: readonly number[]): Problem | null {
  const entries = flatEntries(problem.entries)?.filter((_, index) => !indices.includes(index)) ?? [];
  return entries.length === 0 ? null : { ...problem, entries };
}

/** Whether --vary names a mechanism: by its label, its place such as `mechanisms[2].of`, or its number, `#1` for the first. */
export const isNamed = (name: string, { entry, path }: PlacedEntry, index: number): boolean =>
  entry.label === name || path === name || name === `#${index + 1}`;
