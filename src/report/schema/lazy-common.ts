import { BRACKET, ENCLOSURE, GIVEN, list, NOTICE, NUMBER, record, TEXT, type JsonSchema } from './common.ts';

export const NULL: JsonSchema = { type: 'null' };
export const FLAG: JsonSchema = { type: 'boolean' };
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };

export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, NULL] });

/** What print says, and this program does not guarantee. */
export const CLAIMED: JsonSchema = { const: 'claimed' };
/** Certain. */
export const GUARANTEED: JsonSchema = { const: 'guaranteed' };

/** L2P: T, B, eta and p, with all their digits. */
export const SETTING: JsonSchema = { rounds: COUNT, batch: COUNT, eta: GIVEN, p: GIVEN };

export const MEASURE: JsonSchema = {
  oneOf: [
    record({ type: { enum: ['multiplicative-weights', 'any'] } }),
    record({
      type: { const: 'regularised-multiplicative-weights' },
      beta: GIVEN,
      lambda: GIVEN,
      lipschitz: GIVEN,
      diameter: GIVEN,
    }),
  ],
};

export const RESAMPLING: JsonSchema = { enum: ['randomized-response', 'bounded-range', 'gaussian'] };

/** Theorem 3.2 as printed. */
export const THEOREM: JsonSchema = record({
  status: CLAIMED,
  covers: { type: 'boolean', description: 'whether every hypothesis holds' },
  eta: NUMBER,
  hypotheses: list(record({ id: TEXT, value: ENCLOSURE, holds: FLAG })),
  terms: record({ firstFlag: ENCLOSURE, eta: ENCLOSURE, drift: ENCLOSURE, deviation: ENCLOSURE }),
  epsilon: ENCLOSURE,
  delta: ENCLOSURE,
});

/** Exact accounting, one row for each kind of step. */
export const ACCOUNTING: JsonSchema = list(
  record({
    status: GUARANTEED,
    resampling: RESAMPLING,
    epsilon: {
      description:
        'upper: guaranteed for L2P; lower: certain for all that has these flags and steps, not for L2P itself; null if none is known',
      ...BRACKET,
    },
  }),
);

export const NOTES: JsonSchema = list(NOTICE);

/** One result of a lazy command, told by its `result`. */
export const lazyResult = (result: string, properties: JsonSchema): JsonSchema =>
  record({ result: { const: result }, ...properties });
