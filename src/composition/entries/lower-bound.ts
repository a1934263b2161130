import { nonadaptiveOptimum } from '../../bounds/bounded-range/nonadaptive-optimum.ts';
import { pureOptimum } from '../../bounds/dp-optimal/dp-optimal.ts';
import { failureOf, pureGroups } from '../../bounds/core/entries.ts';
import { gaussian } from '../../bounds/closed-form/gaussian.ts';
import { asLower, type LowerBound } from '../../numeric/enclosure.ts';
import type { PrivacyCurve, Query } from '../../privacy/curve.ts';
import { NEVER } from '../../privacy/failure.ts';
import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import type { Entry, ApproximateDp, BoundedRange, Selection } from '../../privacy/mechanism.ts';
import { isZeroLoss, midpointResponse } from '../../privacy/mechanisms/records.ts';
import type { PureGroup } from '../../privacy/pure.ts';
import type { Effort } from '../../bounds/core/bound.ts';
import { selectionLowerBound } from '../../bounds/selection/lower-end.ts';
import { nonadaptiveSource } from '../../bounds/bounded-range/nonadaptive-source.ts';
import {
  curveOfEntries,
  isAttained,
  lossDistributionCurve,
  outOfScale,
} from '../../bounds/loss-distribution/loss-distribution.ts';
import { joinedTo } from '../../bounds/mixed/mixed.ts';
import { WITH_PAIR, type WithPair } from '../../bounds/loss-distribution/pair-entries.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import { allocationTest, MOST_TESTED } from '../../privacy/sampling/allocation-lower-bound.ts';
import { isAllocation, isOneBlock, muSquaredOfBatch, sizesOf } from '../../privacy/sampling/random-allocation.ts';
import { isCovered } from '../../privacy/sampling/sampled-moment.ts';
import { isListed } from '../../privacy/sampling/base-law.ts';
import { Decimal, toUpper, ZERO } from '../../numeric/decimal.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';

/** Sums of more equal mechanisms than this take a while. */
const MOST = 1e7;

const patient = { exhausted: () => false };

/** The randomized responses that an entry may be; null where it is none, or they are too many. */
function responsesOf({ mechanism, count }: Entry): PureGroup | null {
  const epsilon = mechanism.type === 'dp' ? mechanism.epsilon : midpointResponse(mechanism);
  return epsilon === null || epsilon.isZero() ? null : { epsilon, count: Math.min(count, MOST) };
}

/** Of how many entries the curves are taken. */
const FEW = 3;

/** About how much an entry reveals: the variance of its losses. */
function weight(entry: Entry): number {
  const { mechanism, count } = entry;
  const epsilon = mechanism.type === 'bounded-range' ? mechanism.epsilon.div(2) : responsesOf(entry)?.epsilon;
  return count * (epsilon?.toNumber() ?? 0) ** 2;
}

/** The entries that reveal most, about. */
const strongest = (entries: readonly Entry[]): readonly Entry[] =>
  entries.length <= FEW
    ? entries
    : entries
        .map((entry) => ({ entry, own: weight(entry) }))
        .sort((a, b) => b.own - a.own)
        .slice(0, FEW)
        .map(({ entry }) => entry);

/** The curve of one entry's mechanisms alone; null where it has none that is quick. */
function curveOf(entry: Entry): PrivacyCurve | null {
  const { mechanism, count } = entry;
  if (mechanism.type === 'bounded-range') {
    if (mechanism.epsilon.isZero()) return null;
    const losses = nonadaptiveOptimum(mechanism.epsilon, Math.min(count, MOST), 'lower');
    return curveWithFailure(losses, NEVER, 'tight');
  }
  const responses = responsesOf(entry);
  if (responses === null) return null;
  const failure = mechanism.type === 'dp' ? failureOf([{ ...entry, count: responses.count }]) : NEVER;
  return curveWithFailure(pureOptimum([responses], patient), failure, 'tight');
}

/** The curve of all Gaussian noise; null where there is none. */
function gaussianCurve(entries: readonly Entry[]): PrivacyCurve | null {
  const normal = entries
    .filter(({ mechanism }) => mechanism.type === 'gaussian' || mechanism.type === 'gdp')
    .map((entry) => ({ ...entry, kind: 'noninteractive' as const }));
  if (normal.length === 0) return null;
  const applied = gaussian.apply({ entries: normal, adaptivity: 'adaptive', order: 'any' }, patient);
  return 'curve' in applied ? applied.curve : null;
}

/**
 * An impossibility lower bound for exactly these classes, as far as that takes milliseconds: the most that an adversary
 * gains who uses the mechanisms of one entry alone, or all Gaussian noise, and of other noise only sees on which side
 * it lies; null where there is none.
 *
 * @param entries - equal mechanisms in one entry
 */
export function quickLowerBoundOf(entries: readonly Entry[]): (query: Query) => LowerBound | null {
  return (query) => {
    const curves = [gaussianCurve(entries), ...strongest(entries).map(curveOf)].filter((curve) => curve !== null);
    const lowers = curves.flatMap((curve) => {
      const { lower } = query.solveFor === 'epsilon' ? curve.epsilon(query.delta) : curve.delta(query.epsilon);
      return lower === null ? [] : [lower];
    });
    return lowers.length === 0 ? null : asLower(Math.max(...lowers));
  };
}

const isType = <T extends Entry['mechanism']['type']>(
  entry: Entry,
  types: readonly T[],
): entry is Entry<Extract<Entry['mechanism'], { type: T }>> => types.some((type) => type === entry.mechanism.type);

/** An epoch of random allocation to several batches, of which none of the pairs that compose is known to be attained. */
const isAllocationToSeveral = ({ mechanism }: Entry<WithPair>): boolean =>
  mechanism.type === 'sampled' && isAllocation(mechanism) && isCovered(mechanism) && !isOneBlock(mechanism);

/**
 * What may be done with a mechanism: bounded range contains RR(e, e/2), which is RR(e/2); of k of t batches the sum is Gaussian noise of
 * deviation sqrt(t), with k mu where the record is; every mechanism may also be used once only, noninteractively.
 */
function legalUse(entry: Entry<WithPair>): Entry<WithPair> {
  const { mechanism } = entry;
  if (mechanism.type === 'sampled' && isAllocation(mechanism) && isAllocationToSeveral(entry)) {
    const { batches, selected } = sizesOf(mechanism);
    const mu = selected * Math.sqrt(Math.max(0, muSquaredOfBatch(mechanism).lower) / batches);
    return { ...entry, kind: 'noninteractive', mechanism: { type: 'gdp', mu: new Decimal(mu * (1 - 8 * U)) } };
  }
  if (mechanism.type !== 'bounded-range') return { ...entry, kind: 'noninteractive' };
  const half: ApproximateDp = { type: 'dp', epsilon: mechanism.epsilon.times('0.5'), delta: ZERO };
  return { ...entry, kind: 'noninteractive', mechanism: half };
}

const isRange = (entry: Entry<WithPair>): entry is Entry<BoundedRange> =>
  isType(entry, ['bounded-range']) && !entry.mechanism.epsilon.isZero();

/** One t for each bounded-range parameter, fixed in advance; null where that is too much to compute. */
function withFixedChoices(usable: readonly Entry<WithPair>[], effort: Effort): PrivacyCurve | null {
  const ranged = usable.filter(isRange);
  const groups = pureGroups(ranged);
  const [range, ...others] = groups;
  if (!range) return null;
  if (others.length === 0 && ranged.length === usable.length) {
    return curveWithFailure(nonadaptiveOptimum(range.epsilon, range.count, 'lower'), NEVER, 'tight');
  }
  const pairs = usable
    .filter((entry) => !isRange(entry))
    .map((entry) => ({ ...entry, kind: 'noninteractive' as const }));
  const source = outOfScale(pairs) ? null : nonadaptiveSource(groups, effort, 'lower');
  return source && curveOfEntries(pairs, 'tight', joinedTo(source, effort));
}

/** Whether {@link lowerBoundOf} takes more than some milliseconds: tables or a lattice. */
export function isSlowLowerBound(entries: readonly Entry[]): boolean {
  if (selectionsIn(entries).length > 0) return true;
  const usable = entries.filter((entry) => isType(entry, WITH_PAIR));
  const types = new Set(usable.map(({ mechanism }) => (mechanism.type === 'gdp' ? 'gaussian' : mechanism.type)));
  if (types.size > 1) return true;
  const pure = usable.filter((entry): entry is Entry<ApproximateDp | BoundedRange> =>
    isType(entry, ['dp', 'bounded-range']),
  );
  return pure.length === usable.length ? pureGroups(pure).length > 1 : !types.has('gaussian');
}

/** Whether an adversary has a mechanism of the entry: of those on samples whose pair only bounds them none is known. */
const isUsable = (entry: Entry<WithPair>): boolean =>
  isAllocationToSeveral(entry) ||
  entry.mechanism.type !== 'sampled' ||
  (isAttained(entry.mechanism) && isListed(entry.mechanism.of));

/** A mechanism of one run, and one order of the neighbors of a pair that may be taken in either. */
function legalInRun(entry: Entry): Entry<WithPair>[] {
  if (!isType(entry, WITH_PAIR) || !isUsable(entry)) return [];
  const legal = legalUse(entry);
  const { mechanism } = legal;
  return [mechanism.type === 'finite-pair' ? { ...legal, mechanism: { ...mechanism, direction: 'fixed' } } : legal];
}

/** The selections among entries, their runs as an adversary uses them. */
const selectionsIn = (entries: readonly Entry[]): readonly Selection[] =>
  entries
    .flatMap(({ mechanism }) =>
      mechanism.type === 'selection' ? [{ ...mechanism, of: mechanism.of.flatMap(legalInRun) }] : [],
    )
    .filter((selection) => !isZeroLoss(selection));

/** The curve of an adversary within the declared classes; entries it has no use for answer a constant. */
function adversary(usable: readonly Entry<WithPair>[], effort: Effort): PrivacyCurve | null {
  // Beside noise that is known from below only the best choices take a minute.
  const choices = usable.some(isAllocationToSeveral) ? null : withFixedChoices(usable, effort);
  if (choices) return choices;
  const legal = usable.map(legalUse);
  if (legal.length === 0) return null;
  const pure = legal.filter((entry): entry is Entry<ApproximateDp> => isType(entry, ['dp']));
  if (pure.length === legal.length)
    return curveWithFailure(pureOptimum(pureGroups(pure), effort), failureOf(pure), 'tight');
  const normal = gaussian.apply({ entries: legal, adaptivity: 'adaptive', order: 'any' }, effort);
  if ('curve' in normal) return normal.curve;
  return outOfScale(legal) ? null : lossDistributionCurve(legal, effort);
}

/** Those with all entries, and with those of which the best use is known. */
function adversaries(entries: readonly Entry[], effort: Effort): readonly PrivacyCurve[] {
  const usable = entries.filter((entry): entry is Entry<WithPair> => isType(entry, WITH_PAIR) && isUsable(entry));
  const well = usable.filter((entry) => !isAllocationToSeveral(entry));
  const used = well.length < usable.length ? [usable, well] : [usable];
  return used.map((some) => adversary(some, effort)).filter((curve) => curve !== null);
}

const LARGEST_EPSILON = 500;
const HALVINGS = 50;

/** What a test gains against epochs of random allocation to several batches, alone; null of others. */
function testOfAllocation(entries: readonly Entry[]): (() => (query: Query) => LowerBound) | null {
  const [only, ...more] = entries.filter(({ mechanism }) => !isZeroLoss(mechanism));
  if (only === undefined || more.length > 0) return null;
  const { mechanism, count } = only;
  if (mechanism.type !== 'sampled' || !isAllocation(mechanism) || !isCovered(mechanism) || isOneBlock(mechanism))
    return null;
  if (sizesOf(mechanism).batches * count > MOST_TESTED) return null;
  return () => {
    const { delta: deltaAt } = allocationTest(mechanism, count);
    return (query) => {
      if (query.solveFor === 'delta') return asLower(deltaAt(toUpper(query.epsilon)));
      const target = toUpper(query.delta);
      let [low, high] = [0, LARGEST_EPSILON];
      // Whatever epsilon has a larger gain is below the least that can be claimed.
      for (let i = 0; i < HALVINGS; i++) {
        const middle = (low + high) / 2;
        if (deltaAt(middle) > target) low = middle;
        else high = middle;
      }
      return asLower(low);
    };
  };
}

/**
 * An impossibility lower bound for exactly these classes: the curve of a legal adversary (fixed in advance, so it is
 * legal in every setting), found when it is first asked for; null where the classes give none. Bounded range is never
 * replaced by the larger class of (e, 0)-DP here.
 */
export function lowerBoundOf(entries: readonly Entry[], effort: Effort): (query: Query) => LowerBound | null {
  let curves: readonly PrivacyCurve[] | null = null;
  const tested = testOfAllocation(entries);
  let test: ((query: Query) => LowerBound) | null = null;
  const byTest = (query: Query): readonly LowerBound[] => (tested ? [(test ??= tested())(query)] : []);
  const byCurves = (query: Query): readonly LowerBound[] => {
    curves ??= adversaries(entries, effort);
    return curves.flatMap(
      (curve) => (query.solveFor === 'epsilon' ? curve.epsilon(query.delta) : curve.delta(query.epsilon)).lower ?? [],
    );
  };
  let selections: readonly ((query: Query) => LowerBound)[] | null = null;
  const bySelection = (query: Query): readonly LowerBound[] => {
    selections ??= selectionsIn(entries).flatMap((selection) => selectionLowerBound(selection, effort) ?? []);
    return selections.map((bound) => bound(query));
  };
  return (query) => {
    const known = [byTest, byCurves, bySelection].flatMap((bounds) => unlessInterrupted(() => bounds(query)) ?? []);
    return known.length === 0 ? null : asLower(Math.max(...known));
  };
}
