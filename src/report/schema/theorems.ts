import { list, published, record, TEXT, type JsonSchema } from './common.ts';

/** What a bound, a theorem of plans or a rule of ledgers says. */
export const THEOREM_FACTS: JsonSchema = record({
  id: TEXT,
  kind: { enum: ['bound', 'plan', 'ledger'] },
  name: TEXT,
  reference: TEXT,
  statement: TEXT,
  formula: list(TEXT),
  preconditions: list(TEXT),
  departures: { ...list(TEXT), description: 'Where the program departs from what is printed, and why.' },
  slack: { type: ['string', 'null'], description: 'What a bound gives away.' },
  sources: list(TEXT),
});

/** What `theorems --json` prints. */
export const THEOREMS_SCHEMA = published(
  'theorems',
  'Every bound, every theorem and every rule of ledgers, as theorems --json prints them.',
  {
    ...record({ schema: { const: 'dpcompose.theorems/1' }, version: TEXT, theorems: list(THEOREM_FACTS) }),
  },
);
