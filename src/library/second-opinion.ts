import type { ComposeOptions, Problem } from '../composition/compose/compose.ts';
import type { Answer } from '../composition/core/outcome.ts';
import { DIGITS, secondOpinion as secondOpinionOn } from '../composition/compose/second-opinion.ts';
import { Arguments, callback, optional, record, whole } from './arguments.ts';
import { answer as readAnswer } from './read-answer.ts';
import { tolerance } from './read-options.ts';
import { problem as readProblem } from './read-problem.ts';

const readOptions = record<Pick<ComposeOptions, 'tolerance' | 'interrupted'>>(
  'options',
  { tolerance: optional(tolerance), interrupted: optional(callback) },
  '{ tolerance: 1e-6 }',
);

/**
 * The same answer with a second opinion: every bound that applies is computed again in decimal arithmetic with
 * `digits` significant digits (20 to 200), rounded up, by code that shares nothing with the first, where that is
 * possible; else it says why not.
 *
 * @example
 * ```js
 * import { compose, Decimal, secondOpinion } from 'dpcompose';
 *
 * const mechanism = { type: 'dp', epsilon: new Decimal('0.1'), delta: new Decimal(0) };
 * const problem = { entries: [{ mechanism, count: 100, kind: 'noninteractive', label: null }], adaptivity: 'adaptive' };
 * const { answer } = compose(problem, { solveFor: 'epsilon', delta: new Decimal('1e-6') });
 * console.log(secondOpinion(problem, answer, 30).decimal.digits); // 4.77456758810798615328594816747
 * ```
 *
 * @param answer - what `compose` answered to the problem
 * @param options - `tolerance`, where `compose` was given one; `interrupted`: true once the work is to be given up
 * @throws Error where the two contradict each other: one of them is wrong, and nothing should be claimed
 * @throws RangeError where `digits` is not a whole number from 20 to 200
 */
export function secondOpinion(
  problem: Problem,
  answer: Answer,
  digits: number,
  options: Pick<ComposeOptions, 'tolerance' | 'interrupted'> = {},
): Answer {
  const given = new Arguments('secondOpinion');
  return secondOpinionOn(
    given.read('problem', problem, readProblem),
    given.read('answer', answer, readAnswer),
    given.read('digits', digits, whole(DIGITS.least, DIGITS.most)),
    given.read('options', options, readOptions),
  );
}
