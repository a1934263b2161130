import { Decimal, exactUpper, toUpper } from '../../numeric/decimal.ts';
import { asUpper, type Bracket } from '../../numeric/enclosure.ts';
import type { Answer } from '../core/outcome.ts';
import type { Profile } from './profile.ts';

const DIGITS = 60;
const Down = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_FLOOR });
const Up = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_CEIL });

/** e^-x in decimals is 0 beyond this. */
const LARGEST = 1e6;

const unknown: Bracket = { lower: null, upper: asUpper(1) };

/**
 * The smallest delta that (epsilon, delta) alone proves at another epsilon' at least 0: delta from epsilon on, and below it
 * 1 - (1 - delta) (1 + e^epsilon') / (1 + e^epsilon), where neighbouring is symmetric. Upper ends only.
 *
 * Source: Kairouz, Oh, Viswanath (2015), Theorem 2.1 (the region of the errors of a test; its corners are on that line).
 */
export function claimedProfile({ epsilon, delta }: Pick<Answer, 'epsilon' | 'delta'>): Profile {
  const [claimed, failure] = [exactUpper(epsilon), exactUpper(delta)];
  const at = (other: Decimal): Bracket => {
    if (!claimed.isFinite() || failure.gte(1)) return unknown;
    if (other.gte(claimed)) return { lower: null, upper: toUpper(failure) };
    if (other.isNegative() || claimed.gt(LARGEST)) return unknown;
    const below = new Down(new Down(other).exp()).plus(1);
    const above = new Up(new Up(claimed).exp()).plus(1);
    const kept = new Down(new Down(1).minus(failure)).times(below).div(above);
    return { lower: null, upper: toUpper(Decimal.min(1, new Up(1).minus(kept))) };
  };
  return { delta: at, largest: Infinity };
}
