import { Decimal, ZERO } from '../../numeric/decimal.ts';
import { Rational, roundedDecimal } from '../../numeric/rational.ts';
import type { NumberField } from '../../privacy/mechanisms/parameters.ts';
import type { InputErrorCode } from './error-codes.ts';

/** The most significant digits a number may have. */
export const MAX_DIGITS = 1000;
/** Numbers are 0 or of magnitude 1e-300 to 1e300. */
export const MAX_EXPONENT = 300;

/** Why a text is not a number that can be used; `allowed` where the range of all numbers is the reason. */
export interface NumberTrouble {
  readonly code: InputErrorCode;
  readonly hint: string;
  readonly allowed?: string;
}

/** The hint for text that is nothing like a number. */
export const WRITE_DIGITS = 'Write digits only, with a point and an exponent where needed, such as 0.1 or 1e-6.';

/** Text beyond this is not looked into: no number of 1000 digits needs it. */
const MAX_LENGTH = 10_000;
/** Almost all numbers, which need no second look. */
const PLAIN = /^\d{1,20}(?:\.\d{1,20})?$/;
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Short numbers repeat in long documents: they are read once and shared. */
const shortNumbers = new Map<string, Decimal>();
const SHORT = 6;
const MOST_SHORT = 5000;

const tooManyDigits: NumberTrouble = {
  code: 'too-many-digits',
  allowed: `a number of at most ${MAX_DIGITS} significant digits`,
  hint: 'Round it to the side that is safe for you.',
};

const beyondMagnitude: NumberTrouble = {
  code: 'out-of-range',
  allowed: `0 or of magnitude 1e-${MAX_EXPONENT} to 1e${MAX_EXPONENT}`,
  hint: `Numbers are 0 or from 1e-${MAX_EXPONENT} to 1e${MAX_EXPONENT} in magnitude: round it to the side that is safe for you.`,
};

function notDecimal(text: string): NumberTrouble {
  const code = 'not-a-number';
  const bare = text.trim();
  if (bare === '') return { code, hint: 'Write a decimal number in place of the empty text.' };
  if (/^[+-]?\.?(nan|inf(inity)?|\u221e)$/i.test(bare)) {
    return { code: 'not-finite', hint: 'Write a finite decimal number; NaN and infinities have no meaning here.' };
  }
  if (bare !== text && DECIMAL.test(bare)) return { code, hint: `Remove the spaces around it: "${bare}".` };
  if (/^[+-]?0[xob]/i.test(bare)) return { code, hint: 'Write the number in decimal, such as 16 for 0x10.' };
  if (/^[+-]?\d[\d_]*(\.[\d_]*)?(e[+-]?\d+)?$/i.test(bare)) return { code, hint: 'Remove the underscores.' };
  if (/^[+-]?\d*,\d+$/.test(bare))
    return { code, hint: 'Use a point as the decimal mark and no separator of thousands.' };
  if (/^[+-]?[\d.]+\s*%$/.test(bare))
    return { code, hint: 'Write the fraction instead of a percentage, such as 0.01 for 1%.' };
  if (/^[+-]?[\d.]+\s*\/\s*[\d.]+$/.test(bare)) return { code, hint: 'Write the quotient as a decimal number.' };
  return { code, hint: WRITE_DIGITS };
}

/** The exact decimal that `text` writes, or why it cannot be used. */
export function readDecimal(text: string): Decimal | NumberTrouble {
  if (text.length <= SHORT) return readShort(text);
  return readAny(text);
}

function readShort(text: string): Decimal | NumberTrouble {
  const cached = shortNumbers.get(text);
  if (cached !== undefined) return cached;
  const number = readAny(text);
  if (Decimal.isDecimal(number) && shortNumbers.size < MOST_SHORT) shortNumbers.set(text, number);
  return number;
}

function readAny(text: string): Decimal | NumberTrouble {
  if (PLAIN.test(text)) return new Decimal(text);
  if (text.length > MAX_LENGTH) return tooManyDigits;
  const match = DECIMAL.exec(text);
  const whole = match?.[2] ?? '';
  const digits = whole + (match?.[3] ?? '');
  if (match === null || digits === '') return notDecimal(text);

  let first = 0;
  while (digits[first] === '0') first++;
  if (first === digits.length) return ZERO;
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const significant = digits.slice(first, end);
  const exponentPart = match[4] === undefined ? 0 : Number(match[4]);
  const exponent = exponentPart + whole.length - first - 1;
  if (significant.length > MAX_DIGITS) return tooManyDigits;
  const aboveLargest = exponent > MAX_EXPONENT || (exponent === MAX_EXPONENT && significant !== '1');
  if (aboveLargest || exponent < -MAX_EXPONENT) return beyondMagnitude;
  return new Decimal(`${match[1] ?? ''}${significant}e${exponent - significant.length + 1}`);
}

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

/**
 * The number that `text` writes: a decimal exactly, a quotient of whole numbers rounded to that side at 60 digits; without a side no
 * quotient is taken.
 */
export function readRounded(text: string, side: NumberField['rounds']): Decimal | NumberTrouble {
  if (side === undefined || !text.includes('/')) return readDecimal(text);
  const exact = readRational(text);
  return 'code' in exact ? exact : readDecimal(roundedDecimal(exact, ROUNDED_DIGITS, side).toString());
}
