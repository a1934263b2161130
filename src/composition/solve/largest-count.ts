import type { Entry } from '../../privacy/mechanism.ts';
import type { Budget } from '../compose/budget.ts';
import type { Problem } from '../compose/compose.ts';
import { endWithin, type Beginning, type End, type SearchOptions, type Variable } from './largest.ts';
import { entriesAt, heldFrom, problemWith } from './mechanisms.ts';

/** Twice the slope of log epsilon over log count lies between 1 (root) and 2 (linear): steps are taken on log scale. */
const LOGARITHMIC = { of: Math.log, back: Math.exp };

/** The most of anything that a document may hold. */
const MOST = Number.MAX_SAFE_INTEGER;

/** A whole number from 1 on that varies. */
interface Whole extends Pick<Variable<number>, 'start' | 'problemAt' | 'zero' | 'held'> {
  readonly last?: number;
}

/** Where a whole number, with which a problem costs the more the larger it is, ceases to fit into a budget. */
export const largestWhole = (number: Whole, budget: Budget, options: SearchOptions & Beginning = {}): End<number> =>
  endWithin(
    { first: 1, last: MOST, exact: true, scale: LOGARITHMIC, valueAt: (step) => step, ...number },
    budget,
    options,
  );

/** Where the counts of mechanisms cease to fit into a budget. */
export interface CountEnd extends End<number> {
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
    held: heldFrom(problem, indices),
  };
  return { ...largestWhole(number, budget, options), name: isOne ? 'count' : 'multiple', entriesWith };
}
