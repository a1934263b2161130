import { BOUND_IDS, type RowId } from '../../bounds/core/bound.ts';
import { BRACKET, DECIMAL, record, TEXT, type JsonSchema } from './common.ts';

/** Every bound, and the total of a plan whose parts are priced one by one. */
export const ROW_IDS: readonly RowId[] = [...BOUND_IDS, 'grouped'];

const identity: JsonSchema = { id: { enum: ROW_IDS }, name: TEXT, reference: TEXT };

/** One theorem: what it gives, or why it does not apply. */
export const BOUND_ROW: JsonSchema = {
  oneOf: [
    record({ ...identity, applies: { const: true }, epsilon: BRACKET, delta: BRACKET, decimal: DECIMAL }, ['decimal']),
    record({ ...identity, applies: { const: false }, code: TEXT, reason: TEXT }),
  ],
};
