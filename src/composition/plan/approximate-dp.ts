import { failureOf } from '../../bounds/core/entries.ts';
import { largestLoss } from '../../bounds/renyi/entries.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { failureProbability } from '../../privacy/failure.ts';
import type { ApproximateDp, Entry, MechanismKind } from '../../privacy/mechanism.ts';
import { epsilonDeltaOf, hasPurePart, isZeroLoss } from '../../privacy/mechanisms/records.ts';

// Entries as (epsilon, delta)-DP mechanisms, of which RR(e, 0) and RR(0, d) are the parts.

const ZERO = new Decimal(0);

/** Whether an entry is (e, d)-DP as declared. */
export const isDp = (entry: Entry): entry is Entry<ApproximateDp> => entry.mechanism.type === 'dp';

/** One (e, d)-DP mechanism. */
export const dpOnce = (
  epsilon: Decimal,
  delta: Decimal,
  kind: MechanismKind,
  label: string | null = null,
): Entry<ApproximateDp> => ({ mechanism: { type: 'dp', epsilon, delta }, count: 1, kind, label });

/** A mechanism by the (e, d)-DP guarantee behind it alone; as it is where it has none. */
export function byEpsilonDelta(entry: Entry): Entry {
  const { mechanism } = entry;
  if (!hasPurePart(mechanism) || isDp(entry)) return entry;
  return { ...entry, mechanism: { type: 'dp', ...epsilonDeltaOf(mechanism) } };
}

/**
 * One (e, d)-DP mechanism that dominates each of several lists: the largest sum of losses, and the largest chance of a
 * failure; null where losses have no limit.
 */
export function asOne(lists: readonly (readonly Entry[])[], label: string | null): Entry | null {
  const losses = lists.flatMap((entries) => largestLoss(entries) ?? []);
  if (losses.length < lists.length) return null;
  const failures = lists.map((entries) => failureOf(entries).upper);
  return dpOnce(Decimal.max(...losses), Decimal.max(...failures), 'interactive', label);
}

/** The d of (e, d)-DP and of d-approximate zCDP. */
const deltaOf = ({ mechanism }: Entry): Decimal => ('delta' in mechanism ? mechanism.delta : ZERO);

/** The same mechanisms, those with a d taken without it; those of which nothing is left are left out. */
export const withoutDeltas = (entries: readonly Entry[]): Entry[] =>
  entries.flatMap((entry): Entry[] => {
    if (deltaOf(entry).isZero()) return [entry];
    const mechanism = { ...entry.mechanism, delta: ZERO };
    return isZeroLoss(mechanism) ? [] : [{ ...entry, mechanism }];
  });

/** The mechanisms with a d above 0, taken as (0, d)-DP. */
export const onlyDeltas = (entries: readonly Entry[]): Entry[] =>
  entries
    .filter((entry) => !deltaOf(entry).isZero())
    .map((entry) => ({ ...entry, mechanism: { type: 'dp', epsilon: ZERO, delta: deltaOf(entry) } }));

/** An upper end of 1 - prod(1 - d_j) over the mechanisms of a list that have a d_j. */
export const deltasTogether = (entries: readonly Entry[]): Decimal =>
  failureProbability(entries.map((entry) => ({ delta: deltaOf(entry), count: entry.count }))).upper;
