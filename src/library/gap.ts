import { gap as gapOf, type GapAnswer, type GapOptions, type GapQuestion } from '../composition/gap/gap.ts';
import {
  Arguments,
  byWord,
  callback,
  decimal,
  listOf,
  oneOf,
  optional,
  record,
  whole,
  type Reader,
} from './arguments.ts';
import { ABOVE_ZERO, PROBABILITY } from './read-mechanism.ts';
import { session, tolerance } from './read-options.ts';
import { epsilonGiven } from './read-problem.ts';

const EXAMPLE = "{ solveFor: 'epsilon', each: [new Decimal('0.1')], count: [10], given: [new Decimal('1e-6')] }";

const solvedFor = (solveFor: 'epsilon' | 'delta', given: Reader): Reader =>
  record<GapQuestion>(
    'a question about the gap',
    {
      solveFor: oneOf([solveFor]),
      each: listOf(decimal(ABOVE_ZERO), 'decimals'),
      count: listOf(whole(1), 'whole numbers'),
      given: listOf(given, 'decimals'),
    },
    EXAMPLE,
  );

const readQuestion = byWord(
  'solveFor',
  { epsilon: solvedFor('epsilon', decimal(PROBABILITY)), delta: solvedFor('delta', epsilonGiven) },
  'a question about the gap',
  EXAMPLE,
);

const readOptions = record<GapOptions>(
  'options',
  {
    exhausted: optional(callback),
    interrupted: optional(callback),
    session: optional(session),
    tolerance: optional(tolerance),
    progress: optional(callback),
  },
  '{ tolerance: 1e-4 }',
);

/**
 * The cost of adaptivity: the optimum of equal bounded-range mechanisms that are fixed in advance, the optimum of those
 * that are chosen adaptively, and how much more that is. Dong, Durfee and Rogers (2020) prove that there is a gap, and
 * conjecture that it is small.
 *
 * @example
 * ```js
 * import { Decimal, gap } from 'dpcompose';
 *
 * const question = { solveFor: 'epsilon', each: [new Decimal('0.1')], count: [10], given: [new Decimal('1e-6')] };
 * const [row] = gap(question).rows;
 * console.log(Math.ceil(row.gap.adaptive.upper * 1e3) / 1e3); // 0.635
 * ```
 */
export function gap(question: GapQuestion, options: GapOptions = {}): GapAnswer {
  const given = new Arguments('gap');
  return gapOf(given.read('question', question, readQuestion), given.read('options', options, readOptions));
}
