import type { PrivacyCurve } from '../../privacy/curve.ts';
import { isSymmetric } from '../../privacy/finite-pair.ts';
import { curveWithFailure, LOSSLESS, type FiniteLossCurve, type Tightness } from '../../privacy/finite-loss-curve.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { isResponse, pureEpsilon, RESPONSES } from '../../privacy/mechanisms/records.ts';
import type { Bound, Effort } from '../core/bound.ts';
import { contourCurve } from './contour-curve.ts';
import { fewCombinations } from './few-combinations.ts';
import { discretisedMethod } from './discretised-method.ts';
import { tiltedCurve } from './tilted-curve.ts';
import { largerCurve } from '../core/larger-curve.ts';
import { needsNoninteractive, onlyTypes } from '../core/entries.ts';
import { pairsOf, WITH_OWN_PAIR, WITH_PAIR, type Pairs, type Way, type WithPair } from './pair-entries.ts';

const DEFAULT_TOLERANCE = 1e-6;

/** How the losses of pairs become a curve: alone, or together with other mechanisms. */
export type CurveOfPairs = (pairs: Pairs) => FiniteLossCurve;

/**
 * Sums of more terms than this at every node take longer than a lattice: of finite pairs of so many outcomes, as those are
 * that stand for a sampled curve. Only for these losses lattices stay here.
 */
const MANY_TERMS = 24;

/** The pairs alone. */
const alone =
  (effort: Effort): CurveOfPairs =>
  ({ loss, groups, listed, maximum, key }) => {
    const composed = loss();
    if (composed.groups.length === 0 && composed.muSquared.upper === 0) return LOSSLESS;
    const tolerance = effort.tolerance ?? DEFAULT_TOLERANCE;
    const lists = listed();
    const few = lists && fewCombinations(lists, maximum);
    if (few) return tiltedCurve(few, tolerance, effort);
    return composed.groups.some(({ transform }) => (transform.terms ?? 1) > MANY_TERMS)
      ? tiltedCurve(discretisedMethod(groups(), maximum, tolerance), tolerance, effort)
      : contourCurve(composed, maximum, tolerance, effort, key);
  };

/** The composed pairs' curve, finite pairs taken one way. */
function curveOf(
  entries: readonly Entry<WithPair>[],
  way: Way,
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
export const PAIR_SCALE = `${String(LARGEST_COUNT)} mechanisms whose noise is neither below 1/${String(LARGEST_LOSS)} nor above 10^9 times the sensitivity`;

/** Whether lattices for these entries would be too large, or their weights out of the range of doubles. */
export function outOfScale(entries: readonly Entry<WithPair>[]): boolean {
  const noise = ({ mechanism }: Entry<WithPair>): number => {
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
      case 'finite-pair':
        return mechanism.p.reduce((most, p, i) => {
          const q = mechanism.q[i]!;
          return p.isZero() || q.isZero() ? most : Math.max(most, Math.abs(Math.log(p.div(q).toNumber())));
        }, 0);
    }
  };
  const ratios = entries.map(noise).filter((ratio) => ratio > 0);
  const count = entries.reduce((sum, entry) => sum + entry.count, 0);
  const squares = entries.reduce((sum, entry) => sum + entry.count * noise(entry) ** 2, 0);
  return count > LARGEST_COUNT || squares > LARGEST_LOSS ** 2 || ratios.some((r) => r > LARGEST_LOSS || r < 1e-9);
}

/** The certified curve of entries that each have a dominating pair; see {@link lossDistribution}. */
export function lossDistributionCurve(entries: readonly Entry<WithPair>[], effort: Effort): PrivacyCurve {
  const tightness = entries.some(({ mechanism }) => mechanism.type === 'bounded-range') ? 'upper-only' : 'tight';
  return curveOfEntries(entries, tightness, alone(effort));
}

/**
 * The certified curve of entries that each have a dominating pair, their losses made a curve by `join`. Finite pairs that
 * are not their own swap are taken both ways.
 */
export function curveOfEntries(
  entries: readonly Entry<WithPair>[],
  tightness: Tightness,
  join: CurveOfPairs,
): PrivacyCurve {
  const lopsided = entries.flatMap(({ mechanism }) =>
    mechanism.type === 'finite-pair' && !isSymmetric(mechanism) ? [mechanism] : [],
  );
  if (lopsided.length === 0) return curveOf(entries, 'dominating', tightness, join);
  const oneOrder = largerCurve(
    curveOf(entries, 'forward', tightness, join),
    curveOf(entries, 'backward', tightness, join),
  );
  if (lopsided.every(({ direction }) => direction === 'fixed')) return oneOrder;
  // Entries in either order are dominated by their symmetric curve, in both orders of the fixed ones.
  const fixed = lopsided.some(({ direction }) => direction === 'fixed');
  const above = fixed ? entries.map(inEitherOrder) : entries;
  const legal = largerCurve(oneOrder, curveOf(entries, 'revealing', tightness, join));
  return between(legal, curveOf(above, 'dominating', 'upper-only', join));
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
  name: 'privacy loss distributions',
  reference: 'Zhu, Dong, Wang 2022, Thm 10; Doroshenko et al. 2022',
  exposition: {
    statement:
      'Each mechanism is replaced by its dominating pair of distributions; the losses of dominating pairs add up, adaptively too. Exact for noise of a known distribution.',
    formula: [
      'd(e) = E[max(0, 1 - exp(e - L))] + P(L = infinity)',
      'L = sum of the independent losses ln(P_i / Q_i) of the dominating pairs, under P_i',
    ],
    departures: [
      'The curve is a contour integral of the product of the moments E[exp(z L_i)], enclosed from both sides: what the nodes, their end and rounding leave is part of the enclosure. Losses of very many values are added on a lattice instead, twice, from above and from below. The methods in print round one way, or to the nearest.',
      'A finite pair that is not its own swap is taken both ways, mechanism by mechanism, unless its direction is fixed: neither direction alone is sound, nor the larger of the two curves.',
    ],
    works: ['zhu-dong-wang-2022', 'doroshenko-2022', 'sommer-meiser-mohammadi-2019', 'koskela-jalko-honkela-2020'],
    slack: 'the width of its enclosure, and of bounded-range mechanisms all but their (e, 0)-DP guarantee',
    coverage: {
      types: WITH_OWN_PAIR,
      beside: RESPONSES,
      noninteractive: WITH_OWN_PAIR,
      adaptivity: 'any',
      conditions: ['at most 10^8 mechanisms whose noise is neither below 1/500 of the sensitivity nor far above it'],
    },
  },
  isSlow: () => true,
  apply(composition, effort) {
    const covered = onlyTypes(composition, WITH_PAIR);
    if ('reason' in covered) return covered;
    const noisy = covered.entries.filter(({ mechanism }) => !isResponse(mechanism));
    if (noisy.length === 0) return { reason: { code: 'is-dp-optimal' } };
    const reason = needsNoninteractive(noisy);
    if (reason) return { reason };
    if (outOfScale(covered.entries)) return { reason: { code: 'too-large', limit: PAIR_SCALE } };
    return { curve: lossDistributionCurve(covered.entries, effort) };
  },
};
