import { list, published, record, TEXT, type JsonSchema } from './common.ts';

/** What a bound or a theorem of plans says. */
export const THEOREM_FACTS: JsonSchema = record({
  id: TEXT,
  kind: { enum: ['bound', 'plan'] },
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
export const THEOREMS_SCHEMA = published('theorems', 'Every bound and every theorem, as theorems --json prints them.', {
  ...record({ schema: { const: 'dpcompose.theorems/1' }, version: TEXT, theorems: list(THEOREM_FACTS) }),
});
