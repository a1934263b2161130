import { encloseDecimal, ZERO } from '../../numeric/decimal.ts';
import { askedAtZero, boundedByFreer, type PrivacyCurve } from '../../privacy/curve.ts';
import { isSymmetric } from '../../privacy/finite-pair.ts';
import { curveWithFailure, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { pureDpMoment, type LogMoment } from '../../privacy/log-moment.ts';
import type { BoundedRange, Entry } from '../../privacy/mechanism.ts';
import { isResponse, momentOf } from '../../privacy/mechanisms/records.ts';
import { freestCurve, type Bound, type Composition, type Effort, type Inapplicability } from '../core/bound.ts';
import { DEFAULT_ADAPTIVE_TOLERANCE, rangedCurve } from '../bounded-range/adaptive-optimum.ts';
import {
  ADAPTIVE_SCALE,
  adaptiveTables,
  createTables,
  isTooLarge,
  type Turn,
} from '../bounded-range/adaptive-tables.ts';
import { nonadaptiveSource } from '../bounded-range/nonadaptive-source.ts';
import { failureOf, needsNoninteractive, onlyTypes, rangesOf } from '../core/entries.ts';
import { sessionOf } from '../core/session.ts';
import { lostOnLattice, withInfiniteLosses } from '../loss-distribution/allocated-curve.ts';
import { curveOfEntries, isAttained, outOfScale, PAIR_SCALE } from '../loss-distribution/loss-distribution.ts';
import { mixedOptimum } from './optimum.ts';
import { sumOfMoments } from '../core/moment-curve.ts';
import {
  DOMINATING,
  pairsOf,
  WITH_OWN_PAIR,
  WITH_PAIR,
  type Pairs,
  type WithPair,
} from '../loss-distribution/pair-entries.ts';
import { isOutOfReach, rangesOnly, tableSource, type RangedSource } from '../bounded-range/ranged-source.ts';

const isRanged = (entry: Entry<WithPair>): entry is Entry<BoundedRange> =>
  entry.mechanism.type === 'bounded-range' && entry.kind === 'noninteractive' && !entry.mechanism.epsilon.isZero();

/** An interactive bounded-range entry goes by its (e, 0)-DP guarantee, a larger class. */
const isTakenAsPure = ({ mechanism }: Entry<WithPair>): boolean =>
  mechanism.type === 'bounded-range' && !mechanism.epsilon.isZero();

/** Samples whose pair only bounds them. */
const isOnlyBounded = ({ mechanism }: Entry<WithPair>): boolean =>
  mechanism.type === 'sampled' && !isAttained(mechanism);

/** Bounded-range entries apart from those that have a dominating pair. */
interface Parts {
  readonly listed: readonly Entry<WithPair>[];
  readonly ranged: readonly Entry<BoundedRange>[];
  readonly pairs: readonly Entry<WithPair>[];
}

/** The two parts of a composition, or why they do not compose together. */
function partsOf(composition: Composition): Parts | { readonly reason: Inapplicability } {
  const covered = onlyTypes(composition, WITH_PAIR);
  if ('reason' in covered) return covered;
  const listed = covered.entries;
  const ranged = listed.filter(isRanged);
  const pairs = listed.filter((entry) => !isRanged(entry));
  // (e, d)-DP entries of any kind are post-processings of randomized response; so are pure bounded-range ones.
  const noisy = pairs.filter(({ mechanism }) => !isResponse(mechanism));
  const reason = needsNoninteractive(noisy);
  if (reason) return { reason };
  if (ranged.length === 0 || pairs.length === 0) return { reason: { code: 'needs-mixture' } };
  return { listed, ranged, pairs };
}

/** Single pairs that come first, joined to what is played after them. */
export const joinedTo =
  (source: RangedSource, effort: Effort) =>
  (pairs: Pairs): FiniteLossCurve => {
    const tolerance = effort.tolerance ?? DEFAULT_ADAPTIVE_TOLERANCE;
    const session = sessionOf(effort);
    const groups = pairs.groups(session);
    return groups.length === 0
      ? rangedCurve(source, tolerance)
      : withInfiniteLosses(
          mixedOptimum(groups, pairs.maximum, source, tolerance, effort),
          lostOnLattice(pairs.allocated, session),
        );
  };

/** The curve fixed in advance, or in any order: all single pairs come first. Null where the tables would be too large. */
function pairsFirst({ ranged, pairs }: Parts, { adaptivity, order }: Composition, effort: Effort): PrivacyCurve | null {
  const { groups, listed } = rangesOf(ranged);
  const source = ((): RangedSource | null => {
    if (adaptivity === 'nonadaptive') return nonadaptiveSource(groups, effort);
    const tables = adaptiveTables(listed, 'any', effort.session);
    return tables && tableSource(rangesOnly(groups), tables, effort);
  })();
  const larger = order === 'declared' || pairs.some((entry) => isTakenAsPure(entry) || isOnlyBounded(entry));
  return source && curveOfEntries(pairs, larger ? 'upper-only' : 'tight', joinedTo(source, effort));
}

/** A bound on the log-moments of one mechanism with a dominating pair, its failure apart. */
function pairMoment(entry: Entry<WithPair>): LogMoment {
  if (entry.mechanism.type !== 'finite-pair') return momentOf(entry);
  const { maximum } = pairsOf([{ ...entry, count: 1 }], DOMINATING);
  return pureDpMoment(encloseDecimal(maximum ?? ZERO));
}

/** Neighbouring entries of single pairs together, bounded-range entries one by one. */
function turnsOf(listed: readonly Entry<WithPair>[], effort: Effort): Turn[] {
  const runs: (Entry<BoundedRange> | Entry<WithPair>[])[] = [];
  for (const entry of listed) {
    const last = runs.at(-1);
    if (isRanged(entry)) runs.push(entry);
    else if (Array.isArray(last)) last.push(entry);
    else runs.push([entry]);
  }
  return runs.map((run) =>
    Array.isArray(run)
      ? { pairs: pairsOf(run, DOMINATING).groups(sessionOf(effort)) }
      : { epsilon: run.mechanism.epsilon, count: run.count },
  );
}

/**
 * The curve in the declared order: single pairs that stand first come first, all others in their turn. Null where tables
 * would be too large.
 */
function inDeclaredOrder({ listed, pairs }: Parts, effort: Effort): PrivacyCurve | null {
  const start = listed.findIndex(isRanged);
  const [first, later] = [listed.slice(0, start), listed.slice(start)];
  const { groups } = rangesOf(later.filter(isRanged));
  if (isTooLarge(groups)) return null;
  const turns = turnsOf(later, effort).filter((turn) => 'epsilon' in turn || turn.pairs.length > 0);
  const ranges = rangesOnly(groups);
  const among = later.filter((entry) => !isRanged(entry));
  const { maximum } = pairsOf(among, DOMINATING);
  const limits = {
    maximum: ranges.maximum && maximum && ranges.maximum.plus(maximum),
    logMoment: sumOfMoments([
      { moment: ranges.logMoment, count: 1 },
      ...among.map((entry) => ({ moment: pairMoment(entry), count: entry.count })),
    ]),
  };
  const tables = createTables(turns, 'declared');
  if (isOutOfReach(tables)) return null;
  const source = tableSource(limits, tables, effort);
  const leading = pairsOf(first, DOMINATING);
  const curve = joinedTo(source, effort)(leading);
  return curveWithFailure(curve, failureOf(pairs), pairs.some(isTakenAsPure) ? 'upper-only' : 'tight');
}

/** Pairs that are not their own swap have no one curve: they are taken in any order, from above. */
const isLopsided = ({ mechanism }: Entry<WithPair>): boolean =>
  mechanism.type === 'sampled' || (mechanism.type === 'finite-pair' && !isSymmetric(mechanism));

/**
 * Bounded-range mechanisms together with mechanisms that have a dominating pair: exact where they are chosen adaptively,
 * in any order (see mixedOptimum) or in the declared one (see solveRecursion); an upper bound and a search where they are
 * fixed in advance. Who has less freedom never gets a larger claim.
 *
 * Source: derived; it answers the question of Dong, Durfee, Rogers (2020), Section 8.
 */
export const mixed: Bound = {
  id: 'mixed',
  name: 'bounded range with other mechanisms',
  reference: 'derived: single pairs first, then Dong, Durfee, Rogers 2020, Lemma 6.1',
  exposition: {
    statement:
      'Bounded-range mechanisms together with mechanisms that have a dominating pair: the worst adversary plays the single pairs first, then the bounded-range game.',
    formula: [
      'd(e) = E[V(e - L)]',
      'L = the loss of all single pairs together',
      'V = the adaptive optimum of the bounded-range mechanisms (see br-adaptive)',
    ],
    departures: [
      'The result is not in print: it answers a question of Dong, Durfee and Rogers (their Section 8). Playing a single pair first is optimal, as a supremum of expectations is at most the expectation of the supremum.',
      'In a declared order, single pairs stay in their turn; fixed in advance, the enclosure is an upper bound and a search.',
    ],
    works: ['dong-durfee-rogers-2020', 'zhu-dong-wang-2022'],
    slack: 'the width of its enclosure, and in one declared order or fixed in advance more than that',
    coverage: {
      types: ['bounded-range'],
      beside: WITH_PAIR.filter((type) => type !== 'bounded-range'),
      together: true,
      noninteractive: ['bounded-range', ...WITH_OWN_PAIR],
      adaptivity: 'any',
      conditions: ['both bounded-range mechanisms and others; tables of a size that can be computed'],
    },
  },
  tolerance: () => DEFAULT_ADAPTIVE_TOLERANCE,
  isSlow: () => true,
  apply(composition, effort) {
    const parts = partsOf(composition);
    if ('reason' in parts) return parts;
    if (outOfScale(parts.pairs)) return { reason: { code: 'too-large', limit: PAIR_SCALE } };
    const inTurn = composition.order === 'declared' && !parts.pairs.some(isLopsided);
    const curve = (inTurn ? inDeclaredOrder(parts, effort) : null) ?? pairsFirst(parts, composition, effort);
    if (curve === null) return { reason: { code: 'too-large', limit: ADAPTIVE_SCALE } };
    if (composition.adaptivity === 'adaptive' && composition.order === 'any') return { curve: askedAtZero(curve) };
    return { curve: askedAtZero(boundedByFreer(curve, () => freestCurve(mixed, composition, effort))) };
  },
};
