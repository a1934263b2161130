import { relationOf, type Entry } from '../../privacy/mechanism.ts';
import type { Refusal } from './refusal.ts';
import type { Terms } from './terms.ts';

/**
 * The refusal of a mechanism whose guarantee is for a relation of neighbours that the ledger does not name as its own: guarantees
 * for different relations do not add up. Null where there is none.
 */
export function otherRelation(entry: Entry, { neighbours }: Pick<Terms, 'neighbours'>): Refusal | null {
  const relation = relationOf(entry);
  if (relation === null || relation === neighbours) return null;
  return { code: 'unverified', reason: 'other-relation', relation, ledger: neighbours };
}
