import type { Outcome } from '../../composition/core/outcome.ts';
import type { InputError } from '../../document/core/specification.ts';
import { QUERY, whole } from '../kit/codecs.ts';
import { jsonLine, type Json } from '../kit/json-value.ts';
import { WARNING } from '../refusal/refusal.ts';
import { REFUSAL_MEMBERS, refusalMembers } from '../refusal/refusal.ts';
import { ANSWER, PLAN_TOTALS } from './json.ts';
import { mistakes, MISTAKES } from './error.ts';
import * as json from '../kit/codec.ts';

const ANSWERED = json.object({
  query: QUERY,
  answer: ANSWER,
  plan: json.optional(PLAN_TOTALS),
  warnings: json.list(WARNING),
});
const REFUSED = json.object({ refusal: json.object(REFUSAL_MEMBERS) });
const MISTAKEN = json.object(MISTAKES);

/** A line of `batch`. */
export const BATCH = json.published(
  'batch',
  'The answer to one input line, printed by batch as one line.',
  json.together(
    json.object({
      ...json.identity('batch'),
      line: json.described('The number of the line in the input.', whole(1)),
      id: json.optional(json.described('The id of the input line.', json.plain<Json>({}))),
    }),
    json.oneOf(ANSWERED, REFUSED, MISTAKEN),
  ),
);

/** The members for a specification in one line: its answer, or why there is none. */
export const outcomeText = (outcome: Outcome): string =>
  jsonLine(
    outcome.kind === 'answer'
      ? ANSWERED.encode({ ...outcome.answer, answer: outcome.answer })
      : REFUSED.encode({ refusal: refusalMembers(outcome.refusal) }),
  );

/** The mistakes of a line, likewise; `more` of them are left out. */
export const mistakesText = (errors: readonly InputError[], more: number): string =>
  jsonLine(MISTAKEN.encode(mistakes(errors, more, null)));

/**
 * One line of `dpcompose.batch/1`.
 *
 * @param line - the line's number in the input, from 1
 * @param id - the value that the line has as its `id`, as JSON; null where it has none
 * @param content - the answer, the refusal or the mistakes, as a JSON object
 */
export const batchLine = (line: number, id: string | null, content: string, version: string): string =>
  `{"schema":"dpcompose.batch/1","version":${JSON.stringify(version)},"line":${line}${id === null ? '' : `,"id":${id}`},${content.slice(1)}\n`;
