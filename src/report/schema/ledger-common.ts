import { amounts, DECIMAL_TEXT, GIVEN, list, NOTICE, NUMBER, record, TEXT, type JsonSchema } from './common.ts';

const NULL: JsonSchema = { type: 'null' };

/** A value, or null where there is none. */
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, NULL] });

export const WHOLE: JsonSchema = { type: 'integer', minimum: 0 };

export const HASH: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' };

/** What a ledger guarantees or what was spent of it, rounded up, or what is left, rounded down. */
export const GUARANTEE: JsonSchema = {
  description:
    'Beyond 15 digits what was spent and what is guaranteed is rounded up, and what is left down; exact: all digits, as text.',
  oneOf: [
    record({ type: { const: 'dp' }, ...amounts('epsilon', 'delta') }),
    record({ type: { const: 'zcdp' }, ...amounts('rho') }),
    record({ type: { const: 'approximate-zcdp' }, ...amounts('rho', 'delta') }),
    record({ type: { const: 'rdp' }, orders: list(record({ alpha: GIVEN, ...amounts('epsilon') })) }),
    record({ type: { const: 'approximate-rdp' }, alpha: GIVEN, ...amounts('epsilon', 'delta') }),
    record({ type: { const: 'gdp' }, ...amounts('mu') }),
  ],
};

/** The running totals of the rule, by their names. */
export const TOTALS: JsonSchema = {
  type: 'object',
  description: 'By their names, rounded up beyond 15 digits; exact: by the same names, all digits, as text.',
  properties: { exact: { type: 'object', additionalProperties: DECIMAL_TEXT } },
  required: ['exact'],
  additionalProperties: NUMBER,
};

const HALTED = { enum: ['insufficient-budget', 'count-limit', null] };

/** What a ledger is, and where its file stands. */
export const LEDGER: JsonSchema = record({
  file: TEXT,
  id: TEXT,
  madeAt: { type: ['string', 'null'] },
  terms: { type: 'object', description: 'What was fixed when the ledger was made, its numbers with all their digits.' },
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
