import { jsonDocument, type Json } from '../kit/json-value.ts';
import type { Named } from './named.ts';
import type { TheoremFacts } from './theorem-facts.ts';

const factsJson = (facts: TheoremFacts): Json => ({ ...facts });

/** Every theorem as `dpcompose.theorems/1`. */
export const theoremsJson = (facts: readonly TheoremFacts[], version: string): string =>
  jsonDocument({ schema: 'dpcompose.theorems/1', version, theorems: facts.map(factsJson) });

/** All that goes by a name as `dpcompose.explain/1`. */
export const namedJson = ({ theorem, rule, codes }: Named, version: string): string =>
  jsonDocument({
    schema: 'dpcompose.explain/1',
    version,
    ...(theorem === null ? {} : { theorem: factsJson(theorem) }),
    ...(rule === null ? {} : { rule: factsJson(rule) }),
    ...(codes.length === 0 ? {} : { codes: codes.map((code) => ({ ...code })) }),
  });
