import { jsonDocument, type Json } from './json-value.ts';
import type { TheoremFacts } from './theorem-facts.ts';

const factsJson = (facts: TheoremFacts): Json => ({ ...facts });

/** Every theorem as `dpcompose.theorems/1`. */
export const theoremsJson = (facts: readonly TheoremFacts[], version: string): string =>
  jsonDocument({ schema: 'dpcompose.theorems/1', version, theorems: facts.map(factsJson) });

/** One theorem as `dpcompose.explain/1`. */
export const theoremJsonDocument = (facts: TheoremFacts, version: string): string =>
  jsonDocument({ schema: 'dpcompose.explain/1', version, theorem: factsJson(facts) });
