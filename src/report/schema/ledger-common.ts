import { list, NOTICE, record, TEXT, type JsonSchema } from './common.ts';

const NULL: JsonSchema = { type: 'null' };

/** A value, or null where there is none. */
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, NULL] });

export const WHOLE: JsonSchema = { type: 'integer', minimum: 0 };

/** An exact decimal, or one that was rounded to the side on which it stays true. */
export const DECIMAL_TEXT: JsonSchema = {
  type: 'string',
  pattern: '^(Infinity|\\d+(\\.\\d+)?(e[+-]?\\d+)?)$',
};

export const HASH: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' };

/** What a ledger guarantees, what was spent of it, or what is left. */
export const GUARANTEE: JsonSchema = {
  oneOf: [
    record({ type: { const: 'dp' }, epsilon: DECIMAL_TEXT, delta: DECIMAL_TEXT }),
    record({ type: { const: 'zcdp' }, rho: DECIMAL_TEXT }),
    record({ type: { const: 'approximate-zcdp' }, rho: DECIMAL_TEXT, delta: DECIMAL_TEXT }),
    record({ type: { const: 'rdp' }, orders: list(record({ alpha: DECIMAL_TEXT, epsilon: DECIMAL_TEXT })) }),
    record({
      type: { const: 'approximate-rdp' },
      alpha: DECIMAL_TEXT,
      epsilon: DECIMAL_TEXT,
      delta: DECIMAL_TEXT,
    }),
    record({ type: { const: 'gdp' }, mu: DECIMAL_TEXT }),
  ],
};

/** The running totals of the rule, by their names. */
export const TOTALS: JsonSchema = { type: 'object', additionalProperties: DECIMAL_TEXT };

const HALTED = { enum: ['insufficient-budget', 'count-limit', null] };

/** What a ledger is, and where its file stands. */
export const LEDGER: JsonSchema = record({
  file: TEXT,
  id: TEXT,
  madeAt: { type: ['string', 'null'] },
  terms: { type: 'object', description: 'What was fixed when the ledger was made, as in its first record.' },
  theorem: record({ name: TEXT, reference: TEXT }),
  origin: orNull(record({ kind: { enum: ['nested', 'converted'] }, id: TEXT, hash: HASH })),
  records: WHOLE,
  hash: HASH,
  lastAt: { type: ['string', 'null'] },
  successor: { type: ['string', 'null'], description: 'The id of the ledger in which it goes on, once it has ended.' },
  halted: HALTED,
  unfinished: { ...WHOLE, description: 'Bytes of a record at the end that is not finished, and does not count.' },
});

/** The same in short. */
export const LEDGER_BRIEF: JsonSchema = record({ file: TEXT, id: TEXT, records: WHOLE, hash: HASH, halted: HALTED });

/** What was spent, and what is left. */
export const STANDING: JsonSchema = {
  launched: WHOLE,
  totals: TOTALS,
  spent: GUARANTEE,
  guarantee: orNull(GUARANTEE),
  left: { ...orNull(GUARANTEE), description: 'The largest guarantee that one more mechanism may have.' },
  shares: {
    type: 'object',
    description: 'The share of each total that is used, from 0 to 1.',
    additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
  },
};

/** A record of the file. */
export const RECORD_REFERENCE: JsonSchema = record({ number: WHOLE, hash: HASH });

export const CAVEATS: JsonSchema = list(NOTICE);
