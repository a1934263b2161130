import { DECLARED_BOUNDS } from './declared/bounds.ts';
import { FILTER_RULES } from './rules/compile.ts';
import type { Terms } from './core/terms.ts';

/** The theorem behind a ledger. */
export function theoremOf(terms: Terms): { readonly name: string; readonly reference: string } {
  const { name, reference } = terms.mode === 'compositor' ? DECLARED_BOUNDS[terms.bound] : FILTER_RULES[terms.rule.id];
  return { name, reference };
}
