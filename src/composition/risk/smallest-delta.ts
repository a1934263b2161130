import type { Decimal } from '../../numeric/decimal.ts';
import { asLower, asUpper, type Bracket } from '../../numeric/enclosure.ts';
import type { Profiles } from './profile.ts';

/**
 * The smallest delta at an epsilon for either order of two neighbouring data sets. Upper: the claim; lower: mechanisms of
 * the declared classes need as much, null where no pair that they have is known.
 */
export function smallestDelta({ claimed, attained }: Profiles, epsilon: Decimal): Bracket {
  const known = new Map([...new Set([...claimed, ...attained])].map((each) => [each, each.delta(epsilon)]));
  const lowers = attained.flatMap((each) => known.get(each)!.lower ?? []);
  const upper = Math.max(...claimed.map((each) => known.get(each)!.upper));
  return {
    lower: lowers.length === 0 ? null : asLower(Math.min(upper, Math.max(...lowers))),
    upper: asUpper(upper),
  };
}
