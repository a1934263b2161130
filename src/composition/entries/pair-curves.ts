import { ALL_BOUNDS } from '../../bounds/all.ts';
import type { Composition } from '../../bounds/core/bound.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';
import type { ApproximateDp, Entry } from '../../privacy/mechanism.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { mergeEqual } from '../../privacy/mechanism-key.ts';
import { effectiveOrder } from '../../privacy/query.ts';
import { effortFor, type ComposeOptions, type EntriesProblem } from './compose-entries.ts';

function pairsIn(composition: Composition, options: ComposeOptions): readonly PrivacyCurve[] | null {
  for (const bound of ALL_BOUNDS) {
    if (bound.id !== 'dp-optimal' && bound.id !== 'gaussian' && bound.id !== 'loss-distribution') continue;
    const applied = bound.apply(composition, effortFor(bound.id, bound.isSlow?.(composition) === true, options));
    if ('curve' in applied && applied.curve.pairs !== undefined) return applied.curve.pairs;
  }
  return null;
}

/**
 * The curves of the single pairs of distributions of which the largest is, at every epsilon, the smallest claim for a
 * list of mechanisms: what holds for each of them holds for the mechanisms, and the mechanisms may have each of them.
 * Null where no such pairs are known.
 */
export function pairCurves(
  { entries, adaptivity, order: declared }: EntriesProblem,
  options: ComposeOptions = {},
): readonly PrivacyCurve[] | null {
  if (adaptivity === 'parameters') return null;
  const order = effectiveOrder(adaptivity, declared);
  return pairsIn({ entries: mergeEqual(entries, order), adaptivity, order }, options);
}

/** Bounded range contains RR(e, e/2), which is RR(e/2); every mechanism may also answer once only. */
function legalUse(entry: Entry): Entry {
  const { mechanism } = entry;
  if (mechanism.type !== 'bounded-range') return { ...entry, kind: 'noninteractive' };
  const half: ApproximateDp = { type: 'dp', epsilon: mechanism.epsilon.times('0.5'), delta: new Decimal(0) };
  return { ...entry, kind: 'noninteractive', mechanism: half };
}

/**
 * The curves of single pairs of distributions that mechanisms of the declared classes have, however those are run: none
 * where none is known. Entries of which none is known answer a constant.
 */
export function attainedCurves(entries: readonly Entry[], options: ComposeOptions = {}): readonly PrivacyCurve[] {
  const usable = entries
    .map(legalUse)
    .filter((entry) => pairsIn({ entries: [entry], adaptivity: 'nonadaptive', order: 'any' }, options) !== null);
  if (usable.length === 0) return [];
  return pairsIn({ entries: mergeEqual(usable, 'any'), adaptivity: 'nonadaptive', order: 'any' }, options) ?? [];
}
