import type { Answer, Outcome } from '../../composition/core/outcome.ts';
import type { InputError } from '../../document/core/specification.ts';
import { jsonLine } from '../kit/json-value.ts';
import { answerJson, errorRow, mistakesMessage, planTotals, queryJson, refusalRow, warningRow } from './json.ts';

const members = (answer: Answer): object => ({
  query: queryJson(answer.query),
  answer: answerJson(answer),
  ...planTotals(answer),
  warnings: answer.warnings.map(warningRow),
});

/** What there is to say of a specification, as an object in one line: its answer, or why there is none. */
export const outcomeText = (outcome: Outcome): string =>
  jsonLine(outcome.kind === 'answer' ? members(outcome.answer) : { refusal: refusalRow(outcome.refusal) });

/** The mistakes of a line, likewise; `more` of them are left out. */
export const mistakesText = (errors: readonly InputError[], more: number): string =>
  jsonLine({ message: mistakesMessage(errors, more), errors: errors.map((error) => errorRow(error)), more });

/**
 * One line of `dpcompose.batch/1`.
 *
 * @param line - the line's number in the input, from 1
 * @param id - the value that the line has as its `id`, as JSON; null where it has none
 * @param said - what there is to say, as an object
 */
export const batchLine = (line: number, id: string | null, said: string, version: string): string =>
  `{"schema":"dpcompose.batch/1","version":${JSON.stringify(version)},"line":${line}${id === null ? '' : `,"id":${id}`},${said.slice(1)}\n`;
