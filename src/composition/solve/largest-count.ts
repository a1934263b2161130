import type { Entry } from '../../privacy/mechanism.ts';
import type { Budget } from '../compose/budget.ts';
import type { Problem } from '../compose/compose.ts';
import { endWithin, type End, type SearchOptions, type Variable } from './largest.ts';
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
export const largestWhole = (number: Whole, budget: Budget, options: SearchOptions = {}): End<number> =>
  endWithin(
    { first: 1, last: MOST, exact: true, scale: LOGARITHMIC, valueAt: (step) => step, ...number },
    budget,
    options,
  );

/**
 * The largest count of one mechanism with which a composition is within a budget, all others held.
 *
 * Any larger count costs at least as much: who has more mechanisms need not use them.
 *
 * @param index - of the mechanism, in the order of the document (`mechanismsIn`)
 */
export function largestCount(
  problem: Problem,
  index: number,
  budget: Budget,
  options: SearchOptions = {},
): End<number> {
  const [entry] = entriesAt(problem, [index]) as [Entry];
  const problemAt = (count: number): Problem => problemWith(problem, [index], [{ ...entry, count }]);
  return largestWhole({ start: entry.count, problemAt, held: heldFrom(problem, [index]) }, budget, options);
}

/** The same for several mechanisms: the largest whole multiple of their counts, all others held. */
export function largestMultiple(
  problem: Problem,
  indices: readonly number[],
  budget: Budget,
  options: SearchOptions = {},
): End<number> {
  const entries = entriesAt(problem, indices);
  const last = Math.floor(MOST / Math.max(...entries.map(({ count }) => count)));
  const times = (multiple: number): Entry[] => entries.map((entry) => ({ ...entry, count: multiple * entry.count }));
  return largestWhole(
    {
      start: 1,
      last,
      problemAt: (multiple) => problemWith(problem, indices, times(multiple)),
      held: heldFrom(problem, indices),
    },
    budget,
    options,
  );
}
