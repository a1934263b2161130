import { ROW_IDS } from './bounds.ts';
import { BRACKET, BRACKET_OR_NULL, DECIMAL, list, record, type JsonSchema } from './common.ts';
import { THEOREM } from './theorem.ts';

/** What was asked. */
export const QUERY: JsonSchema = {
  oneOf: [
    record({ solveFor: { const: 'epsilon' }, delta: { type: 'number' } }),
    record({ solveFor: { const: 'delta' }, epsilon: { type: 'number' } }),
  ],
};

/** The claim. */
export const ANSWER: JsonSchema = record(
  {
    epsilon: BRACKET,
    delta: BRACKET,
    bound: { enum: ROW_IDS },
    tight: { type: 'boolean', description: 'lower and upper meet to the tolerance' },
    decimal: DECIMAL,
  },
  ['decimal'],
);

/** How a composition with structure was priced. */
export const PLAN_TOTALS: JsonSchema = {
  description:
    'Where what is composed has structure: what was asked, of all parts in one list, and of each part as one (epsilon, delta).',
  ...record({ flattened: BRACKET_OR_NULL, grouped: BRACKET_OR_NULL, theorems: list(THEOREM) }),
};
