import { convexMinimum, type Node } from '../../numeric/convex/minimum.ts';
import { Decimal, decimalFromDouble, encloseDecimal, toLower, toUpper, ONE, ZERO } from '../../numeric/decimal.ts';
import { asLower, asUpper, enclosure, exactly, type Bracket, type Enclosure } from '../../numeric/enclosure.ts';
import { add, exponential, multiply, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { nextUp } from '../../numeric/rounding.ts';
import { claimedRate } from './claimed.ts';
import type { Profile, Profiles } from './profile.ts';

/** Profiles, and what is known of the smallest delta at epsilon 0. */
export type RiskProfiles = Pick<Profiles, 'claimed' | 'attained'> & {
  readonly atZero: Pick<Profiles['atZero'], 'delta'>;
};

/** Where the search of a line begins: epsilons. */
const FIRST = [-1, 0, 1];

/** Rates below this are not told apart from it. */
const SMALLEST_RATE = 1e-280;

/**
 * The largest true-positive rate of a test whose false-positive rate is at most alpha, in (0, 1): for two distributions P
 * and Q with profile delta, sup { P(S) : Q(S) <= alpha } = inf over real eps of e^eps alpha + delta(eps), which is
 * 1 - f(alpha) with f the trade-off function.
 *
 * The upper end holds wherever the upper ends of the profile hold; the lower end where both ends of the profile are those
 * of one pair: a test that comes so near exists.
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
  const minimum = convexMinimum({
    evaluate: (x) => at(Math.log(x)),
    atZero: exactly(1),
    atEnd: enclosure(1, 3),
    to,
    slopes: subtract(alpha, enclosure(0, 1)),
    first: first.sort((a, b) => a - b).map(at),
    tolerance,
  });
  return enclosure(Math.max(minimum.lower, alpha.lower), Math.min(1, minimum.upper));
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
export function truePositiveRate(
  { claimed, attained }: Pick<Profiles, 'claimed' | 'attained'>,
  alpha: Decimal,
  tolerance: number,
): Bracket {
  const rate = encloseDecimal(alpha);
  if (rate.lower >= 1) return { lower: asLower(1), upper: asUpper(1) };
  const rates = new Map(attained.map((profile) => [profile, rateOf(profile, rate, tolerance)]));
  const upper = asUpper(
    Math.max(...claimed.map((profile) => rates.get(profile)?.upper ?? claimedRate(profile, rate, tolerance))),
  );
  const lower = largestOf(attained.map((profile) => rates.get(profile)!))?.lower ?? rate.lower;
  return { lower: asLower(Math.min(lower, upper)), upper };
}

/**
 * The largest true-positive rate minus false-positive rate of a test: the total variation, delta at epsilon 0.
 *
 * Source: Yeom, Giacomelli, Fredrikson, Jha (2018), the membership advantage.
 */
export function membershipAdvantage({ atZero: { delta }, attained }: RiskProfiles): Bracket {
  const lowers = [delta.lower, ...attained.map((pair) => pair.delta(ZERO).lower)].filter((lower) => lower !== null);
  if (lowers.length === 0) return delta;
  return { ...delta, lower: asLower(Math.min(Math.max(...lowers), delta.upper)) };
}

const Down = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_FLOOR });
const Up = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_CEIL });

/** p t / (p t + (1 - p) a) for t in (0, 1], which increases with t. */
function valueAt(rate: Decimal, falsePositiveRate: Decimal, prior: Decimal, Rounded: typeof Decimal): Decimal {
  const right = prior.times(rate);
  const wrong = ONE.minus(prior).times(falsePositiveRate);
  return new Decimal(new Rounded(right).div(right.plus(wrong)));
}

/**
 * The probability that a test is right where it says yes: t p / (t p + (1 - p) a), with t its true-positive rate, a its
 * false-positive rate and p the prior probability.
 *
 * Source: Bayes' rule.
 *
 * @param rate - encloses the true-positive rate
 */
export const positivePredictiveValue = (rate: Bracket, falsePositiveRate: Decimal, prior: Decimal): Bracket => ({
  lower:
    rate.lower === null
      ? null
      : asLower(toLower(valueAt(decimalFromDouble(rate.lower), falsePositiveRate, prior, Down))),
  upper: asUpper(toUpper(valueAt(decimalFromDouble(rate.upper), falsePositiveRate, prior, Up))),
});

/** 1 - p + p delta(ln((1 - p) / p)), rounded outward; delta decreases, so that an epsilon too small is safe above. */
function successOf(profile: Profile, prior: Decimal): { readonly lower: Decimal | null; readonly upper: Decimal } {
  const complement = ONE.minus(prior);
  const [below, above] = [Down, Up].map(
    (Rounded) => new Decimal(new Rounded(new Rounded(complement).div(prior)).ln()),
  ) as [Decimal, Decimal];
  const { upper } = profile.delta(below);
  const { lower } = profile.delta(above);
  return {
    lower: lower === null ? null : complement.plus(prior.times(decimalFromDouble(lower))),
    upper: complement.plus(prior.times(decimalFromDouble(upper))),
  };
}

/**
 * The largest probability of naming the right one of two neighbouring data sets, of which one has the prior probability p
 * in (0, 1): max over S of p P(S) + (1 - p)(1 - Q(S)) = 1 - p + p delta(ln((1 - p) / p)), whichever of the two it is that
 * has it. For p = 1/2 it is (1 + advantage) / 2.
 *
 * Upper: nobody does better; lower: on some mechanisms of the declared classes somebody does as well.
 *
 * Source: the definition of the hockey-stick divergence at (1 - p) / p.
 */
export function guessSuccess({ atZero, claimed, attained }: RiskProfiles, prior: Decimal): Bracket {
  const uppers = claimed.map((profile) => successOf(profile, prior).upper);
  const { lower: advantage } = atZero.delta;
  const half = prior.eq(0.5) && advantage !== null ? [prior.times(decimalFromDouble(advantage).plus(1))] : [];
  const lowers = [...half, ...attained.flatMap((profile) => successOf(profile, prior).lower ?? [])];
  const trivial = Decimal.max(prior, ONE.minus(prior));
  const upper = Decimal.min(ONE, Decimal.max(trivial, ...uppers));
  return {
    lower: asLower(toLower(Decimal.max(trivial, ...lowers))),
    upper: asUpper(toUpper(upper)),
    ...(upper.eq(trivial) && { exact: trivial.toString() }),
  };
}
