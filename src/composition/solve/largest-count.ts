import type { Entry } from '../../privacy/mechanism.ts';
import type { Budget, Problem } from '../compose/compose.ts';
import { endWithin, type Beginning, type End, type SearchOptions, type Variable } from './largest.ts';
import { entriesAt, heldFrom, problemWith, withNode } from './mechanisms.ts';
import { isEntry, partsOf, type Instances, type PlanNode, type Structure, type PlacedNode } from '../core/plan-node.ts';

/** Twice the slope of log epsilon over log count lies between 1 (root) and 2 (linear): steps are taken on log scale. */
const LOGARITHMIC = { of: Math.log, back: Math.exp };

/** The most of anything that a document may hold. */
const MOST = Number.MAX_SAFE_INTEGER;

/** A whole number from 1 on that varies. */
interface Whole extends Pick<Variable<number>, 'start' | 'problemAt' | 'zero' | 'fixedProblem'> {
  readonly last?: number;
}

/** Where a whole number, with which a problem costs the more the larger it is, ceases to fit into a budget. */
const largestWhole = (number: Whole, budget: Budget, options: SearchOptions & Beginning = {}): End<number> =>
  endWithin(
    { first: 1, last: MOST, exact: true, scale: LOGARITHMIC, valueAt: (step) => step, ...number },
    budget,
    options,
  );

/** Where the counts of mechanisms cease to fit into a budget. */
interface CountEnd extends End<number> {
  /** Of one mechanism its count, of several a whole multiple of theirs. */
  readonly name: 'count' | 'multiple';
  /** The mechanisms with a value of it. */
  readonly entriesWith: (value: number) => readonly Entry[];
}

/**
 * The largest count of one mechanism, or the largest whole multiple of the counts of several, with which a composition is
 * within a budget, all others held.
 *
 * Any larger count costs at least as much: who has more mechanisms need not use them.
 *
 * @param indices - of the mechanisms, in the order of the document (`mechanismsIn`)
 */
export function largestCount(
  problem: Problem,
  indices: readonly number[],
  budget: Budget,
  options: SearchOptions & Beginning = {},
): CountEnd {
  const entries = entriesAt(problem, indices);
  const [only, ...others] = entries;
  const isOne = others.length === 0;
  const entriesWith = (value: number): Entry[] =>
    entries.map((entry) => ({ ...entry, count: isOne ? value : value * entry.count }));
  const number: Whole = {
    start: isOne ? only!.count : 1,
    ...(isOne ? {} : { last: Math.floor(MOST / Math.max(...entries.map(({ count }) => count))) }),
    problemAt: (value) => problemWith(problem, indices, entriesWith(value)),
    fixedProblem: heldFrom(problem, indices),
  };
  return { ...largestWhole(number, budget, options), name: isOne ? 'count' : 'multiple', entriesWith };
}

/** Numbers of nodes that hold others: of instances or users, and of those with different data. */
export const STRUCTURE_NUMBERS = ['instances', 'sparsity', 'users', 'differing'] as const;

export type StructureNumber = (typeof STRUCTURE_NUMBERS)[number];

/** A number of a node that may vary. */
interface OwnNumber {
  readonly value: Instances;
  /** More than this makes no difference. */
  readonly limit: Instances;
  readonly replaced: (value: number) => Structure;
}

/** The number of that name that a node has; null where it has none. */
export function structureNumber(node: PlanNode, name: StructureNumber): OwnNumber | null {
  if (isEntry(node)) return null;
  switch (name) {
    case 'instances':
      if (node.node !== 'parallel') return null;
      return { value: node.instances, limit: 'unbounded', replaced: (instances) => ({ ...node, instances }) };
    case 'sparsity': {
      if (node.node !== 'parallel' && node.node !== 'partition') return null;
      const limit = node.node === 'parallel' ? node.instances : node.counted === 'parts' ? partsOf(node) : 'unbounded';
      return { value: node.sparsity, limit, replaced: (sparsity) => ({ ...node, sparsity }) };
    }
    case 'users': {
      if (node.node !== 'local' || node.users.kind === 'different') return null;
      const { users } = node;
      return { value: users.count, limit: 'unbounded', replaced: (count) => ({ ...node, users: { ...users, count } }) };
    }
    case 'differing': {
      if (node.node !== 'local') return null;
      const limit = node.users.kind === 'different' ? node.users.each.length : node.users.count;
      return { value: node.differing, limit, replaced: (differing) => ({ ...node, differing }) };
    }
  }
}

/** Where a number of a node ceases to fit into a budget, all else held; a node without that number is a mistake. */
export function largestStructureNumber(
  problem: Problem,
  { node, path }: PlacedNode,
  name: StructureNumber,
  budget: Budget,
  options: SearchOptions = {},
): End<number> {
  const own = structureNumber(node, name);
  if (own === null) throw new RangeError(`${path} has no ${name}`);
  const start = own.value === 'unbounded' ? 1 : own.value;
  const last = own.limit === 'unbounded' ? {} : { last: own.limit };
  const mayBeZero = name === 'sparsity' || name === 'differing';
  const problemAt = (value: number): Problem => ({
    ...problem,
    entries: withNode(problem.entries, path, own.replaced(value)),
  });
  return largestWhole({ start, ...last, ...(mayBeZero && { zero: 0 }), problemAt }, budget, options);
}
