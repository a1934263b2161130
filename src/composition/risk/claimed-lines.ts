import { decimalFromDouble } from '../../numeric/decimal.ts';
import { exponential, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { asLower, exactly, type Enclosure, type LowerBound } from '../../numeric/enclosure.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import { smallestFound } from './best-line.ts';
import type { Profile } from './profile.ts';

/**
 * The largest of e^-eps (rest - delta(eps)) that is found over eps >= 0, of a profile of which only upper ends are known
 * and which need not be that of a pair; at least 0, rounded down. With rest = 1 - alpha, every test with a false-positive
 * rate of at most alpha has at least this false-negative rate, as that is so for each eps.
 *
 * Source: Wasserman, Zhou (2010), Thm 2.4, for the other order of the neighbours, which the profile is about too.
 *
 * @param rest - at most 1 - alpha
 */
export function claimedInverse(profile: Profile, rest: LowerBound): number {
  const line = (epsilon: number): number => {
    const height = nextDown(rest - profile.delta(decimalFromDouble(epsilon)).upper);
    return Math.max(0, nextDown(exponential(exactly(-epsilon)).lower * height));
  };
  return -smallestFound(
    (epsilon) => -line(epsilon),
    (epsilon) => -Math.exp(-epsilon) * rest,
  );
}

/**
 * The smallest of e^eps alpha + delta(eps) and 1 - e^-eps (1 - alpha - delta(eps)) that is found over eps >= 0, of a profile
 * of which only upper ends are known; at most 1, rounded up. No test with a false-positive rate of at most alpha has a larger
 * true-positive rate: all of these hold, as the profile is about either order of the neighbours, and the second is the
 * first of the other order, whose trade-off function is the inverse. The claims of several theorems together need not be
 * convex in e^eps, so that they are looked for everywhere.
 *
 * Source: Wasserman, Zhou (2010), Thm 2.4.
 */
export function claimedRate(profile: Profile, alpha: Enclosure): number {
  const direct = (epsilon: number): number => {
    const slope = multiply(exponential(exactly(epsilon)), alpha).upper;
    return nextUp(slope + profile.delta(decimalFromDouble(epsilon)).upper);
  };
  const inverse = claimedInverse(profile, asLower(nextDown(1 - alpha.upper)));
  return Math.min(
    1,
    smallestFound(direct, (epsilon) => Math.exp(epsilon) * alpha.lower),
    nextUp(1 - inverse),
  );
}
