import type { Answer } from '../../composition/core/outcome.ts';
import { described, from, list, object, optional, orNull } from '../kit/codec.ts';
import { BRACKET, FLAG, TEXT } from '../kit/codecs.ts';
import { DECIMAL, decimalOf, EXACT, ROW_ID } from '../refusal/bound-row-json.ts';

/** The claim. */
export const ANSWER = from(
  object({
    epsilon: BRACKET,
    delta: BRACKET,
    bound: ROW_ID,
    directions: optional(
      described(
        'what was asked, where a record is removed and where one is added: the answer is the larger',
        object({ remove: BRACKET, add: BRACKET }),
      ),
    ),
    tight: described('lower and upper meet to the tolerance', FLAG),
    exact: optional(EXACT),
    decimal: optional(DECIMAL),
  }),
  (answer: Answer) => {
    const { solveFor } = answer.query;
    return { ...answer, exact: answer[solveFor].exact, decimal: decimalOf(answer.decimal, solveFor) };
  },
);

/** A theorem on which a plan rests; `number` is its place in the paper, or "derived". */
export const THEOREM = object({ id: TEXT, number: TEXT, name: TEXT, reference: TEXT });

/** How a composition with structure was priced. */
export const PLAN_TOTALS = described(
  'Where what is composed has structure: what was asked, of all parts in one list, and of each part as one (epsilon, delta).',
  object({ flattened: orNull(BRACKET), grouped: orNull(BRACKET), theorems: list(THEOREM) }),
);
