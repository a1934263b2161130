import { type Decimal, ZERO } from '../../numeric/decimal.ts';
import type { PureGroup } from '../../privacy/pure.ts';

/** A set of outcomes at which the loss may exceed epsilon: all with the parameters of smaller losses below a threshold. */
export interface ThresholdSet {
  /** 1 where an outcome belongs to it. */
  readonly set: Uint8Array;
  /** For each parameter, the least and the largest sum of the others' outcomes at which one mechanism of it decides. */
  readonly windows: readonly (readonly [number, number])[];
  /** Whether no mechanism of the parameter ever decides; the windows of the others leave its sums out. */
  readonly free: readonly boolean[];
  /** The largest sum in the set, and the least outside it. */
  readonly below: number;
  readonly above: number;
}

/** The outcomes of mechanisms of a few parameters: of each, how many have the smaller loss. */
export interface ThresholdSets {
  readonly epsilons: readonly number[];
  readonly counts: readonly number[];
  /** How far apart outcomes are that differ by one mechanism, and how many there are. */
  readonly strides: readonly number[];
  readonly outcomes: number;
  /** How many sets there are but for that of all outcomes, and each. */
  readonly size: number;
  readonly threshold: (index: number) => ThresholdSet;
}

/** Of more outcomes the sets take too long. */
const MOST_OUTCOMES = 2 ** 13;
/** Larger parameters are beyond what the expansions are meant for. */
const LARGEST_EPSILON = 20;

/** Sums nearer than this to each other, as a part of the whole, are compared exactly. */
const NEAR = 1e-9;

/** The sets of outcomes whose sums of the parameters are at most one of these sums; null where there are too many outcomes. */
export function thresholdSets(groups: readonly PureGroup[], mostOutcomes = MOST_OUTCOMES): ThresholdSets | null {
  const epsilons = groups.map(({ epsilon }) => epsilon.toNumber());
  const counts = groups.map(({ count }) => count);
  const outcomes = counts.reduce((product, k) => product * (k + 1), 1);
  if (outcomes > mostOutcomes || epsilons.some((e) => !(e > 1e-9 && e <= LARGEST_EPSILON))) return null;
  const strides = counts.map((_, p) => counts.slice(0, p).reduce((product, k) => product * (k + 1), 1));
  const digit = (i: number, p: number): number => Math.floor(i / strides[p]!) % (counts[p]! + 1);
  const sums = Float64Array.from({ length: outcomes }, (_, i) =>
    epsilons.reduce((sum, e, p) => sum + e * digit(i, p), 0),
  );
  const exactSums = new Array<Decimal>(outcomes);
  const exact = (i: number): Decimal =>
    (exactSums[i] ??= groups.reduce((sum, { epsilon }, p) => sum.plus(epsilon.times(digit(i, p))), ZERO));
  const near = NEAR * sums[outcomes - 1]!;
  const compare = (i: number, j: number): number => {
    const apart = sums[i]! - sums[j]!;
    return Math.abs(apart) > near ? apart : exact(i).cmp(exact(j));
  };
  const order = Array.from({ length: outcomes }, (_, i) => i).sort(compare);
  const lasts = order.flatMap((i, n) => (n + 1 < outcomes && compare(i, order[n + 1]!) !== 0 ? [n] : []));

  const threshold = (index: number): ThresholdSet => {
    const last = lasts[index]!;
    const set = new Uint8Array(outcomes);
    for (let n = 0; n <= last; n++) set[order[n]!] = 1;
    const decides = (i: number, p: number): boolean =>
      set[i] === 1 && digit(i, p) < counts[p]! && set[i + strides[p]!] === 0;
    const free = counts.map((_, p) => !order.some((i) => decides(i, p)));
    const windows = counts.map((_, p): [number, number] => {
      const ends: [number, number] = [Infinity, -Infinity];
      for (const i of order) {
        if (!decides(i, p) || free.some((isFree, r) => isFree && digit(i, r) > 0)) continue;
        ends[0] = Math.min(ends[0], sums[i]!);
        ends[1] = Math.max(ends[1], sums[i]!);
      }
      return ends;
    });
    return { set, windows, free, below: sums[order[last]!]!, above: sums[order[last + 1]!]! };
  };
  return { epsilons, counts, strides, outcomes, size: lasts.length, threshold };
}
