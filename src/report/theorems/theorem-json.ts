import { choice, described, document, documentText, list, object } from '../kit/codec.ts';
import { TEXT, TEXT_OR_NULL } from '../kit/codecs.ts';
import type { TheoremFacts } from './theorem-facts.ts';

/** The facts on a bound, a theorem of plans or a rule of ledgers. */
export const THEOREM_FACTS = object({
  id: TEXT,
  kind: choice('bound', 'plan', 'ledger'),
  name: TEXT,
  reference: TEXT,
  statement: TEXT,
  formula: list(TEXT),
  preconditions: list(TEXT),
  departures: described('Where the program departs from what is printed, and why.', list(TEXT)),
  slack: described('What a bound gives away.', TEXT_OR_NULL),
  sources: list(TEXT),
});

/** Every theorem. */
export const THEOREMS = document(
  'theorems',
  'Every bound, every theorem and every rule of ledgers, as theorems --json prints them.',
  { theorems: list(THEOREM_FACTS) },
);

/** Every theorem as `dpcompose.theorems/1`. */
export const theoremsJson = (theorems: readonly TheoremFacts[], version: string): string =>
  documentText(THEOREMS, { version, theorems });
