import { Decimal } from '../../numeric/decimal.ts';
import { Rational, roundedDecimal } from '../../numeric/rational.ts';
import { MAX_DIGITS, readDecimal, type NumberTrouble } from './decimal-text.ts';

/** Digits at which a quotient that is no short decimal is rounded. */
const ROUNDED_DIGITS = 60;

const QUOTIENT = /^(\d+)\/(\d+)$/;

/** The exact number that `text` writes, as a quotient of whole numbers or a decimal, or why it cannot be used. */
export function readRational(text: string): Rational | NumberTrouble {
  const [, above = '', below = ''] = QUOTIENT.exec(text) ?? [];
  if (below === '') {
    const decimal = readDecimal(text);
    if (Decimal.isDecimal(decimal)) return Rational.ofDecimal(decimal);
    const isQuotient = decimal.code === 'not-a-number' && text.includes('/');
    return isQuotient
      ? { ...decimal, hint: 'Write a quotient of whole numbers without spaces, such as 1/10.' }
      : decimal;
  }
  if (above.length > MAX_DIGITS || below.length > MAX_DIGITS) {
    return { code: 'too-many-digits', hint: 'Round it to the side that is safe for you.' };
  }
  if (/^0+$/.test(below)) return { code: 'not-a-number', hint: 'Write a denominator other than 0.' };
  return Rational.of(BigInt(above), BigInt(below));
}

/** The number that `text` writes: a decimal exactly, a quotient of whole numbers rounded to that side at 60 digits. */
export function readRounded(text: string, side: 'down' | 'up'): Decimal | NumberTrouble {
  if (!text.includes('/')) return readDecimal(text);
  const exact = readRational(text);
  return 'code' in exact ? exact : readDecimal(roundedDecimal(exact, ROUNDED_DIGITS, side).toString());
}
