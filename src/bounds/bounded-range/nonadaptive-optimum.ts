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
import { enclosure, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { bracketRoot, straightenedTail } from '../../numeric/bracket-root.ts';
import { advance, unlessInterrupted, type Watch } from '../../numeric/watch.ts';
import { pairAtLocalMaximum } from '../../privacy/bounded-range.ts';
import { aboutNormalLoss, vacuousCurve, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { homogeneousOptimum } from '../dp-optimal/dp-optimal.ts';

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

/**
 * F, see {@link contenders}, and the distances of its place X to 0 and to e: where it is above 0 the next local maximum is
 * larger, about.
 */
function growth(e: number, k: number, epsilon: number, l: number): { value: number; x: number; y: number } {
  const x = (epsilon + (l + 1) * e) / k;
  const y = e - x;
  return {
    value: Math.log(((k - 1 - l) / (l + 1)) * (1 - y / Math.expm1(y))) - Math.log(x / -Math.expm1(-x) - 1),
    x,
    y,
  };
}

/**
 * Whether the next local maximum is larger, about: where G varies, in the ratio of its values at the middles of both integrals,
 * which are a third of the way from X to t_l and to t_(l+1).
 */
function rises(e: number, k: number, epsilon: number, l: number): boolean {
  const { value, x, y } = growth(e, k, epsilon, l);
  const low = (Math.exp(-y) * -Math.expm1(-x)) / -Math.expm1(-e);
  const slope = 1 + (l - (k - 1) * low) * (1 / -Math.expm1(-x) + 1 / Math.expm1(y));
  return value + (slope * e) / (3 * (k + 1)) > 0;
}

/** Climbs to a local best in l from `start`, with strides that double while they help. */
function climb(value: (l: number) => number, start: number, from: number, to: number): number {
  let best = start;
  let bestValue = value(best);
  for (let stride = 1; stride >= 1;) {
    const moved = [best - stride, best + stride].some((l) => {
      if (l < from || l > to) return false;
      const there = value(l);
      if (there <= bestValue) return false;
      [best, bestValue] = [l, there];
      return true;
    });
    stride = moved ? 2 * stride : Math.floor(stride / 2);
  }
  return best;
}

/**
 * The l that may have the largest of the local maxima: those from the first on after which it is not certain to rise, up to the last
 * before which it is not certain to fall.
 *
 * With p = (e^t - 1) / (e^e - 1), the probability of the outcome that lowers the loss, and f_l(t) the terms i <= l of delta_k(t), Q's
 * probabilities being P's times e^(-loss),
 *
 *   f_l'(t) = -k G_l(t) (1 - e^(-(k+1) (t - t_l))) / (e^e - 1),  G_l(t) = C(k-1, l) p^l (1-p)^(k-1-l) e^t,
 *
 * and f_l = f_(l+1) at X = (eps + (l+1) e) / k, between t_l and t_(l+1). So delta_k falls from t_l to X and rises from there to
 * t_(l+1), by the integrals of G_l (1 - e^(-(k+1) (t - t_l))) and of G_(l+1) (e^((k+1) (t_(l+1) - t)) - 1). If G were what it is at X the
 * second would be e^F times the first, with Y = e - X and
 *
 *   F(l) = ln ((k-1-l) / (l+1)) + ln (1 - Y / (e^Y - 1)) - ln (X / (1 - e^-X) - 1).
 *
 * F falls with l: the slope of the last two terms in X is A - B with A <= 1 <= B, by 1 + z <= e^z, and the first falls. And
 * (ln G_l)' = 1 + (l - (k-1) p) S, S = 1 / (1 - e^-t) + 1 / (e^(e-t) - 1) the slope of ln(p / (1-p)). Over t's from t_l to t_(l+1), e / (k+1)
 * apart, bounds on that slope decide whether F is above 0 with certainty, or below, for all l of a range at once.
 *
 * Source: derived.
 */
function contenders(e: number, k: number, epsilon: number, from: number, to: number): { from: number; to: number } {
  const timeOf = (l: number): number => Math.min(e, Math.max(0, (epsilon + (l + 1) * e) / (k + 1)));
  const low = (t: number): number => (Math.exp(t - e) * -Math.expm1(-t)) / -Math.expm1(-e);
  /** F, and a bound on its rounding. */
  const logRatio = (l: number): { value: number; error: number } => {
    const { value, x, y } = growth(e, k, epsilon, l);
    return { value, error: 1e-12 + 64 * U * (1 + (e + 1) / x + (e + 1) / y) };
  };
  const blur = 8 * U * (e + Math.abs(epsilon) / k);
  const steepest = (a: number, b: number): number =>
    (1 + 1e-9) *
    (1 / -Math.expm1(-Math.max(0, timeOf(a) - blur)) + 1 / Math.expm1(Math.max(0, e - timeOf(b + 1) - blur)));
  const isRising = (a: number, b: number): boolean => {
    const { value, error } = logRatio(b);
    const falling = Math.max(0, (k - 1) * low(timeOf(b + 1)) * (1 + 1e-12) - a);
    return value - error > (falling === 0 ? 0 : (falling * steepest(a, b) * e) / k);
  };
  const isFalling = (a: number, b: number): boolean => {
    const { value, error } = logRatio(a);
    const rising = Math.max(0, b + 1 - (k - 1) * low(timeOf(a)) * (1 - 1e-12));
    return value + error < -((1 + (rising === 0 ? 0 : rising * steepest(a, b))) * e) / k;
  };
  /** How many of the l from a to b stand before the first that is not certain, in halves, near ones first. */
  const certain = (holds: (a: number, b: number) => boolean, a: number, b: number, isFromTop: boolean): number => {
    if (a > b) return 0;
    if (holds(a, b)) return b - a + 1;
    if (a === b) return 0;
    const half = Math.floor((a + b) / 2);
    const halves = [
      [a, half],
      [half + 1, b],
    ] as const;
    const [near, far] = isFromTop ? [halves[1], halves[0]] : halves;
    const first = certain(holds, ...near, isFromTop);
    return first <= near[1] - near[0] ? first : first + certain(holds, ...far, isFromTop);
  };
  return { from: from + certain(isRising, from, to - 1, false), to: to - certain(isFalling, from, to - 1, true) };
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
 * a legal adversary); the upper end is the largest of the upper ends over all l that are not certain to be exceeded by others.
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

  const enclosed = (l: number, epsilon: DoubleDouble): Enclosure =>
    logDeltaAt(e, k, l, epsilon) ?? enclosure(-Infinity, -Infinity);
  /** Where a climb begins, which mostly is where it ends, and its limits. */
  const startAt = (epsilon: DoubleDouble): { start: number; from: number; to: number } => {
    const x = toDouble(epsilon);
    const { from, to } = indices(each, k, x);
    let [rising, start] = [from - 1, to];
    while (start - rising > 1) {
      const middle = Math.floor((rising + start) / 2);
      if (rises(each, k, x, middle)) rising = middle;
      else start = middle;
    }
    return { start, from, to };
  };
  const bestAt = (epsilon: DoubleDouble): { l: number; start: number; from: number; to: number } => {
    const { start, from, to } = startAt(epsilon);
    return { l: climb((l) => enclosed(l, epsilon).lower, start, from, to), start, from, to };
  };

  const logDelta = (epsilon: DoubleDouble): Enclosure => {
    if (isNearMaximum(epsilon)) return enclosure(-Infinity, logDelta(nearest).upper);
    const { l: best, from, to } = bestAt(epsilon);
    const value = enclosed(best, epsilon);
    if (lowerOnly) return enclosure(value.lower, 0);
    const range = contenders(each, k, toDouble(epsilon), from, to);
    const largest = unlessInterrupted(() => {
      let upper: number = value.upper;
      for (let l = Math.max(0, range.from - 1); l <= Math.min(k, range.to + 1); l++) {
        advance(watch);
        if (l !== best) upper = Math.max(upper, enclosed(l, epsilon).upper);
      }
      return upper;
    });
    return enclosure(value.lower, largest ?? 0);
  };

  // About that of responses of half the range.
  const about = aboutNormalLoss((k * each ** 2) / 8, (Math.sqrt(k) * each) / 2);
  return {
    maximum,
    logDelta,
    epsilon(target) {
      // Adversaries where climbs begin find the place, those where they end if that is elsewhere; only the claim needs every contender.
      const to = encloseDecimal(maximum).upper;
      const near = about(midpoint(target));
      const crossing = (l: (epsilon: DoubleDouble) => number): Enclosure => {
        const evaluate = (x: number): Enclosure => enclosed(l(fromDouble(x)), fromDouble(x));
        return bracketRoot({ evaluate, target, from: 0, to, start: near, straightened: straightenedTail });
      };
      let guess = crossing((epsilon) => startAt(epsilon).start);
      // The larger class of (e, 0)-DP settles at once what needs no epsilon at all.
      const isNothing = (): boolean => homogeneousOptimum(epsilonEach, k).logDelta(fromDouble(0)).upper <= target.lower;
      if (guess.lower === 0 && isNothing()) return enclosure(0, 0);
      const { l, start } = bestAt(fromDouble(guess.lower));
      if (l !== start) guess = crossing((epsilon) => bestAt(epsilon).l);
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
