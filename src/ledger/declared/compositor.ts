import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import type { Refusal } from '../core/refusal.ts';
import { atDistance } from '../core/distance.ts';
import { otherRelation } from '../core/relation.ts';
import { assumedOf } from '../rules/filter-rule.ts';
import type { CompiledRule } from '../core/rule.ts';
import type { CompositorTerms } from '../core/terms.ts';
import { declaredSlots } from './slots.ts';

/** The declared entries, at the ledger's distance; or the first entry that has no guarantee there. */
export function declaredAtDistance({ declared, distance, neighbours }: CompositorTerms): readonly Entry[] | Refusal {
  const scaled: Entry[] = [];
  for (const entry of declared) {
    const refusal = otherRelation(entry, { neighbours });
    if (refusal !== null) return refusal;
    const mechanism = atDistance(entry.mechanism, distance);
    if (!mechanism) {
      const found = entry.mechanism.type;
      return { code: 'no-theorem', reason: 'no-map', found, distance: distance.toString() };
    }
    scaled.push({ ...entry, mechanism: mechanism as Mechanism });
  }
  return scaled;
}

/** The slots of what is declared, at the ledger's distance, ready for decisions. */
export const compileSlots = (terms: CompositorTerms, declared: readonly Entry[]): CompiledRule =>
  declaredSlots(
    { type: 'declared', bound: terms.bound, entries: declared },
    { type: 'dp', ...terms.budget },
    assumedOf('discrete-answers', terms.concurrency),
  );
