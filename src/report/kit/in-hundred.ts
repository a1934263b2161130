import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import { givenText } from './number.ts';

const DIGITS = 3;
/** Of what is compared with a coin. */
export const GUESS_DIGITS = 4;
const MOST_DIGITS = 10;

/** A number in few digits, rounded up. */
export const shortUp = (value: Decimal, digits = DIGITS): string =>
  givenText(new Decimal(value).toSignificantDigits(digits, Decimal.ROUND_UP));

/**
 * How many times in 100 a probability of at most `upper` is, rounded up, in more digits where few would say 100; null for
 * a probability of about 1.
 */
export function inHundred({ upper }: { readonly upper: number }, digits = DIGITS): string | null {
  const times = decimalFromDouble(upper).times(100);
  for (let shown = digits; shown <= MOST_DIGITS; shown++) {
    if (times.toSignificantDigits(shown, Decimal.ROUND_UP).lt(100)) return shortUp(times, shown);
  }
  return null;
}
