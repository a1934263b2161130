import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { logBinomialHockeyStick } from '../../numeric/binomial-hockey-stick.ts';
import {
  DOUBLE_DOUBLE_ERROR,
  difference,
  fromDecimal,
  fromDouble,
  scaled,
  toDouble,
  type DoubleDouble,
} from '../../numeric/double-double.ts';
import { enclosure, type Enclosure } from '../../numeric/enclosure.ts';
import { goldenSection } from '../../numeric/convex/minimum.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { bracketRoot } from '../../numeric/bracket-root.ts';
import { advance, unlessInterrupted, type Watch } from '../../numeric/watch.ts';
import { pairAtLocalMaximum } from '../../privacy/bounded-range.ts';
import { vacuousCurve, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { boundedRangeMoment } from '../../privacy/log-moment.ts';
import { homogeneousOptimum } from '../dp-optimal/dp-optimal.ts';
import { logConversionFactor } from '../core/moment-curve.ts';

/** An epsilon this small a part of the largest is asked whether it is 0. */
const NOTHING = 1e-9;

/** By how much the first claim exceeds the place where the best adversary alone crosses the target. */
const FIRST_MARGIN = 2 ** -44;

/** ln delta of the k-fold composition at the l-th local maximum; null where it lies outside [0, e]. */
function logDeltaAt(e: DoubleDouble, k: number, l: number, epsilon: DoubleDouble): Enclosure | null {
  const pair = pairAtLocalMaximum(e, k, l, epsilon);
  if (!pair) return null;
  // At t_l the excess of index l is k t_l - l e - eps = e - t_l, and exactly the indices 0..l are positive.
  const magnitude = toDouble(scaled(e, k)) + Math.abs(epsilon.high);
  return logBinomialHockeyStick({
    trials: k,
    probability: pair.low,
    last: l,
    excess: pair.distanceToTop,
    excessError: pair.distanceToTop * 4 * U + (16 * DOUBLE_DOUBLE_ERROR * magnitude) / k,
    step: toDouble(e),
  });
}

/** The l with t_l in [0, e]: 0 <= eps + (l+1) e <= (k+1) e. */
function indices(e: number, k: number, epsilon: number): { from: number; to: number } {
  return {
    from: Math.max(0, Math.ceil(-epsilon / e - 1)),
    to: Math.min(k, Math.floor((k * e - epsilon) / e)),
  };
}

/** Climbs to a local best in l from `start`, doubling the stride while it helps. */
function climb(value: (l: number) => number, start: number, from: number, to: number): number {
  let best = Math.min(to, Math.max(from, start));
  let bestValue = value(best);
  for (let stride = Math.max(1, Math.floor((to - from) / 8)); stride >= 1;) {
    const moved = [best - stride, best + stride].some((l) => {
      if (l < from || l > to) return false;
      const there = value(l);
      if (there <= bestValue) return false;
      [best, bestValue] = [l, there];
      return true;
    });
    if (!moved) stride = Math.floor(stride / 2);
  }
  return best;
}

/**
 * The l outside which no local maximum can reach e^known: for any lambda > 0,
 * ln delta_k(t) <= k ln M_t(lambda) - lambda eps + factor(lambda), with
 * ln M_t = lambda t + ln((1 - e^(t-e)) + (e^(t-e) - e^-e) e^(-lambda e)) - ln(1 - e^-e), concave in t. So the t that
 * pass form an interval around the maximiser, found by bisection and widened by the rounding of the bound.
 */
function contenders(
  e: number,
  k: number,
  epsilon: number,
  known: number,
  from: number,
  to: number,
): { from: number; to: number } {
  const moment = boundedRangeMoment(enclosure(e, e));
  const exponent = (lambda: number): number =>
    k * moment(lambda).upper + logConversionFactor(lambda).upper - lambda * epsilon;
  const lambda = goldenSection(exponent, 1e-9, 1e12);
  const decay = Math.exp(-lambda * e);
  const offset = logConversionFactor(lambda).upper - lambda * epsilon;
  const passes = (l: number): boolean => {
    const t = Math.min(e, Math.max(0, (epsilon + (l + 1) * e) / (k + 1)));
    const moved = Math.exp(t - e);
    const inner = (-Math.expm1(t - e) + (moved - Math.exp(-e)) * decay) / -Math.expm1(-e);
    const logM = lambda * t + Math.log(inner);
    const slack = 64 * U * (k * (lambda * e + 1) + Math.abs(offset)) + 1e-9;
    return !(k * logM + offset + slack < known);
  };
  const middle = climb(
    (l) => {
      const t = Math.min(e, Math.max(0, (epsilon + (l + 1) * e) / (k + 1)));
      return lambda * t + Math.log(-Math.expm1(t - e) + (Math.exp(t - e) - Math.exp(-e)) * decay);
    },
    Math.floor((from + to) / 2),
    from,
    to,
  );
  if (!passes(middle)) return { from, to };
  const edge = (end: number): number => {
    if (passes(end)) return end;
    let [inside, outside] = [middle, end];
    while (Math.abs(outside - inside) > 1) {
      const half = Math.floor((inside + outside) / 2);
      if (passes(half)) inside = half;
      else outside = half;
    }
    return inside;
  };
  return { from: edge(from), to: edge(to) };
}

/** Beyond this many mechanisms only a lower end is computed: the contenders for the upper end are too many. */
const LARGEST_COUNT_FOR_UPPER = 1e6;
/** Beyond this nothing is. */
const LARGEST_COUNT = 1e9;

/**
 * The optimal nonadaptive composition of k mechanisms of e-bounded range, e > 0:
 * delta(eps) = max over l of delta_k(t_l), t_l = (eps + (l+1) e) / (k+1) in [0, e],
 * delta_k(t) = sum_i C(k,i) (1-q_t)^i q_t^(k-i) max(0, 1 - e^(eps - kt + ie)).
 *
 * Each delta_k(t_l) is a positive binomial sum of O(sqrt k) terms. The lower end is the best of a climb in l (any l is
 * a legal adversary); the upper end is the largest of the upper ends over all l that a Chernoff bound does not exclude.
 *
 * With `ends` "lower" only the climb is done and the upper end says nothing; where the search for the contenders is given
 * up, neither does it.
 *
 * Source: Dong, Durfee, Rogers (2020), Theorem 3; the exclusion is derived.
 */
export function nonadaptiveOptimum(
  epsilonEach: Decimal,
  k: number,
  ends: 'both' | 'lower' = 'both',
  watch: Watch = {},
): FiniteLossCurve {
  if (k > LARGEST_COUNT) return vacuousCurve(epsilonEach.times(k));
  const e = fromDecimal(epsilonEach);
  const each = toDouble(e);
  const maximum = epsilonEach.times(k);
  const lowerOnly = ends === 'lower' || k > LARGEST_COUNT_FOR_UPPER;
  /** Closer than this to the largest loss, double-doubles cannot tell where epsilon lies. */
  const nearest = difference(scaled(e, k), fromDouble(2 ** -80 * toDouble(scaled(e, k))));
  const isNearMaximum = (epsilon: DoubleDouble): boolean => toDouble(difference(epsilon, nearest)) > 0;

  const best = (epsilon: DoubleDouble): { value: Enclosure; from: number; to: number } => {
    const { from, to } = indices(each, k, toDouble(epsilon));
    const value = (l: number): number => logDeltaAt(e, k, l, epsilon)?.lower ?? -Infinity;
    const l = climb(value, Math.floor((from + to) / 2), from, to);
    return { value: logDeltaAt(e, k, l, epsilon) ?? enclosure(-Infinity, -Infinity), from, to };
  };

  const logDelta = (epsilon: DoubleDouble): Enclosure => {
    if (isNearMaximum(epsilon)) return enclosure(-Infinity, logDelta(nearest).upper);
    const { value, from, to } = best(epsilon);
    if (lowerOnly) return enclosure(value.lower, 0);
    const range = contenders(each, k, toDouble(epsilon), value.lower, from, to);
    const largest = unlessInterrupted(() => {
      let upper: number = value.upper;
      for (let l = Math.max(0, range.from - 1); l <= Math.min(k, range.to + 1); l++) {
        advance(watch);
        upper = Math.max(upper, logDeltaAt(e, k, l, epsilon)?.upper ?? -Infinity);
      }
      return upper;
    });
    return enclosure(value.lower, largest ?? 0);
  };

  return {
    maximum,
    logDelta,
    epsilon(target) {
      // The larger class of (e, 0)-DP settles at once what needs no epsilon at all.
      if (homogeneousOptimum(epsilonEach, k).logDelta(fromDouble(0)).upper <= target.lower) return enclosure(0, 0);
      // The climb alone finds the place; only the claim made there needs every contender.
      const to = encloseDecimal(maximum).upper;
      const guess = bracketRoot({ evaluate: (x) => best(fromDouble(x)).value, target, from: 0, to });
      if (lowerOnly) return enclosure(guess.lower, to);
      if (guess.upper < NOTHING * to && logDelta(fromDouble(0)).upper <= target.lower) return enclosure(0, 0);
      let upper: number = guess.upper;
      for (let margin = FIRST_MARGIN; upper < to; margin *= 8) {
        // Relative first; in parts of the whole range where that gets nowhere.
        upper = Math.min(to, guess.upper * (1 + margin) + (margin > 1e-9 ? margin * to : 0));
        if (logDelta(fromDouble(upper)).upper <= target.lower) break;
      }
      return enclosure(guess.lower, upper);
    },
  };
}
