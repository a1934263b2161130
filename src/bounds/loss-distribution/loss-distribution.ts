import { Decimal } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { ofOnePair, type PrivacyCurve } from '../../privacy/curve.ts';
import { isSymmetric } from '../../privacy/finite-pair.ts';
import { curveWithFailure, type Tightness } from '../../privacy/finite-loss-curve.ts';
import type { Entry, FinitePairMechanism, SampledBase } from '../../privacy/mechanism.ts';
import { sampledLaw, type Direction } from '../../privacy/sampling/sampled-law.ts';
import { isSeveral, isSeveralAttained, isSeveralCovered } from '../../privacy/sampling/several-records.ts';
import { isAllocation, isOneBlock } from '../../privacy/sampling/random-allocation.ts';
import { isCovered } from '../../privacy/sampling/sampled-moment.ts';
import { isResponse, pureEpsilon, RESPONSES } from '../../privacy/mechanisms/records.ts';
import type { Bound, Effort, Inapplicability } from '../core/bound.ts';
import { sessionOf } from '../core/session.ts';
import { largerCurve, usuallyFirst } from '../core/curve-maximum.ts';
import { needsNoninteractive, onlyTypes } from '../core/entries.ts';
import { alone, DEFAULT_TOLERANCE, SAMPLED_TOLERANCE, type CurveOfPairs } from './curve-of-pairs.ts';
import { ATTAINED_REPORTS, hasReportsPair, type ReportsPair } from './local-reports.ts';
import { DOMINATING, pairsOf, WITH_OWN_PAIR, WITH_PAIR, type Way, type Ways, type WithPair } from './pair-entries.ts';

/** Values of a curve that are kept. */
const KEPT = 16;

/** The same curve, its last values kept: for one that is read by several. */
function rememberingCurve(curve: PrivacyCurve): PrivacyCurve {
  const remembering = (read: (at: Decimal) => Bracket): ((at: Decimal) => Bracket) => {
    const cache = new LruCache<Bracket>(KEPT);
    return (at) => cache.get(at.toString(), () => read(at));
  };
  return {
    delta: remembering((epsilon) => curve.delta(epsilon)),
    epsilon: remembering((delta) => curve.epsilon(delta)),
  };
}

/** The composed pairs' curve, finite pairs taken one way. */
function curveOf(
  entries: readonly Entry<WithPair>[],
  way: Ways,
  tightness: Tightness,
  join: CurveOfPairs,
): PrivacyCurve {
  const pairs = pairsOf(entries, way);
  return curveWithFailure(join(pairs), pairs.failure, tightness);
}

/** The upper end of one curve with the lower end of another. */
const between = (below: PrivacyCurve, above: PrivacyCurve): PrivacyCurve => ({
  delta: (epsilon) => ({ lower: below.delta(epsilon).lower, upper: above.delta(epsilon).upper }),
  epsilon: (delta) => ({ lower: below.epsilon(delta).lower, upper: above.epsilon(delta).upper }),
});

const LARGEST_LOSS = 500;
const LARGEST_DISCRETE_RATIO = 10;
const LARGEST_COUNT = 1e8;
/** The limit in words. */
export const PAIR_SCALE = `${String(LARGEST_COUNT)} mechanisms of an epsilon of at most ${String(LARGEST_LOSS)}, or whose noise is at least 1/${String(LARGEST_LOSS)} of the sensitivity (if discrete, at most 10^9 times it)`;

/** The same for mechanisms on samples. */
const SAMPLED_SCALE = 'discrete noise of some 800 deviations on samples, or some 100 records of one person in a sample';

/** Whether lattices for these entries would be too large, or their weights out of the range of doubles. */
export function outOfScale(entries: readonly Entry<WithPair>[]): boolean {
  const noise = (mechanism: WithPair | SampledBase): number => {
    if (isResponse(mechanism)) return Math.max(1e-9, pureEpsilon(mechanism).toNumber());
    switch (mechanism.type) {
      case 'laplace':
      case 'discrete-laplace':
        return mechanism.sensitivity.div(mechanism.scale).toNumber();
      case 'gaussian':
        return mechanism.sensitivity.div(mechanism.sigma).toNumber();
      case 'discrete-gaussian': {
        // The losses are spaced by the square of the ratio.
        const ratio = mechanism.sensitivity.div(mechanism.sigma).toNumber();
        return ratio > LARGEST_DISCRETE_RATIO ? Infinity : ratio;
      }
      case 'gdp':
        return mechanism.mu.toNumber();
      case 'randomized-response':
        return mechanism.epsilon.toNumber();
      case 'shuffled-reports':
        // Their losses are about this over the root of the number of users.
        return Math.max(1e-9, mechanism.localEpsilon.toNumber());
      case 'finite-pair':
        return mechanism.p.reduce((max, p, i) => {
          const q = mechanism.q[i]!;
          return p.isZero() || q.isZero() ? max : Math.max(max, Math.abs(Math.log(p.div(q).toNumber())));
        }, 0);
      case 'sampled':
        return isSeveral(mechanism) && isSeveralCovered(mechanism) && sampledLaw(mechanism, 'remove') === null
          ? Infinity
          : noise(mechanism.of);
    }
  };
  const ratios = entries.map(({ mechanism }) => noise(mechanism)).filter((ratio) => ratio > 0);
  const count = entries.reduce((sum, entry) => sum + entry.count, 0);
  const squares = entries.reduce(
    (sum, entry) => (entry.mechanism.type === 'sampled' ? sum : sum + entry.count * noise(entry.mechanism) ** 2),
    0,
  );
  return count > LARGEST_COUNT || squares > LARGEST_LOSS ** 2 || ratios.some((r) => r > LARGEST_LOSS || r < 1e-9);
}

/** The most noise, in parts of the sensitivity, of which losses are computed. */
const MOST_NOISE = new Decimal('1e9');

/**
 * A mechanism of the most noise of which losses are computed, where this one has more: more Gaussian or Laplace noise is the same with
 * other noise added, a post-processing (of Laplace noise: with probability 1 - b^2 / b'^2 a Laplace variable of the larger scale b').
 */
function withinMostNoise(entry: Entry<WithPair>): Entry<WithPair> {
  const { mechanism } = entry;
  if (mechanism.type !== 'gaussian' && mechanism.type !== 'laplace') return entry;
  const mostNoise = mechanism.sensitivity.times(MOST_NOISE);
  if (mostNoise.isZero()) return entry;
  if (mechanism.type === 'laplace') {
    return mechanism.scale.gt(mostNoise) ? { ...entry, mechanism: { ...mechanism, scale: mostNoise } } : entry;
  }
  return mechanism.sigma.gt(mostNoise) ? { ...entry, mechanism: { ...mechanism, sigma: mostNoise } } : entry;
}

/** A curve that bounds from above only. */
const fromAbove = (curve: PrivacyCurve): PrivacyCurve => ({
  delta: (epsilon) => ({ lower: null, upper: curve.delta(epsilon).upper }),
  epsilon: (delta) => ({ lower: null, upper: curve.epsilon(delta).upper }),
});

/** Why mechanisms on samples have no law here; null where all of them have one. */
function withoutLaw(entries: readonly Entry<WithPair>[]): Inapplicability | null {
  const sampled = entries.flatMap(({ mechanism }) => (mechanism.type === 'sampled' ? [mechanism] : []));
  if (!sampled.every(isCovered)) return { code: 'no-sampling-theorem' };
  return sampled.every((mechanism) => isAllocation(mechanism) || sampledLaw(mechanism, 'remove') !== null)
    ? null
    : { code: 'too-large', limit: SAMPLED_SCALE };
}

/** The certified curve of entries that each have a dominating pair; see {@link lossDistribution}. */
export function lossDistributionCurve(entries: readonly Entry<WithPair>[], effort: Effort): PrivacyCurve {
  const tightness = entries.every(({ mechanism }) => isAttained(mechanism)) ? 'tight' : 'upper-only';
  return joinedCurve(entries, tightness, alone({ ...effort, session: sessionOf(effort) }));
}

/** Whether mechanisms of a class have its dominating pair themselves. */
export function isAttained(mechanism: WithPair): boolean {
  if (mechanism.type === 'bounded-range') return false;
  if (mechanism.type !== 'sampled') return true;
  const { of, scheme } = mechanism;
  if (isAllocation(mechanism)) return isOneBlock(mechanism);
  if (isSeveral(mechanism)) return isSeveralCovered(mechanism) && isSeveralAttained(mechanism);
  return scheme === 'poisson' && (of.type !== 'finite-pair' || of.direction === 'fixed' || isSymmetric(of));
}

const isLopsided = (mechanism: WithPair): mechanism is FinitePairMechanism =>
  mechanism.type === 'finite-pair' && !isSymmetric(mechanism);

/** The larger curve of samples that lose a record, and that gain one; what is no sample is the same in both. */
function inBothDirections(
  entries: readonly Entry<WithPair>[],
  tightness: Tightness,
  curve: (direction: Direction) => PrivacyCurve,
): PrivacyCurve {
  const differs = entries.some(
    ({ mechanism }) => mechanism.type === 'sampled' && mechanism.neighbours === 'add-remove',
  );
  if (!differs) return paired(curve('remove'), tightness);
  const [removal, addition] = [rememberingCurve(curve('remove')), rememberingCurve(curve('add'))];
  const directions = { remove: mirroredIn(removal, addition), add: mirroredIn(addition, removal) };
  // Far beyond its own epsilon the delta of an addition of random allocations takes long.
  const isFar = entries.some(({ mechanism }) => mechanism.type === 'sampled' && isAllocation(mechanism));
  const both = { ...(isFar ? largerCurve : usuallyFirst)(removal, addition), directions };
  return tightness === 'tight' ? { ...both, pairs: [directions.remove, directions.add] } : both;
}

const paired = (curve: PrivacyCurve, tightness: Tightness): PrivacyCurve =>
  tightness === 'tight' ? ofOnePair(curve) : curve;

/** The curve of one direction: delta(-e) = 1 - e^-e + e^-e delta(e) has the delta of the neighbours exchanged. */
const mirroredIn = (curve: PrivacyCurve, exchanged: PrivacyCurve): PrivacyCurve => ({
  ...curve,
  delta: (epsilon) => (epsilon.isNegative() ? exchanged : curve).delta(epsilon),
});

/** The larger of the curves of both ways, in each direction apart: it is not said which of the two has the record. */
function largerOfWays(forward: PrivacyCurve, backward: PrivacyCurve): PrivacyCurve {
  const [first, second] = [forward.directions, backward.directions];
  const directions = first &&
    second && {
      remove: largerCurve(first.remove, second.remove),
      add: largerCurve(first.add, second.add),
    };
  return { ...largerCurve(forward, backward), ...(directions && { directions }) };
}

/**
 * The certified curve of entries that each have a dominating pair, their losses made a curve by `join`. Finite pairs that
 * are not their own swap are taken both ways; beside samples mechanism by mechanism, unless the direction of all is fixed.
 */
function joinedCurve(entries: readonly Entry<WithPair>[], tightness: Tightness, join: CurveOfPairs): PrivacyCurve {
  const shuffled = entries.flatMap(({ mechanism }) => (mechanism.type === 'shuffled-reports' ? [mechanism] : []));
  if (shuffled.length === 0) return curveWithReports(entries, tightness, join, 'above');
  const above = curveWithReports(entries, 'upper-only', join, 'above');
  // All shuffles of one kind: legal, and not always the most.
  const attained = ATTAINED_REPORTS.filter((pair) => shuffled.every((mechanism) => hasReportsPair(mechanism, pair)));
  if (tightness !== 'tight' || attained.length === 0) return above;
  return between(attained.map((pair) => curveWithReports(entries, 'tight', join, pair)).reduce(largerCurve), above);
}

/** The same where shuffled reports have the pairs given. */
function curveWithReports(
  entries: readonly Entry<WithPair>[],
  tightness: Tightness,
  join: CurveOfPairs,
  reports: ReportsPair,
): PrivacyCurve {
  const lopsided = entries.map(({ mechanism }) => mechanism).filter(isLopsided);
  const isFixed = lopsided.every(({ direction }) => direction === 'fixed');
  const sampledWay = (way: Way, all: readonly Entry<WithPair>[], reached: Tightness): PrivacyCurve =>
    inBothDirections(all, reached, (direction) => curveOf(all, { way, direction, reports }, reached, join));
  if (lopsided.length === 0) return sampledWay('dominating', entries, tightness);
  if (entries.some(({ mechanism }) => mechanism.type === 'sampled')) {
    return isFixed
      ? largerOfWays(sampledWay('forward', entries, tightness), sampledWay('backward', entries, tightness))
      : sampledWay('dominating', entries.map(inEitherOrder), 'upper-only');
  }
  const oneWay = (way: Way): PrivacyCurve => curveOf(entries, { ...DOMINATING, way, reports }, tightness, join);
  const [forward, backward] = [oneWay('forward'), oneWay('backward')];
  const oneOrder = largerCurve(forward, backward);
  if (isFixed) {
    const pairs = [mirroredIn(forward, backward), mirroredIn(backward, forward)];
    return tightness === 'tight' ? { ...oneOrder, pairs } : oneOrder;
  }
  // Entries in either order are dominated by their symmetric curve, in both orders of the fixed ones.
  const fixed = lopsided.some(({ direction }) => direction === 'fixed');
  const above = fixed ? entries.map(inEitherOrder) : entries;
  const legal = largerCurve(oneOrder, oneWay('revealing'));
  return between(legal, curveOf(above, { ...DOMINATING, reports }, 'upper-only', join));
}

/** {@link joinedCurve} where `join` adds mechanisms whose choices differ from epsilon to epsilon: no single pair is the largest. */
export function curveOfEntries(
  entries: readonly Entry<WithPair>[],
  tightness: Tightness,
  join: CurveOfPairs,
): PrivacyCurve {
  const curve = joinedCurve(entries, tightness, join);
  const { directions } = curve;
  return {
    delta: (at) => curve.delta(at),
    epsilon: (at) => curve.epsilon(at),
    ...(directions && { directions }),
  };
}

const inEitherOrder = (entry: Entry<WithPair>): Entry<WithPair> =>
  entry.mechanism.type === 'finite-pair' ? { ...entry, mechanism: { ...entry.mechanism, direction: 'either' } } : entry;

/**
 * Composition of privacy loss distributions: every entry is replaced by its dominating pair, and the curve of the sum of
 * their losses is enclosed to the tolerance by contour integrals (see contourCurve). Exact for mechanisms that have a single
 * dominating pair, adaptive too. Noisy mechanisms are covered as noninteractive ones; (e, d)-DP entries of any kind, as
 * they are post-processings of randomized response.
 *
 * Source: Sommer, Meiser, Mohammadi (2019); Koskela, Jalko, Honkela (2020); dominating pairs compose adaptively: Zhu,
 * Dong, Wang (2022), Theorem 10. The enclosure is derived.
 */
export const lossDistribution: Bound = {
  id: 'loss-distribution',
  name: 'privacy loss distribution (PLD)',
  reference: 'Zhu, Dong, Wang 2022, Thm 10; Doroshenko et al. 2022',
  exposition: {
    statement:
      'Each mechanism is replaced by its dominating pair of distributions; the losses of dominating pairs add up, adaptively too. Exact for noise of a known distribution.',
    formula: [
      'd(e) = E[max(0, 1 - exp(e - L))] + P(L = infinity)',
      'L = sum of the independent losses ln(P_i / Q_i) of the dominating pairs, under P_i',
    ],
    departures: [
      'The curve is a contour integral of the product of the moments E[exp(z L_i)], enclosed from both sides: what the nodes, their end and rounding leave is part of the enclosure. Losses of very many values are added on a lattice instead, twice, from above and from below.',
      'Under Poisson subsampling at rate q, removing a record has the pair ((1 - q) Q + q P, Q); adding one has it swapped (Zhu, Dong, Wang 2022, Thm 11). Each direction is composed separately, and the larger curve is the bound. For several records of one person, or replaced ones, with Gaussian noise, the pair has binomially many steps of the mean (derived). Without replacement the pair is that of the largest profile (derived from Balle, Barthe, Gaboardi 2018, Thm 2).',
      'Shuffled reports of any local randomizer have the dominating pair of Feldman, McMillan, Talwar (2022), whose proof an erratum withdrew; the proof here is derived, from the privacy blanket of Balle, Bell, Gascon, Nissim (2019). k-ary randomized response has its blanket. Lower bounds are data sets: every other user on one value.',
      'A finite pair that is not symmetric is taken both ways, mechanism by mechanism, unless its direction is fixed: neither direction alone is sound, nor the larger of the two curves.',
    ],
    works: [
      'zhu-dong-wang-2022',
      'doroshenko-2022',
      'feldman-mcmillan-talwar-2022',
      'balle-bell-gascon-nissim-2019',
      'sommer-meiser-mohammadi-2019',
      'koskela-jalko-honkela-2020',
    ],
    slack: 'the width of its enclosure, and of bounded-range mechanisms all but their (e, 0)-DP guarantee',
    coverage: {
      types: WITH_OWN_PAIR,
      beside: RESPONSES,
      noninteractive: WITH_OWN_PAIR,
      adaptivity: 'any',
      conditions: [
        'at most 10^8 mechanisms whose noise is at least 1/500 of the sensitivity, and if discrete not far above it',
      ],
    },
  },
  tolerance({ entries }) {
    const has = (type: WithPair['type']): boolean => entries.some(({ mechanism }) => mechanism.type === type);
    // The gap of a class is no error of its bounds.
    if (has('shuffled-reports')) return 1;
    return has('sampled') ? SAMPLED_TOLERANCE : DEFAULT_TOLERANCE;
  },
  isSlow: () => true,
  apply(composition, effort) {
    const covered = onlyTypes(composition, WITH_PAIR);
    if ('reason' in covered) return covered;
    const noisy = covered.entries.filter(({ mechanism }) => !isResponse(mechanism));
    if (noisy.length === 0) return { reason: { code: 'is-dp-optimal' } };
    const reason = needsNoninteractive(noisy) ?? withoutLaw(noisy);
    if (reason) return { reason };
    const entries = covered.entries.map(withinMostNoise);
    if (outOfScale(entries)) return { reason: { code: 'too-large', limit: PAIR_SCALE } };
    const curve = lossDistributionCurve(entries, effort);
    return { curve: entries.every((entry, i) => entry === covered.entries[i]) ? curve : fromAbove(curve) };
  },
};
