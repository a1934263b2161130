import { BOUND_IDS } from '../../bounds/bound.ts';
import { BRACKET, DECIMAL, record, TEXT, type JsonSchema } from './common.ts';

const identity: JsonSchema = { id: { enum: BOUND_IDS }, name: TEXT, reference: TEXT };

/** One theorem: what it gives, or why it does not apply. */
export const BOUND_ROW: JsonSchema = {
  oneOf: [
    record({ ...identity, applies: { const: true }, epsilon: BRACKET, delta: BRACKET, decimal: DECIMAL }, ['decimal']),
    record({ ...identity, applies: { const: false }, code: TEXT, reason: TEXT }),
  ],
};
