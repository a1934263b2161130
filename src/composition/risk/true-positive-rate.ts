import { convexMinimum, type Node } from '../../numeric/convex/minimum.ts';
import { decimalFromDouble, encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { add, exponential, multiply, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { asLower, asUpper, enclosure, exactly, type Bracket, type Enclosure } from '../../numeric/enclosure.ts';
import { nextUp } from '../../numeric/rounding.ts';
import { claimedRate } from './claimed-lines.ts';
import type { Profile, Profiles } from './profile.ts';

/** Where the search of a line begins: epsilons. */
const FIRST = [-1, 0, 1];

/** Rates below this are not told apart from it. */
const SMALLEST_RATE = 1e-280;

/**
 * The largest true-positive rate of a test whose false-positive rate is at most alpha, in (0, 1): for two distributions P
 * and Q with profile delta, sup { P(S) : Q(S) <= alpha } = inf over real eps of e^eps alpha + delta(eps), which is
 * 1 - f(alpha) with f the trade-off function.
 *
 * The upper end holds for whoever the upper ends of the profile hold for; the lower end where both ends of the profile are
 * those of one pair: a test that comes so near exists.
 *
 * Source: Wasserman, Zhou (2010), Thm 2.4; Dong, Roth, Su (2022), Prop 2.13 (the profile and the trade-off function are
 * conjugates: each line with slope e^eps bounds the rate, and the rate is concave).
 */
function rateOf(profile: Profile, alpha: Enclosure, tolerance: number): Enclosure {
  if (alpha.lower < SMALLEST_RATE) {
    const { upper } = rateOf(profile, enclosure(SMALLEST_RATE, Math.max(SMALLEST_RATE, alpha.upper)), tolerance);
    return enclosure(alpha.lower, upper);
  }
  const to = nextUp(1 / alpha.lower);
  const { largest } = profile;
  const at = (epsilon: number): Node => {
    const { lower, upper } = profile.delta(decimalFromDouble(epsilon));
    const slope = exponential(exactly(epsilon));
    return { x: slope, value: add(multiply(slope, alpha), enclosure(lower ?? upper, upper)) };
  };
  const last = Math.log(to);
  // The largest loss is a corner, and often the best slope.
  const first = [...FIRST.filter((epsilon) => epsilon !== largest), largest].filter((epsilon) => epsilon < last);
  const found = convexMinimum({
    evaluate: (x) => at(Math.log(x)),
    atZero: exactly(1),
    atEnd: enclosure(1, 3),
    to,
    slopes: subtract(alpha, enclosure(0, 1)),
    first: first.sort((a, b) => a - b).map(at),
    tolerance,
  });
  return enclosure(Math.max(found.lower, alpha.lower), Math.min(1, found.upper));
}

/** The larger of several enclosures: where each holds for one case, of all of them. */
const largestOf = (all: readonly Enclosure[]): Enclosure | null =>
  all.length === 0
    ? null
    : enclosure(Math.max(...all.map(({ lower }) => lower)), Math.max(...all.map(({ upper }) => upper)));

/**
 * The largest true-positive rate of a test with false-positive rate at most `alpha` in [0, 1], whichever of two
 * neighbouring data sets it is to recognise. Upper: no test does better; lower: on some mechanisms of the declared classes
 * a test does as well.
 */
export function truePositiveRate({ claimed, attained }: Profiles, alpha: Decimal, tolerance: number): Bracket {
  const rate = encloseDecimal(alpha);
  if (rate.lower >= 1) return { lower: asLower(1), upper: asUpper(1) };
  const known = new Map(attained.map((each) => [each, rateOf(each, rate, tolerance)]));
  const upper = asUpper(Math.max(...claimed.map((each) => known.get(each)?.upper ?? claimedRate(each, rate))));
  const lower = largestOf(attained.map((each) => known.get(each)!))?.lower ?? rate.lower;
  return { lower: asLower(Math.min(lower, upper)), upper };
}
