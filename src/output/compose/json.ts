import type { Answer } from '../../composition/core/outcome.ts';
import { BRACKET, FLAG, TEXT, INPUT, QUERY } from '../kit/codecs.ts';
import { DECIMAL, decimalOf, EXACT, ROW_ID, BOUND_ROW, boundRow, WARNING } from '../refusal/refusal.ts';
import * as json from '../kit/codec.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';

/** The claim. */
export const ANSWER = json.from(
  json.object({
    epsilon: BRACKET,
    delta: BRACKET,
    bound: ROW_ID,
    directions: json.optional(
      json.described(
        'the result for removing a record and for adding one; the answer is the larger',
        json.object({ remove: BRACKET, add: BRACKET }),
      ),
    ),
    tight: json.described('lower and upper agree to the tolerance', FLAG),
    exact: json.optional(EXACT),
    decimal: json.optional(DECIMAL),
  }),
  (answer: Answer) => {
    const { solveFor } = answer.query;
    return { ...answer, exact: answer[solveFor].exact, decimal: decimalOf(answer.decimal, solveFor) };
  },
);

/** A theorem on which a plan rests; `number` is its place in the paper, or "derived". */
export const THEOREM = json.object({ id: TEXT, number: TEXT, name: TEXT, reference: TEXT });

/** How a composition with structure was priced. */
export const PLAN_TOTALS = json.described(
  'For a plan: the result with all parts in one list, and with each part as one (epsilon, delta).',
  json.object({ flattened: json.orNull(BRACKET), grouped: json.orNull(BRACKET), theorems: json.list(THEOREM) }),
);

/** The answer of `compose`. */
export const COMPOSE = json.document(
  'compose',
  'The certified privacy loss of a composition: the output of compose --json.',
  {
    input: INPUT,
    query: QUERY,
    answer: ANSWER,
    bounds: json.list(BOUND_ROW),
    plan: json.optional(PLAN_TOTALS),
    warnings: json.list(WARNING),
  },
);

/** The answer as `dpcompose.compose/1`; `input` is the specification in normal form. */
export const composeJson = (answer: Answer, input: ExactForm, version: string): string =>
  json.documentText(COMPOSE, {
    ...answer,
    version,
    input,
    answer,
    bounds: answer.bounds.map((row) => boundRow(row, answer.query.solveFor)),
  });
