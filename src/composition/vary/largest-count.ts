import type { Entry } from '../../privacy/mechanism.ts';
import type { Budget } from '../budget.ts';
import type { ComposeOptions, Problem } from '../compose.ts';
import { lastPassing } from './last-passing.ts';
import { Varied, type Next } from './varied.ts';

/** How many mechanisms fit into a budget. */
export interface LargestCount {
  /** A whole number from 1 to 2^53 - 1; with it the composition is within the budget. */
  readonly count: number;
  /** What is known of one more. */
  readonly next: Next;
}

/** Twice the slope of log epsilon over log count lies between 1 (root) and 2 (linear): steps are taken on log scale. */
const LOGARITHMIC = { of: Math.log, back: Math.exp };

/** The most of one mechanism that a document may hold. */
const MOST = Number.MAX_SAFE_INTEGER;

function largest(
  varied: Varied,
  { start, last, options }: { readonly start: number; readonly last: number; readonly options: ComposeOptions },
  counted: (step: number) => readonly Entry[],
): LargestCount | null {
  const count = lastPassing({
    first: 1,
    last,
    start,
    attempt: (step) => varied.attempt(step, counted(step)),
    scale: LOGARITHMIC,
    ...(options.exhausted && { exhausted: options.exhausted }),
  });
  return count === null ? null : { count, next: varied.nextOf(count, last) };
}

/**
 * The largest count of one mechanism with which a composition is within a budget, all others held; null where not even
 * one of it is.
 *
 * The composition with `count` is shown to be within (upper ends); with one more it is not shown to be (`next` says
 * whether it is certain not to be, by lower ends, and then no larger count is within either, as the cost grows with it).
 *
 * @param index - of the mechanism, in the order of the document (`mechanismsIn`)
 */
export function largestCount(
  problem: Problem,
  index: number,
  budget: Budget,
  options: ComposeOptions = {},
): LargestCount | null {
  const varied = new Varied(problem, [index], budget, options);
  const [entry] = varied.entries as [Entry];
  return largest(varied, { start: entry.count, last: MOST, options }, (count) => [{ ...entry, count }]);
}

/**
 * The same for several mechanisms: the largest whole multiple of their counts, all others held; null where not even
 * their own counts are within.
 */
export function largestMultiple(
  problem: Problem,
  indices: readonly number[],
  budget: Budget,
  options: ComposeOptions = {},
): LargestCount | null {
  const varied = new Varied(problem, indices, budget, options);
  const last = Math.floor(MOST / Math.max(...varied.entries.map(({ count }) => count)));
  return largest(varied, { start: 1, last, options }, (multiple) =>
    varied.entries.map((entry) => ({ ...entry, count: multiple * entry.count })),
  );
}
