import { Decimal, ZERO } from '../../numeric/decimal.ts';
import { withFailure, type LossCurve, type PreciseBound } from './curve.ts';
import { isHandled, pureGroups } from './entries.ts';
import type { Arithmetic, Interval } from './interval.ts';
import { certifiedRoot } from './root.ts';

/** Beyond this many mechanisms k^2 terms take too long. */
const MOST = 400;
/** Digits in which the maxima are told apart. */
const COARSE = 25;

/**
 * delta_k(t_l) = sum over i = 0..l of C(k,i) p^(k-i) (1-p)^i (e^(kt - ie) - e^eps) with p = (e^-t - e^-e) / (1 - e^-e)
 * at t = t_l = (eps + (l+1) e) / (k+1): the losses kt - ie above eps are those with i <= l. 0 where t_l lies outside
 * (0, e).
 */
function maximumAt(l: number, k: number, e: Decimal, epsilon: Decimal, a: Arithmetic): Interval {
  const numerator = epsilon.plus(e.times(l + 1));
  if (numerator.lte(0) || numerator.gte(e.times(k + 1))) return a.zero;
  const t = a.divide(a.of(numerator), a.of(k + 1));
  const decay = a.exponential(a.of(e.negated()));
  const whole = a.subtract(a.one, decay);
  const moved = a.exponential(a.negate(t));
  const p = a.divide(a.subtract(moved, decay), whole);
  if (p.lower.lte(0)) return a.between(a.zero.lower, a.one.upper);
  const odds = a.divide(a.subtract(a.one, moved), a.subtract(moved, decay));
  const floor = a.exponential(a.of(epsilon));
  let height = a.exponential(a.multiply(a.of(k), t));
  let chance = a.power(p, new Decimal(k));
  let sum = a.zero;
  for (let i = 0; i <= l; i++) {
    sum = a.add(sum, a.multiply(chance, a.subtract(height, floor)));
    height = a.multiply(height, decay);
    chance = a.divide(a.multiply(a.multiply(chance, odds), a.of(k - i)), a.of(i + 1));
  }
  return sum;
}

/** The nonadaptive optimum of k mechanisms of e-bounded range: the largest of its local maxima, every one looked at. */
function optimum(e: Decimal, k: number, a: Arithmetic): LossCurve {
  const at = (l: number, epsilon: Decimal, b: Arithmetic): Interval => maximumAt(l, k, e, epsilon, b);

  /** Every l is evaluated with few digits, and those that may be the largest with all. */
  const largest = (epsilon: Decimal): Interval => {
    const coarse = a.withDigits(COARSE);
    const values = Array.from({ length: k + 1 }, (_, l) => at(l, epsilon, coarse));
    const floor = values.reduce((best, { lower }) => (lower.gt(best) ? lower : best), coarse.zero.lower);
    return values.reduce((best, { upper }, l) => (upper.lt(floor) ? best : a.max(best, at(l, epsilon, a))), a.zero);
  };

  let remembered = Math.floor(k / 2);
  /** The local maximum reached by climbing: at most the largest. */
  const climbed = (epsilon: Decimal, b: Arithmetic): Interval => {
    let best = at(remembered, epsilon, b);
    for (let stride = Math.max(1, k >> 3); stride >= 1;) {
      const better = [remembered - stride, remembered + stride].find((l) => {
        if (l < 0 || l > k) return false;
        const there = at(l, epsilon, b);
        if (there.lower.lte(best.upper)) return false;
        best = there;
        return true;
      });
      if (better === undefined) stride >>= 1;
      else remembered = better;
    }
    return best;
  };

  const maximum = e.times(k);
  return {
    maximum,
    delta: largest,
    epsilon(target) {
      if (largest(ZERO).upper.lte(target.lower)) return a.zero;
      const about = (digits: number): ((x: Decimal) => Decimal) => {
        const b = a.withDigits(digits);
        return (x) => b.middle(climbed(x, b));
      };
      const atLeast = (x: Decimal): Decimal => climbed(x, a).lower;
      return certifiedRoot(a, { about, atLeast, atMost: (x) => largest(x).upper }, target, ZERO, maximum);
    },
  };
}

/** The optimum of equal bounded-range mechanisms fixed in advance, see src/bounds/bounded-range/nonadaptive.ts. */
export const brNonadaptive: PreciseBound = ({ entries }, a) => {
  const groups = pureGroups(entries, a);
  const [group, ...others] = groups ?? [];
  if (!group || others.length > 0) return 'mechanism-not-covered';
  if (!isHandled([group]) || group.count.gt(MOST)) return 'too-large';
  return withFailure(a, optimum(group.epsilon, group.count.toNumber(), a), a.zero);
};
