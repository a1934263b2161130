import { inTexts } from '../../document/core/exact-value.ts';
import type { Terms } from '../core/terms.ts';
import type { Conflict } from './fault.ts';
import { exactTerms } from './terms-codec.ts';

/** The values of an object by the paths that lead to them: `rule.id`. */
function leaves(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, each]) => leaves(each, path === '' ? key : `${path}.${key}`));
}

/** The first way in which a ledger has other terms than are wanted of it; null where it has the same, or any will do. */
export function otherTerms(has: Terms, wanted: Terms | null): Extract<Conflict, { code: 'other-budget' }> | null {
  if (wanted === null) return null;
  const found = new Map(leaves(inTexts(exactTerms(has))));
  const expected = new Map(leaves(inTexts(exactTerms(wanted))));
  for (const path of new Set([...expected.keys(), ...found.keys()])) {
    const [is, should] = [found.get(path) ?? 'nothing', expected.get(path) ?? 'nothing'];
    if (is !== should) return { code: 'other-budget', path, found: is, expected: should };
  }
  return null;
}
