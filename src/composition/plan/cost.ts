import { failureOf } from '../../bounds/core/entries.ts';
import { largestLoss } from '../../bounds/renyi/renyi.ts';
import { Decimal, ZERO } from '../../numeric/decimal.ts';
import { failureProbability } from '../../privacy/failure.ts';
import type { ApproximateDp, Entry, MechanismKind } from '../../privacy/mechanism.ts';
import { epsilonDeltaOf, hasPurePart, isZeroLoss } from '../../privacy/mechanisms/records.ts';
import { mechanismKey, mergeEqual } from '../../privacy/mechanism-key.ts';

// Entries as (epsilon, delta)-DP mechanisms, of which RR(e, 0) and RR(0, d) are the parts.

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

/** The mechanisms without their d; those that are only a d are left out. */
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

/**
 * The mechanisms that a part of a plan adds to the composition, which each answer once or are post-processings of such:
 * composed with those of the other parts they dominate it.
 */
export interface Cost {
  /** Paid where it gets data in which neighbours differ. */
  readonly differing: readonly Entry[];
  /** Paid whenever it is created, whatever its data. */
  readonly created: readonly Entry[];
}

export const NOTHING: Cost = { differing: [], created: [] };

/** A mechanism whose loss is always 0. */
const ZERO_LOSS: Entry = dpOnce(ZERO, ZERO, 'noninteractive');

/** All of several parts. */
export const together = (costs: readonly Cost[]): Cost => ({
  differing: costs.flatMap(({ differing }) => differing),
  created: costs.flatMap(({ created }) => created),
});

/** The cost of a part that pays nothing unless it gets different data. */
export const onlyIfDiffering = ({ differing, created }: Cost): Cost => ({
  differing: [...differing, ...created],
  created: [],
});

/** The mechanisms to compose for a part that does get different data; at least one. */
export function entriesOf({ differing, created }: Cost): readonly Entry[] {
  const all = [...differing, ...created];
  return all.length === 0 ? [ZERO_LOSS] : all;
}

const costKeys = new WeakMap<Cost, string>();

/** A text that is equal for costs of the same mechanisms, as often and of the same kinds. */
export function costKey(cost: Cost): string {
  const before = costKeys.get(cost);
  if (before !== undefined) return before;
  const key = mergeEqual(entriesOf(cost))
    .map(({ mechanism, kind, count }) => `${kind} ${mechanismKey(mechanism)} x ${count}`)
    .sort()
    .join('; ');
  costKeys.set(cost, key);
  return key;
}

const sameEntries = (a: readonly Entry[], b: readonly Entry[]): boolean =>
  a.length === b.length &&
  a.every(({ mechanism, kind, count }, index) => {
    const other = b[index]!;
    return mechanism === other.mechanism && kind === other.kind && count === other.count;
  });

/** Whether two costs are of the same mechanisms; lists of the very same mechanisms need no texts. */
export function sameCost(a: Cost, b: Cost): boolean {
  const listed = sameEntries(a.differing, b.differing) && sameEntries(a.created, b.created);
  return listed || costKey(a) === costKey(b);
}

const Up = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_UP });

/** More factors than this are not multiplied. */
const MOST_FACTORS = 10_000;
/** A number of sets beyond this leaves nothing of a delta. */
const MOST = new Decimal('1e280');

/** One set: nothing is to be chosen. */
export const ONE_SET = new Decimal(1);

/** The number of sets of `k` of `n` things, rounded up; Infinity where it is too large to be of use. */
export function setsOf(n: number, k: number): Decimal {
  const factors = Math.min(k, n - k);
  if (factors > MOST_FACTORS) return new Decimal(Infinity);
  let sets = new Up(1);
  for (let i = 1; i <= factors; i++) {
    sets = sets.times(n - factors + i).div(i);
    if (sets.gt(MOST)) return new Decimal(Infinity);
  }
  return new Decimal(sets.ceil());
}

/** Sets chosen one after the other; Infinity where there are too many. */
export const setsTogether = (sets: readonly Decimal[]): Decimal =>
  new Decimal(sets.reduce((product, count) => product.times(count), new Up(1)));

/** As many sets as there are ways to choose `times` times over. */
export const setsRepeated = (sets: Decimal, times: number): Decimal =>
  sets.eq(1) ? ONE_SET : times > MOST_FACTORS ? new Decimal(Infinity) : new Decimal(new Up(sets).pow(times));
