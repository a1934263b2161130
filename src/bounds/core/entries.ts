import { Decimal, productUp, ZERO } from '../../numeric/decimal.ts';
import { failureOfPair } from '../../privacy/finite-pair.ts';
import type { BoundedRange, Entry, Mechanism, Sampled, Selection } from '../../privacy/mechanism.ts';
import { pureEpsilon, WITH_PURE_PART, type WithPurePart } from '../../privacy/mechanisms/records.ts';
import { failureProbability, type Failure } from '../../privacy/failure.ts';
import { groupEqual, type PureGroup } from '../../privacy/pure.ts';
import { meanRunsAbove } from '../../privacy/selection/run-law.ts';
import type { Composition, Inapplicability, MechanismType } from './bound.ts';
import type { Coverage } from './exposition.ts';

/** Entries all of which are of the types a theorem covers, or why it does not apply. */
export type Covered<T extends MechanismType> =
  { readonly entries: readonly Entry<Extract<Mechanism, { type: T }>>[] } | { readonly reason: Inapplicability };

/** Narrows a composition to the given types. */
export function onlyTypes<T extends MechanismType>({ entries }: Composition, needs: readonly T[]): Covered<T> {
  const types = new Set<MechanismType>(needs);
  const otherTypes = [...new Set(entries.map(({ mechanism }) => mechanism.type))].filter((type) => !types.has(type));
  if (otherTypes.length > 0) return { reason: { code: 'needs-types', needs, found: otherTypes } };
  return { entries: entries as readonly Entry<Extract<Mechanism, { type: T }>>[] };
}

/** The reason why a theorem for noninteractive mechanisms does not apply; null where it does. */
export function needsNoninteractive(entries: readonly Entry[]): Inapplicability | null {
  const others = entries.filter(({ kind }) => kind !== 'noninteractive');
  if (others.length === 0) return null;
  return { code: 'needs-noninteractive', kinds: [...new Set(others.map(({ kind }) => kind))] };
}

/** The pure parts of entries that have an (e, d)-DP guarantee, equal ones together. */
export const pureGroups = (entries: readonly Entry<WithPurePart>[]): PureGroup[] =>
  groupEqual(entries.map(({ mechanism, count }) => ({ epsilon: pureEpsilon(mechanism), count })));

/** Mechanisms of any kind that have an (e, d)-DP guarantee, adaptive or not. */
export const PURE_PARTS: Coverage = { types: WITH_PURE_PART, noninteractive: [], adaptivity: 'any', conditions: [] };

const Up = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_UP });

/** The rate times the larger failure of what is run on a sample, rounded up at 60 digits. */
function sampledFailure({ of, rate }: Sampled): Decimal {
  const failure = Decimal.max(failureOfOne(of, false), failureOfOne(of, true));
  return failure.isZero() ? ZERO : new Decimal(new Up(failure).times(rate.numerator).div(rate.denominator));
}

/** At most the probability that some run reveals everything: the mean number of runs times that of one. */
const failureOfRuns = ({ of, runs }: Selection): Decimal =>
  Decimal.min(1, productUp(meanRunsAbove(runs), failureOf(of).upper));

/** The probability that one mechanism reveals everything; `flipped`: pairs of fixed direction stand the other way. */
function failureOfOne(mechanism: Mechanism, flipped: boolean): Decimal {
  if (mechanism.type === 'dp' || mechanism.type === 'zcdp') return mechanism.delta ?? ZERO;
  if (mechanism.type === 'sampled') return sampledFailure(mechanism);
  if (mechanism.type === 'selection') return failureOfRuns(mechanism);
  if (mechanism.type !== 'finite-pair') return ZERO;
  const [there, back] = [failureOfPair(mechanism), failureOfPair({ p: mechanism.q, q: mechanism.p })];
  if (mechanism.direction === 'either') return Decimal.max(there, back);
  return flipped ? back : there;
}

/** Probabilities, and how many mechanisms reveal everything with each. */
type Losses = Parameters<typeof failureProbability>[0];

/**
 * The probability that one of the entries reveals everything: d of (e, d)-DP and of d-approximate zCDP, and outcomes
 * of a pair that only one side has, in the worse of the two orders of the neighbours.
 */
export function failureOf(entries: readonly Entry[]): Failure {
  const [there, back] = failuresOf(entries) as [Losses, Losses];
  const forward = failureProbability(there);
  if (there.every(({ delta }, i) => delta.eq(back[i]!.delta))) return forward;
  const backward = failureProbability(back);
  return forward.lower.gte(backward.lower) ? forward : backward;
}

/** The same for each entry alone, in both orders of the neighbours. */
export const failuresOf = (entries: readonly Entry[]): Losses[] =>
  [false, true].map((flipped) =>
    entries.map(({ mechanism, count }) => ({
      delta: failureOfOne(mechanism, flipped),
      count,
      ...(mechanism.type === 'selection' && { lowerDelta: ZERO }),
    })),
  );

/** Bounded-range parameters: as listed, and equal ones together. */
export interface BoundedRangeGroups {
  readonly listed: readonly PureGroup[];
  readonly groups: readonly PureGroup[];
}

/** The parameters of a composition of noninteractive bounded-range mechanisms alone. */
export function boundedRangeGroups(
  composition: Composition,
): BoundedRangeGroups | { readonly reason: Inapplicability } {
  const covered = onlyTypes(composition, ['bounded-range']);
  if ('reason' in covered) return covered;
  const reason = needsNoninteractive(covered.entries);
  return reason ? { reason } : rangesOf(covered.entries);
}

/** The parameters of bounded-range entries; those that are 0 cost nothing. */
export function rangesOf(entries: readonly Entry<BoundedRange>[]): BoundedRangeGroups {
  const listed = entries.map(({ mechanism, count }) => ({ epsilon: mechanism.epsilon, count }));
  return { listed: listed.filter(({ epsilon }) => !epsilon.isZero()), groups: groupEqual(listed) };
}
