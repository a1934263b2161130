import type { Bound, Composition, Effort } from '../../bounds/core/bound.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { mergeEqual } from '../../privacy/mechanism-key.ts';
import { guaranteeOfSelection } from '../../privacy/mechanisms/records.ts';

/**
 * Mechanisms that stand for an entry in theorems that do not cover selections: k fixed runs are at most k composed runs, of which the
 * best is a post-processing; other selections go by their (e, d)-DP. Null where there are none.
 */
function standIns(entry: Entry): readonly Entry[] | null {
  const { mechanism, count } = entry;
  if (mechanism.type !== 'selection') return [entry];
  const { of, runs } = mechanism;
  if (runs.law === 'fixed') {
    const all = of.map((part) => ({ ...part, count: part.count * runs.count.toNumber() * count }));
    if (all.every((part) => Number.isSafeInteger(part.count))) return all;
  }
  const guarantee = guaranteeOfSelection(mechanism);
  return guarantee && [{ ...entry, mechanism: { type: 'dp', ...guarantee } }];
}

/** A composition of stand-ins for its selections; null where it has none, or one of them has no stand-ins. */
function withStandIns(composition: Composition): Composition | null {
  const { entries, order } = composition;
  if (!entries.some(({ mechanism }) => mechanism.type === 'selection')) return null;
  const all = entries.map(standIns);
  return all.some((list) => list === null)
    ? null
    : {
        ...composition,
        entries: mergeEqual(
          all.flatMap((list) => list ?? []),
          order,
        ),
      };
}

/** A curve that bounds from above only: not all that is of a larger class is a selection. */
const fromAbove = (curve: PrivacyCurve): PrivacyCurve => ({
  delta: (epsilon) => ({ lower: null, upper: curve.delta(epsilon).upper }),
  epsilon: (delta) => ({ lower: null, upper: curve.epsilon(delta).upper }),
});

/** Where it is shown what selections lose that have stand-ins. */
const SELECTIONS = 'selections: Liu, Talwar 2019; Papernot, Steinke 2022, Cor 3, sharpened';

/** A theorem for a composition, or for what stands in for its selections; with the composition that it is applied to. */
export function bySelections(composition: Composition): (bound: Bound) => {
  readonly bound: Bound;
  readonly composition: Composition;
  readonly apply: (effort: Effort) => ReturnType<Bound['apply']>;
} {
  const others = withStandIns(composition);
  return (bound) => {
    const isOwn = others === null || bound.exposition.coverage.types.includes('selection');
    if (isOwn) return { bound, composition, apply: (effort) => bound.apply(composition, effort) };
    return {
      bound: { ...bound, reference: `${bound.reference}; ${SELECTIONS}` },
      composition: others,
      apply(effort) {
        const applied = bound.apply(others, effort);
        return 'curve' in applied ? { curve: fromAbove(applied.curve) } : applied;
      },
    };
  };
}
