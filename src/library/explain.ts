import {
  explainAnswer as explainGiven,
  type AnswerExplanation,
  type Claimed,
  type GivenRow,
} from '../composition/compose/explain-answer.ts';
import type { Answer } from '../composition/core/outcome.ts';
import { type CheckGroup, checkElementary } from '../composition/self-test/elementary.ts';
import { inapplicabilityMessage } from '../output/kit/message.ts';
import { factsNamed, type Named } from '../output/theorems.ts';
import { Arguments, text } from './arguments.ts';
import { readAnswer } from './compose.ts';

const claimedOf = ({ upper, exact }: Claimed): Claimed => ({ upper, exact });

/**
 * The facts behind a name: what a bound, a theorem or a rule of ledgers states, needs and gives, and where the program
 * departs from what is printed; or what a code of a warning, a refusal or an error means, and what to do about it. Null
 * where nothing goes by that name.
 *
 * @example
 * ```js
 * import { explain } from 'dpcompose';
 *
 * console.log(explain('basic').theorem.name); // basic composition
 * console.log(explain('delta-infeasible').codes[0].kind); // warning
 * console.log(explain('nothing-of-the-kind')); // null
 * ```
 */
export function explain(name: string): Named | null {
  return factsNamed(new Arguments('explain').read('name', name, text));
}

/**
 * Why an answer is what it is: how every bound fared beside the one that gives it.
 *
 * @example
 * ```js
 * import { compose, Decimal, explainAnswer, readSpecification } from 'dpcompose';
 *
 * const { specification } = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": "0.1"}]}');
 * const { answer } = compose(specification, { solveFor: 'epsilon', delta: new Decimal(0) });
 * const { others } = explainAnswer(answer);
 * console.log(others.find(({ id }) => id === 'basic').fate.kind); // ties
 * ```
 */
export function explainAnswer(answer: Answer): AnswerExplanation {
  const { query, bound, bounds, tight, ...values } = new Arguments('explainAnswer').read('answer', answer, readAnswer);
  const { solveFor } = query;
  const parameter = query.solveFor === 'epsilon' ? query.delta : query.epsilon;
  const rows = bounds.map(({ id, name, ...row }): GivenRow => {
    if (row.applies) return { id, name, applies: true, ...claimedOf(row[solveFor]) };
    return { id, name, applies: false, code: row.reason.code, reason: inapplicabilityMessage(row.reason) };
  });
  return explainGiven({ solveFor, given: parameter.toNumber(), ...values[solveFor], tight, bound, rows });
}

/**
 * Whether exp, log, sin and their like are on this JavaScript engine as precise as every certificate takes them to be: at
 * about a thousand points, hard ones among them, each is compared with decimal arithmetic. Where one value fails, no answer
 * of this library is certified on this engine. In node this is a part of `dpcompose self-test`; it takes about half a second.
 *
 * @example
 * ```js
 * import { elementaryFunctions } from 'dpcompose';
 *
 * console.log(elementaryFunctions().checks.every(({ passed }) => passed)); // true
 * ```
 */
export function elementaryFunctions(): CheckGroup {
  return checkElementary();
}
