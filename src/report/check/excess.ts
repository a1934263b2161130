import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { givenText } from '../kit/number.ts';

/** Significant digits of the amount above a limit. */
const DIGITS = 4;

/** How far a certified end is above a limit, rounded away from it or toward it. */
export function excessText(
  end: Bracket['upper'] | NonNullable<Bracket['lower']>,
  limit: Decimal,
  rounded: 'up' | 'down',
): string {
  const excess = decimalFromDouble(end).minus(limit);
  return givenText(excess.toSignificantDigits(DIGITS, rounded === 'up' ? Decimal.ROUND_UP : Decimal.ROUND_DOWN));
}

/** Whether a certified lower end is above a limit. */
export const isAbove = ({ lower }: Bracket, limit: Decimal): boolean =>
  lower !== null && (lower === Infinity || decimalFromDouble(lower).gt(limit));
