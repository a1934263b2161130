import { asLower, asUpper, type Bracket } from '../../numeric/enclosure.ts';
import type { Profiles } from './profile.ts';

/**
 * Bits of a uniform bit that the results tell.
 */
export function leakedBits({ atZero }: Profiles): Bracket {
  return { lower: asLower(0), upper: asUpper(atZero.delta.upper) };
}
