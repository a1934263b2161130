import { convexMinimum, type Node } from '../../numeric/convex/minimum.ts';
import { decimalFromDouble, encloseDecimal, toLower, ONE, type Decimal } from '../../numeric/decimal.ts';
import {
  asLower,
  asUpper,
  type Enclosure,
  enclosure,
  exactly,
  type LowerBound,
  type UpperBound,
} from '../../numeric/enclosure.ts';
import { exponential, multiply, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import { claimedInverse } from './claimed.ts';
import type { Profile, Profiles } from './profile.ts';
import { truePositiveRate } from './inference.ts';

/** The smallest false-negative rate of a test: the lower end is the claim, the upper end null where none is known. */
export interface FalseNegativeRate {
  readonly lower: LowerBound;
  readonly upper: UpperBound | null;
}

/** Where the search of a line begins: epsilons. */
const FIRST = [1, 0, -1];

/** A result this much smaller than the numbers that it is the difference of is looked for again, nearer to it. */
const CANCELS = 4;
const ROUNDS = 4;

/** Far epsilons: what delta remains there is that of infinite losses, or nearly so. The farther, the more it costs. */
const FAR = [4, 12, 64, 512];

/** At a false-positive rate of 0 the upper end is 1, which says something only where the lower end comes near to it. */
const NEARLY_ALL = 1 - 1e-9;

/**
 * The inverse of the trade-off function of a profile: the largest over real eps of e^-eps (1 - alpha - delta(eps)). It has
 * the relative accuracy of the profile, as 1 - alpha is exact, where alpha is at least the result.
 *
 * Source: Wasserman, Zhou (2010), Thm 2.4; Dong, Roth, Su (2022), Prop 2.12. With x = e^-eps it is concave in x, 0 at 0,
 * and by delta >= 1 - e^eps not above 0 from 1 / alpha on.
 */
function inverse(profile: Profile, alpha: Decimal, tolerance: number): Enclosure {
  const rest = encloseDecimal(ONE.minus(alpha));
  const to = nextUp(nextUp(1 / encloseDecimal(alpha).lower));
  const nodes = new Map<number, Node>();
  const at = (epsilon: number): Node => {
    const { lower, upper } = profile.delta(decimalFromDouble(epsilon));
    const x = exponential(exactly(-epsilon));
    return { x, value: multiply(x, subtract(rest, enclosure(lower ?? upper, upper))) };
  };
  const nodeAt = (x: number): Node => {
    const node = nodes.get(x) ?? at(-Math.log(x));
    nodes.set(x, node);
    return node;
  };
  let supremum = enclosure(0, rest.upper);
  let [scale, reached]: [number, number] = [rest.upper, Infinity];
  for (let round = 0; round < ROUNDS && scale > 0 && reached > CANCELS * supremum.upper; round++) {
    const from = exactly(scale);
    const evaluate = (place: number): Node => {
      const { x, value } = nodeAt(place);
      return { x, value: subtract(from, value) };
    };
    const minimum = convexMinimum({
      evaluate,
      atZero: from,
      atEnd: enclosure(scale, nextUp(scale + 2)),
      to,
      slopes: subtract(enclosure(0, 1), rest),
      first: FIRST.map((epsilon) => Math.exp(-epsilon))
        .filter((x) => x < to)
        .map(evaluate),
      tolerance,
    });
    const { lower, upper } = subtract(from, minimum);
    supremum = enclosure(Math.max(supremum.lower, lower), Math.max(supremum.lower, Math.min(supremum.upper, upper)));
    [reached, scale] = [scale, 2 * supremum.upper];
  }
  // A corner there is often where the best line is, and its logarithm is not that of a double.
  const { largest } = profile;
  if (largest === Infinity) return supremum;
  const { lower } = at(largest).value;
  return enclosure(Math.max(supremum.lower, lower), Math.max(supremum.upper, lower));
}

/** The largest or smallest ends that hold for a claim and for what is attained. */
interface Known {
  readonly lower: number;
  readonly upper: number | null;
}

function byInverses({ claimed, attained }: Profiles, alpha: Decimal, tolerance: number): Known {
  const inverses = new Map(attained.map((profile) => [profile, inverse(profile, alpha, tolerance)]));
  return {
    lower: Math.min(
      ...claimed.map(
        (profile) => inverses.get(profile)?.lower ?? claimedInverse(profile, toLower(ONE.minus(alpha)), tolerance),
      ),
    ),
    upper: attained.length === 0 ? null : Math.min(...attained.map((profile) => inverses.get(profile)!.upper)),
  };
}

/** 1 - delta(eps) for eps that goes to infinity, from below by every eps. */
function withoutFalsePositives({ claimed, attained }: Profiles): FalseNegativeRate {
  const rateOf = (profile: Profile): number => {
    const epsilons = profile.largest === Infinity ? FAR : [profile.largest];
    let highest = 0;
    for (const epsilon of epsilons) {
      highest = Math.max(highest, nextDown(1 - profile.delta(decimalFromDouble(epsilon)).upper));
      // There is nothing above it.
      if (highest >= nextDown(1)) break;
    }
    return highest;
  };
  const lower = Math.min(...claimed.map(rateOf));
  return { lower: asLower(lower), upper: attained.length > 0 && lower > NEARLY_ALL ? asUpper(1) : null };
}

const smaller = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/**
 * The trade-off function at `alpha` in [0, 1]: the smallest false-negative rate of a test whose false-positive rate is at
 * most alpha, whichever of two neighbouring data sets it is to recognise. It falls, is at most 1 - alpha, and is its own
 * inverse: with (P, Q) also (Q, P) is a pair of neighbours, whose trade-off function is the inverse of that of (P, Q).
 *
 * Lower: no test has a smaller one; upper: on some mechanisms of the declared classes a test does as well, null where no
 * pair that they have is known.
 *
 * Accuracy: 1 minus the true-positive rate where alpha is below it; else by inverses, whose relative accuracy is that of
 * the profile.
 *
 * @param tolerance - the relative width at which the search for the best line ends
 */
export function tradeOff(profiles: Profiles, alpha: Decimal, tolerance: number): FalseNegativeRate {
  if (alpha.gte(1)) return { lower: asLower(0), upper: asUpper(0) };
  if (alpha.lte(0)) return withoutFalsePositives(profiles);
  const isKnown = profiles.attained.length > 0;
  const rate = truePositiveRate(profiles, alpha, tolerance);
  const direct = subtract(exactly(1), enclosure(rate.lower ?? 0, rate.upper));
  const lower = Math.max(0, direct.lower);
  const upper = isKnown ? Math.min(1, direct.upper) : null;
  if (alpha.lt(lower)) return { lower: asLower(lower), upper: upper === null ? null : asUpper(upper) };
  const other = byInverses(profiles, alpha, tolerance);
  const both = { lower: Math.max(lower, other.lower), upper: smaller(upper, other.upper) };
  return { lower: asLower(both.lower), upper: both.upper === null ? null : asUpper(Math.max(both.lower, both.upper)) };
}
